/** One sync: every entity of a connector's copy, parents before children, each in a pass of its own. */
import type { Connector } from '../catalog/connector.ts'
import type { ConexError } from '../errors.ts'
import type { Log } from '../log.ts'
import type { CopyKey, CopyStore, EntityState } from '../store/copy.ts'
import type { Lease } from '../store/leases.ts'
import type { Tenant } from '../store/tenant.ts'
import { type StreamedEntity, streamedEntities } from './entity-order.ts'
import { fullIsDue } from './mark.ts'
import { syncEntity } from './pass.ts'
import type { Upstream } from './upstream.ts'

/** What a sync is given. */
export interface Run {
  readonly tenant: Tenant
  readonly connectorId: string
  readonly kind: Connector
  /** From when on dated records are copied; null where the kind says it. */
  readonly startDate: string | null
  readonly copies: CopyStore
  readonly lease: Lease
  readonly upstream: Upstream
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Called between pages: throws when the run has to end there, and holds the lease. */
  readonly betweenPages: () => Promise<void>
  readonly log: Log
}

export interface Wanted {
  /** Null for all. */
  readonly entities: readonly string[] | null
  /** Reads everything, also where changes alone would do. */
  readonly full: boolean
}

export const keyOf = ({ connectorId, kind }: Run, entity: string): CopyKey => ({
  connectorId,
  kind: kind.kind,
  entity,
})

/** Runs to the end of the last entity. Throws only what ends the whole run: refused credentials, an exhausted budget, a lost lease, a stop. */
export async function runSync(run: Run, wanted: Wanted): Promise<void> {
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
