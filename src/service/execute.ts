/** Runs one operation on a stored connector. */
import Type from 'typebox'
import { findAction } from '../catalog/catalog.ts'
import { optional, text } from '../catalog/fields.ts'
import type { Answer, Download } from '../engine/call.ts'
import type { Tenant } from '../store/store.ts'
import { callConnector } from './call-connector.ts'
import { decode } from './decode.ts'
import { connectorToCall } from './get-connector.ts'
import { kindOfConnector } from './kind-of-connector.ts'
import { searchCopy } from './search.ts'
import type { Service } from './service.ts'

export const execution = Type.Object(
  {
    entity: text('What to read, for example "tasks".'),
    action: text('list, get, search or download.'),
    params: optional(Type.Unknown({ description: 'The params of the operation; may be left out when it needs none.' })),
  },
  { additionalProperties: false },
)

export type Executed =
  | { readonly kind: 'answer'; readonly answer: Answer }
  /** An answer that is JSON already, as text or as its bytes. */
  | { readonly kind: 'json'; readonly json: string | Buffer }
  | { readonly kind: 'download'; readonly download: Download }

/** The answer of a list, a get or a search, or a download on its way. The signal ends the call when the caller has gone. */
export async function execute(
  service: Service,
  tenant: Tenant,
  id: string,
  body: unknown,
  signal: AbortSignal,
): Promise<Executed> {
  const { entity, action, params } = decode(execution, body)
  const found = await connectorToCall(service, tenant, id)
  const operation = { entity, action, params, signal }
  switch (findAction(kindOfConnector(service, found.connector), entity, action)) {
    case 'search':
      return { kind: 'json', json: await searchCopy(service, tenant, found.connector, operation) }
    case 'download': {
      const download = await callConnector(service, tenant, found, operation, service.engine.download)
      return { kind: 'download', download }
    }
    default: {
      const answer = await callConnector(service, tenant, found, operation, service.engine.execute)
      return { kind: 'answer', answer }
    }
  }
}
