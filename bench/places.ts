/** Starts what the first two rows share: the simulated system, Conex with a connector to it, and the relay. */
import { type Child, startChild } from './child.ts'

export interface Places {
  /** Sends one execute to Conex. */
  readonly conex: {
    readonly origin: string
    readonly path: string
    readonly headers: Record<string, string>
    readonly token: string
  }
  readonly relay: { readonly origin: string }
  readonly landmarks: Readonly<Record<string, string>>
  readonly conexProcess: Child<unknown>
  stop(): Promise<void>
}

interface Systems {
  readonly systems: Record<string, { base_url: string; credentials: { token: string }[] }>
  readonly landmarks: Record<string, string>
}

export async function startPlaces(): Promise<Places> {
  const systems = await startChild<Systems>('simulators')
  const { base_url: baseUrl, credentials } = systems.ready.systems.asana!
  const { landmarks } = systems.ready
  const conex = await startChild<{ origin: string; token: string; id: string }>('conex', {
    baseUrl,
    credentials: credentials[0],
  })
  const fields = 'name,resource_type,resource_subtype,created_by'
  const relay = await startChild<{ origin: string }>('relay', {
    page: `${baseUrl}/projects/${landmarks.project_bulk}/tasks?limit=100&opt_fields=${fields}`,
    file: `${baseUrl}/attachments/${landmarks.attachment_1gib}?opt_fields=download_url`,
    token: credentials[0]!.token,
  })
  return {
    conex: {
      origin: conex.ready.origin,
      path: `/api/v1/connectors/sources/${conex.ready.id}/execute`,
      headers: { authorization: `Bearer ${conex.ready.token}`, 'content-type': 'application/json' },
      token: conex.ready.token,
    },
    relay: relay.ready,
    landmarks,
    conexProcess: conex,
    async stop() {
      for (const child of [conex, relay, systems]) await child.stop()
    },
  }
}
