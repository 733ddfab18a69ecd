/** One sync: every entity of a connector's copy, parents before children, each in a pass of its own. */
import type { Connector } from '../catalog/connector.ts'
import { ConexError } from '../errors.ts'
import type { EntityState } from '../store/copy.ts'
import { type StreamedEntity, streamedEntities } from './entity-order.ts'
import { syncEntity } from './pass.ts'
import type { SyncContext } from './sync-context.ts'
import { fullIsDue } from './sync-state.ts'

export interface Wanted {
  /** Null for all. */
  readonly entities: readonly string[] | null
  /** Reads everything, even if reading changes would be enough. */
  readonly full: boolean
}

/** The entities that could not be read to their end, in the order in which they were read. */
export type FailedEntities = Map<string, ConexError>

/**
 * Runs to the end of the last entity, and adds to `failed`. Throws if the sync must end: refused credentials, an exhausted
 * budget, a lost lease, a stop.
 */
export async function runSync(context: SyncContext, wanted: Wanted, failed: FailedEntities): Promise<void> {
  const { kind, copies, tenant, connectorId, startDate, now, log } = context
  const before = new Map((await copies.states(tenant, connectorId)).map((state) => [state.entity, state]))
  for (const streamed of wantedEntities(kind, wanted, before)) {
    const { entity, stream, parents } = streamed
    const full = wanted.full || fullIsDue(stream, before.get(entity), startDate, now())
    const error = await syncEntity(context, streamed, full, orphanedBy(failed, entity, parents))
    if (error === null) continue
    failed.set(entity, error)
    const { code, message: detail } = error
    log.warn({ connector_id: connectorId, entity, code, detail }, 'a sync of one entity failed')
    if (meetsEveryEntity.has(code)) throw error
  }
}

/** Failures that would be the same for every other entity. */
const meetsEveryEntity: ReadonlySet<string> = new Set([
  'reauthorization_required',
  'upstream_rate_limited',
  'not_found',
])

/** Why an entity cannot be complete: one of its parents was not read to its end. */
function orphanedBy(failed: FailedEntities, entity: string, parents: readonly string[]) {
  const parent = parents.find((one) => failed.has(one))
  if (parent === undefined) return null
  const { code, message } = failed.get(parent)!
  return new ConexError(code, `Not all ${parent} could be read, so ${entity} may lack what belongs to them: ${message}`)
}

/** The wanted entities, with those parents that were never read. */
function wantedEntities(
  kind: Connector,
  { entities }: Wanted,
  before: ReadonlyMap<string, EntityState>,
): readonly StreamedEntity[] {
  const all = streamedEntities(kind)
  if (entities === null) return all
  const chosen = new Set(entities)
  // From the last to the first, because parents come before their children.
  for (const { entity, parents } of all.toReversed())
    if (chosen.has(entity)) for (const parent of parents) if (before.get(parent)?.syncedAt == null) chosen.add(parent)
  return all.filter(({ entity }) => chosen.has(entity))
}
