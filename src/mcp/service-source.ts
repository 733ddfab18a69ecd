/** The service as a source, within what one caller may see. */
import type { Download } from '../client/mode.ts'
import { webStream } from '../client/web-stream.ts'
import { ConexError } from '../errors.ts'
import { parseJson } from '../json.ts'
import { connectorType } from '../service/connector-types.ts'
import { type Executed, execute } from '../service/execute.ts'
import { getConnector } from '../service/get-connector.ts'
import { listConnectors } from '../service/list-connectors.ts'
import type { Service } from '../service/service.ts'
import type { Answer, Source } from '../tools/source.ts'

export interface ServiceCaller {
  readonly service: Service
  readonly tenant: Parameters<typeof execute>[1]
  /** Learns how much memory an answer takes. */
  readonly onHeld: NonNullable<Parameters<typeof execute>[5]>
  /** Told when the caller asked for a connector that it may not see. */
  readonly onDenied: () => void
  readonly link: Source['link']
  readonly signInLink: Source['signInLink']
}

export function serviceSource({ service, tenant, onHeld, onDenied, ...links }: ServiceCaller): Source {
  const run = (id: string, { entity, action, params, fields }: Parameters<Source['execute']>[1], signal: AbortSignal) =>
    execute(service, tenant, id, { entity, action, params, ...fields }, signal, onHeld)

  return {
    async connectors(query) {
      return listConnectors(service, tenant, query)
    },
    async connector(id) {
      try {
        return await getConnector(service, tenant, id)
      } catch (error) {
        if (error instanceof ConexError && error.code === 'not_found') onDenied()
        throw error
      }
    },
    kinds: async () => Object.keys(service.catalog),
    type: async (kind) => connectorType(service, kind),
    execute: async ({ id }, operation, signal) => answerOf(await run(id, operation, signal)),
    download: async ({ id }, operation, signal) => downloadOf(await run(id, operation, signal)),
    ...links,
  }
}

function answerOf(executed: Executed): Answer {
  if (executed.kind === 'answer') return executed.answer
  if (executed.kind === 'json') return parseJson(String(executed.json)) as Answer
  executed.download.body.destroy()
  throw new ConexError('unknown_action', 'A download gives a file, not records; call get_file instead.')
}

function downloadOf(executed: Executed): Download {
  if (executed.kind !== 'download')
    throw new ConexError('unknown_action', 'This action gives records, not a file; call execute instead.')
  const { status, headers, body } = executed.download
  return new Response(webStream(body), { status, headers }) as Download
}
