/** Answers SQL over the copies of one connector. */
import type { Static } from 'typebox'
import { checkOf } from '../catalog/check.ts'
import { sqlParams, usualRows } from '../catalog/sql-params.ts'
import { asSentence, ConexError } from '../errors.ts'
import type { StoredConnector } from '../store/connectors.ts'
import type { SearchedState } from '../store/copy.ts'
import type { Tenant } from '../store/tenant.ts'
import { kindOfConnector } from './kind-of-connector.ts'
import { nothingToSearch } from './nothing-to-search.ts'
import { metadataOf, requireCopy } from './search.ts'
import type { Service } from './service.ts'

/** The whole answer as JSON. The rows stay as the store wrote them. */
export async function selectFromCopies(
  service: Service,
  tenant: Tenant,
  connector: StoredConnector,
  { params, signal }: { readonly params: unknown; readonly signal: AbortSignal },
): Promise<string | Buffer> {
  const { kind, title, entities } = kindOfConnector(service, connector)
  const { sql, limit = usualRows } = paramsOf(params)
  if (!Object.values(entities).some(({ sync }) => sync !== undefined))
    throw new ConexError('search_unavailable', `No copy is kept of ${title}; use list and get.`)
  requireCopy(connector)
  const start = performance.now()
  const copies = { connectorId: connector.id, kind }
  const { rows, hasMore, read } = await service.store.copies.select(tenant, copies, { sql, limit }, signal)
  const took = Math.round(performance.now() - start)
  for (const [entity, state] of Object.entries(read))
    if (state.syncedAt === null && state.records === 0) throw await nothingToSearch(service, tenant, connector, entity)
  const states = Object.values(read)
  const metadata = states.length === 0 ? {} : metadataOf(service, connector, leastOf(states))
  const before = '{"result":{"data":['
  const behind = `],"meta":{"has_more":${hasMore},"took_ms":${took}}},"connector_metadata":${JSON.stringify(metadata)}}`
  return typeof rows === 'string'
    ? before + rows + behind
    : Buffer.concat([Buffer.from(before), rows, Buffer.from(behind)])
}

function paramsOf(params: unknown): Static<typeof sqlParams> {
  const given = params ?? {}
  const issues = checkOf(sqlParams, '/params')(given)
  const [first] = issues
  if (first === undefined) return given as Static<typeof sqlParams>
  throw new ConexError('invalid_params', asSentence(`The params do not fit sql: ${first.path} ${first.message}`), {
    issues,
  })
}

/** The state of several copies together: as old as the oldest, and complete if all are. */
function leastOf(states: readonly SearchedState[]): SearchedState {
  const times = states.map(({ syncedAt }) => syncedAt)
  return {
    records: states.reduce((sum, { records }) => sum + records, 0),
    syncedAt: times.includes(null) ? null : (times.sort()[0] ?? null),
    complete: states.every(({ complete }) => complete),
    lastError: states.find(({ lastError }) => lastError !== null)?.lastError ?? null,
  }
}
