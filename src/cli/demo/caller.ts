/** A caller of the demo's own server, over HTTP like any other. */
import { parseJson } from '../../json.ts'

export interface DemoCaller {
  /** The id of the connector; an earlier run's connector is used again. */
  createConnector(body: object): Promise<string>
  /** Whether the system accepts the connector's credentials. */
  check(id: string): Promise<string>
  list(
    id: string,
    entity: string,
    params: object,
  ): Promise<{ records: Record<string, unknown>[]; milliseconds: number }>
  /** The state of each entity's copy. */
  copy(id: string): Promise<readonly CopiedEntity[]>
  search(
    id: string,
    entity: string,
    params: object,
  ): Promise<{ records: Record<string, unknown>[]; took: number; age: number | null }>
  /** Reads a file to its end and discards it. */
  download(id: string, entity: string, params: object): Promise<{ size: number; type: string; name: string | null }>
}

export interface CopiedEntity {
  readonly entity: string
  readonly status: string
  readonly records: number
  readonly last_finished_at: string | null
  readonly last_error: { readonly detail: string } | null
}

export function demoCaller(origin: string, token: string): DemoCaller {
  const post = (path: string, body: object): Promise<Response> =>
    fetch(origin + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const execute = (id: string, body: object) => post(`/api/v1/connectors/sources/${id}/execute`, body)

  return {
    async createConnector(body) {
      const answer = await post('/v1/integrations/connectors', body)
      const told = (await answer.json()) as { id?: string; existing_id?: string; detail?: string }
      const id = answer.status === 409 ? told.existing_id : told.id
      if (id === undefined) throw new Error(`The connector could not be created: ${told.detail}`)
      return id
    },
    async check(id) {
      const answer = await post(`/v1/integrations/connectors/${id}/check`, {})
      return ((await answer.json()) as { status?: string }).status ?? 'not checked'
    },
    async list(id, entity, params) {
      const start = performance.now()
      const answer = await execute(id, { entity, action: 'list', params })
      const told = parseJson(await answer.text()) as { result?: Record<string, unknown>[]; detail?: string }
      if (told.result === undefined) throw new Error(`The list of ${entity} failed: ${told.detail}`)
      return { records: told.result, milliseconds: Math.round(performance.now() - start) }
    },
    async copy(id) {
      const headers = { authorization: `Bearer ${token}` }
      const answer = await fetch(`${origin}/v1/integrations/connectors/${id}/sync`, { headers })
      return ((await answer.json()) as { entities: CopiedEntity[] }).entities
    },
    async search(id, entity, params) {
      const answer = await execute(id, { entity, action: 'search', params })
      const told = parseJson(await answer.text()) as {
        result?: { hits: { data: Record<string, unknown> }[]; took_ms: number }
        connector_metadata?: { age_seconds: number | null }
        detail?: string
      }
      if (told.result === undefined) throw new Error(`The search of ${entity} failed: ${told.detail}`)
      const records = told.result.hits.map(({ data }) => data)
      return { records, took: told.result.took_ms, age: told.connector_metadata!.age_seconds }
    },
    async download(id, entity, params) {
      const answer = await execute(id, { entity, action: 'download', params })
      if (!answer.ok)
        throw new Error(`The download of ${entity} failed: ${((await answer.json()) as { detail?: string }).detail}`)
      let size = 0
      for await (const chunk of answer.body!) size += chunk.length
      const name = /filename="([^"]*)"/.exec(answer.headers.get('content-disposition') ?? '')
      return { size, type: answer.headers.get('content-type') ?? 'unknown type', name: name?.[1] ?? null }
    },
  }
}
