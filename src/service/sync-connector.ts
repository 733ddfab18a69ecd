/** Starts a sync of a connector, and reports the state of its copy. */
import Type, { type Static } from 'typebox'
import { decode, invalidRequest } from '../catalog/decode.ts'
import { didYouMean } from '../catalog/did-you-mean.ts'
import { arrayOf, boolean, optional, text } from '../catalog/fields.ts'
import { ConexError } from '../errors.ts'
import type { StoredConnector } from '../store/connectors.ts'
import type { EntityState } from '../store/copy.ts'
import type { Tenant } from '../store/tenant.ts'
import { nextDue } from '../sync/due.ts'
import { streamedEntities } from '../sync/entity-order.ts'
import { readSyncState } from '../sync/sync-state.ts'
import type { EntitySync, RunRecord, SyncRecord } from '../wire.ts'
import { credentialSource } from './credential-source.ts'
import { connectorToCall } from './get-connector.ts'
import { isCopied, kindOfConnector } from './kind-of-connector.ts'
import type { Service } from './service.ts'
import type { StartedSync } from './syncs.ts'

export const syncRequest = Type.Object(
  {
    entities: optional(arrayOf(text(), 'Only these entities; all by default.')),
    full: optional(boolean('Reads everything, even if reading only changes would be enough.')),
  },
  { additionalProperties: false },
)

const runRecord = ({ id, startedAt }: StartedSync): RunRecord => ({
  id,
  status: startedAt === null ? 'queued' : 'running',
  started_at: startedAt,
})

/** No kind has this many entities, and each unknown name is compared with all of them. */
const mostEntities = 100

/** Starts a sync now. If one of this connector is waiting or running, returns that one. */
export async function startSync(
  service: Service,
  tenant: Tenant,
  id: string,
  body: unknown,
): Promise<{ readonly run: RunRecord }> {
  const { connector } = await connectorToCall(service, tenant, id)
  const asked: Static<typeof syncRequest> = decode(syncRequest, body === undefined ? {} : body)
  const entities = asked.entities ?? null
  const kind = kindOfConnector(service, connector)
  const known = streamedEntities(kind).map(({ entity }) => entity)
  if (known.length === 0)
    throw new ConexError('search_unavailable', `No copy is kept of ${kind.title}, so that there is nothing to sync.`)
  if (entities !== null && entities.length > mostEntities)
    throw invalidRequest([{ path: '/entities', message: `has more than ${mostEntities} names` }])
  const unknown = (entities ?? []).map((entity, at) => ({ entity, at })).filter(({ entity }) => !known.includes(entity))
  if (unknown.length > 0)
    throw invalidRequest(
      unknown.map(({ entity, at }) => ({
        path: `/entities/${at}`,
        message: `is not an entity with a copy${didYouMean(entity, known) || `; they are ${known.join(', ')}`}`,
      })),
    )
  if (!connector.sync.enabled)
    throw new ConexError(
      'search_unavailable',
      'This connector keeps no copy; switch its sync on first (PATCH with {"sync": {"enabled": true}}).',
    )
  return { run: runRecord(await service.syncs.start(connector, { entities, full: asked.full === true })) }
}

export async function getSync(service: Service, tenant: Tenant, id: string): Promise<SyncRecord> {
  const found = await connectorToCall(service, tenant, id)
  const { connector } = found
  const kind = kindOfConnector(service, connector)
  const states = new Map((await service.store.copies.states(tenant, connector.id)).map((one) => [one.entity, one]))
  const run = await service.syncs.running(connector)
  const source = credentialSource(service, tenant, kind, connector, found.credentials)
  const budget = await service.engine.budget({
    connector: kind,
    baseUrl: service.settings.baseUrls[kind.kind],
    // Reading the state must not renew credentials.
    credentials: { current: source.stored, renew: async () => null },
  })
  const names = streamedEntities(kind).map(({ entity }) => entity)
  const entities = names.map((entity) => entitySync(entity, connector, states.get(entity), run !== null, service.now()))
  return {
    enabled: isCopied(service, connector),
    interval_seconds: connector.sync.intervalSeconds,
    run: run === null ? null : runRecord(run),
    next_due_at: dueAt(connector, [...states.values()], names, service.now()),
    budget: budget && { remaining: budget.remaining, resets_at: new Date(budget.resetsAt).toISOString() },
    entities,
  }
}

const dueAt = (...about: Parameters<typeof nextDue>): string | null => {
  const due = nextDue(...about)
  return due === null ? null : new Date(due).toISOString()
}

function entitySync(
  entity: string,
  connector: StoredConnector,
  state: EntityState | undefined,
  running: boolean,
  now: number,
): EntitySync {
  // Searches use the previous version's copy until this version's copy is whole.
  const found = state?.answering ?? state
  const { skipped, warnings } = readSyncState(found?.mark)
  const progress = state?.progress ?? null
  return {
    entity,
    // The next sync continues an interrupted pass.
    status: state === undefined || (state.status === 'running' && !running) ? 'waiting' : state.status,
    records: found?.records ?? 0,
    complete: found?.complete ?? false,
    synced_at: found?.syncedAt ?? null,
    last_finished_at: found?.finishedAt ?? null,
    next_due_at: dueAt(connector, state === undefined ? [] : [state], [entity], now),
    progress: progress && {
      records: progress.records,
      total: progress.total,
      parts_done: progress.partsDone,
      parts: progress.parts,
    },
    last_error: state?.lastError ?? null,
    skipped: skipped.map(({ parent, from = null, to = null, code, detail }) => ({ parent, from, to, code, detail })),
    warnings: [...warnings],
  }
}
