/** One sync: every entity of a connector's copy, parents before children, each in a pass of its own. */
import type { Connector } from '../catalog/connector.ts'
import type { ConexError } from '../errors.ts'
import type { EntityState } from '../store/copy.ts'
import { type StreamedEntity, streamedEntities } from './entity-order.ts'
import { syncEntity } from './pass.ts'
import type { SyncContext } from './sync-context.ts'
import { fullIsDue } from './sync-state.ts'

export interface Wanted {
  /** Null for all. */
  readonly entities: readonly string[] | null
  /** Reads everything, also where changes alone would do. */
  readonly full: boolean
}

/** Runs to the end of the last entity. Throws only what ends the whole run: refused credentials, an exhausted budget, a lost lease, a stop. */
export async function runSync(run: SyncContext, wanted: Wanted): Promise<void> {
  const before = new Map((await run.copies.states(run.tenant, run.connectorId)).map((state) => [state.entity, state]))
  const failed = new Map<string, ConexError>()
  for (const { entity, stream, parents } of entitiesFor(run.kind, wanted, before)) {
    const full = wanted.full || fullIsDue(stream, before.get(entity), run)
    const cause = parents.find((parent) => failed.has(parent))
    const orphaned = cause === undefined ? null : { parent: cause, error: failed.get(cause)! }
    const outcome = await syncEntity(run, entity, stream, full, orphaned)
    if (outcome === null) continue
    failed.set(entity, outcome)
    run.log.warn(
      { connector_id: run.connectorId, entity, code: outcome.code, detail: outcome.message },
      'a sync of one entity failed',
    )
    if (endsRun(outcome)) throw outcome
  }
}

/** What would be the same for every other entity. */
const endsRun = ({ code }: ConexError): boolean =>
  code === 'reauthorization_required' || code === 'upstream_rate_limited' || code === 'not_found'

/** The wanted entities, with those parents that have never been read. */
function entitiesFor(
  kind: Connector,
  { entities }: Wanted,
  before: ReadonlyMap<string, EntityState>,
): readonly StreamedEntity[] {
  const all = streamedEntities(kind)
  if (entities === null) return all
  const chosen = new Set(entities)
  // From the last back to the first, since parents stand before their children.
  for (const { entity, parents } of [...all].reverse())
    if (chosen.has(entity)) for (const parent of parents) if (before.get(parent)?.syncedAt == null) chosen.add(parent)
  return all.filter(({ entity }) => chosen.has(entity))
}
