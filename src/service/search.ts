/** Answers a search from the copy of a connector. */
import { ConexError } from '../errors.ts'
import { parseQuery } from '../search/parse-query.ts'
import type { StoredConnector } from '../store/connectors.ts'
import type { SearchedState } from '../store/copy.ts'
import type { Tenant } from '../store/tenant.ts'
import type { SearchMetadata } from '../wire.ts'
import { kindOfConnector } from './kind-of-connector.ts'
import { nothingToSearch } from './nothing-to-search.ts'
import type { Service } from './service.ts'

/** The whole answer as JSON. The hits stay as the store wrote them. */
export async function searchCopy(
  service: Service,
  tenant: Tenant,
  connector: StoredConnector,
  { entity, params, signal }: { readonly entity: string; readonly params: unknown; readonly signal: AbortSignal },
): Promise<string | Buffer> {
  const kind = kindOfConnector(service, connector)
  const { searchable, sync } = kind.entities[entity]!
  if (sync === undefined)
    throw new ConexError('search_unavailable', `No copy is kept of ${entity} of ${kind.title}; use list and get.`)
  const query = parseQuery(searchable!, params ?? {})
  requireCopy(connector)
  const start = performance.now()
  const copy = { connectorId: connector.id, kind: kind.kind, entity }
  const { hits, nextCursor, state } = await service.store.copies.search(tenant, copy, query, signal)
  const took = Math.round(performance.now() - start)
  if (state.syncedAt === null && state.records === 0) throw await nothingToSearch(service, tenant, connector, entity)
  const metadata = JSON.stringify(metadataOf(service, connector, state))
  const before = '{"result":{"hits":['
  const behind = `],"next_cursor":${JSON.stringify(nextCursor)},"took_ms":${took}},"connector_metadata":${metadata}}`
  return typeof hits === 'string'
    ? before + hits + behind
    : Buffer.concat([Buffer.from(before), hits, Buffer.from(behind)])
}

/** Refuses to search what the connector does not copy. */
export function requireCopy({ sync }: StoredConnector): void {
  if (sync.enabled) return
  throw new ConexError(
    'search_unavailable',
    'This connector keeps no copy to search; switch its sync on (PATCH with {"sync": {"enabled": true}}), or use list and get.',
  )
}

/** The age and completeness of the copy. */
export function metadataOf(
  service: Service,
  { status }: StoredConnector,
  { syncedAt, complete, lastError }: SearchedState,
): SearchMetadata {
  return {
    synced_at: syncedAt,
    age_seconds: syncedAt === null ? null : Math.max(0, Math.floor((service.now() - Date.parse(syncedAt)) / 1000)),
    complete,
    status,
    last_error: lastError && { code: lastError.code, detail: lastError.detail },
  }
}
