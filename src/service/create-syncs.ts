/** The syncs of hosted mode: when they run, and with whose credentials. */
import type { Clock } from '../engine/settings.ts'
import { ConexError } from '../errors.ts'
import type { StoredConnector } from '../store/connectors.ts'
import { LeaseLost } from '../store/leases.ts'
import type { ScheduledConnector } from '../store/schedule.ts'
import type { Tenant } from '../store/tenant.ts'
import { dueTimes, nextDue } from '../sync/due.ts'
import { streamedEntities } from '../sync/entity-order.ts'
import { holdLease, until } from '../sync/hold-lease.ts'
import { createPurge } from '../sync/purge-copies.ts'
import { runSync, type Wanted } from '../sync/run-sync.ts'
import { createScheduler, type Scheduled } from '../sync/scheduler.ts'
import { createStreamReader } from '../sync/stream-reader.ts'
import { type RunView, type Signals, type SyncRequest, SyncRuns, SyncStopped } from '../sync/sync-queue.ts'
import { callConnector } from './call-connector.ts'
import { kindOfConnector } from './kind-of-connector.ts'
import { newId } from './new-id.ts'
import type { Service } from './service.ts'
import type { Syncs } from './syncs.ts'

export interface SyncsOptions {
  readonly atOnce: number
  /** A node that is silent for so long leaves its syncs to the others. */
  readonly leaseMs: number
  readonly clock: Clock
  /** False for programs that say themselves when to sync. */
  readonly scheduled: boolean
}

const lookEveryMs = 5_000
const heldOffMs = 300_000
const connectorsAtOnce = 200

const everything: Wanted = { entities: null, full: false }

const tenantOf = ({
  organizationId,
  externalUserId,
}: Pick<StoredConnector, 'organizationId' | 'externalUserId'>): Tenant => ({
  organizationId,
  externalUserId,
})

export function createSyncs(
  service: Omit<Service, 'syncs'>,
  { atOnce, leaseMs, clock, scheduled }: SyncsOptions,
): Syncs {
  const { store, log } = service
  const now = service.now
  const runs = new SyncRuns({ atOnce, now, newId: () => newId(now()), perform })
  /** Syncs that broke for a reason of our own are not begun again at once. */
  const heldOff = new Map<string, number>()
  const everyMs = Math.min(lookEveryMs, leaseMs)
  const scheduler = scheduled ? createScheduler({ connectors, now, everyMs, log }) : null
  const purge = scheduled ? createPurge({ copies: store.copies, now, everyMs, log }) : null

  async function perform(request: SyncRequest, id: string, signals: Signals): Promise<void> {
    const { connectorId, externalUserId } = request
    try {
      await sync(request, id, signals)
    } catch (error) {
      if (error instanceof SyncStopped || signals.stop.aborted) return
      if (error instanceof LeaseLost) {
        log.info({ connector_id: connectorId, run_id: id }, 'a sync was lost to another node, or with its connector')
        return
      }
      heldOff.set(connectorId, now() + heldOffMs)
      const known = error instanceof ConexError
      const told = {
        connector_id: connectorId,
        external_user_id: externalUserId,
        code: known ? error.code : 'internal',
      }
      if (known) log.warn({ ...told, detail: error.message }, 'a sync ended early')
      else log.error({ ...told, reason: String((error as Error).stack ?? error) }, 'a sync failed')
    }
  }

  async function sync(request: SyncRequest, id: string, { stop, cut }: Signals): Promise<void> {
    const tenant = tenantOf(request)
    const lease = await store.leases.take(tenant, request.connectorId, id, iso(now()), until(now(), leaseMs))
    if (lease === null) return
    const held = holdLease(store.leases, lease, leaseMs, now)
    try {
      const found = await store.connectors.findWithCredentials(tenant, request.connectorId)
      if (found === null || !found.connector.sync.enabled) return
      const wanted = request.due ? await dueNow(found.connector) : request
      if (wanted === null) return
      const kind = kindOfConnector(service, found.connector)
      log.info({ connector_id: request.connectorId, run_id: id }, 'a sync begins')
      // The operation is named by each page itself.
      await callConnector(service, tenant, found, { entity: '', action: 'list', signal: cut }, (call) =>
        runSync(
          {
            tenant,
            connectorId: request.connectorId,
            kind,
            startDate: found.connector.sync.startDate ?? null,
            copies: store.copies,
            lease,
            reader: createStreamReader(service.engine, call, { clock, stop }),
            now,
            async betweenPages() {
              stop.throwIfAborted()
              await held.check()
            },
            log,
          },
          wanted,
        ),
      )
      log.info({ connector_id: request.connectorId, run_id: id }, 'a sync ended')
    } finally {
      await held.release()
    }
  }

  /** Every connector of every organization that may be due. */
  async function* connectors(): AsyncGenerator<Scheduled> {
    for (let after: string | null = ''; after !== null; ) {
      const page: readonly ScheduledConnector[] = await store.schedule.page(
        connectorsAtOnce,
        after,
        iso(now()),
        until(now(), leaseMs),
      )
      for (const connector of page) if (runs.find(connector.id) === null) yield scheduledOf(connector)
      after = page.length < connectorsAtOnce ? null : page.at(-1)!.id
    }
  }

  function scheduledOf(connector: ScheduledConnector): Scheduled {
    const first = nextDue(connector, connector.entities, entitiesOf(connector), now())
    return {
      dueAt: first === null ? null : Math.max(first, heldOffUntil(connector.id)),
      start() {
        heldOff.delete(connector.id)
        runs.request(requestFor(connector, everything, true))
      },
    }
  }

  /** A moment further ahead than any is held off was told by a clock that was ahead. */
  function heldOffUntil(connectorId: string): number {
    const until = heldOff.get(connectorId) ?? 0
    return until > now() + heldOffMs ? 0 : until
  }

  /** What is due of a connector, together with what almost is; null when nothing is. */
  async function dueNow(connector: StoredConnector): Promise<Wanted | null> {
    const states = await store.copies.states(tenantOf(connector), connector.id)
    const due = [...dueTimes(connector, states, entitiesOf(connector), now())]
    if (!due.some(([, at]) => at <= now())) return null
    const soon = now() + connector.sync.intervalSeconds * 100
    return { entities: due.filter(([, at]) => at <= soon).map(([entity]) => entity), full: false }
  }

  function entitiesOf(connector: Pick<StoredConnector, 'connectorType'>): readonly string[] {
    const kind = Object.hasOwn(service.catalog, connector.connectorType)
      ? service.catalog[connector.connectorType]
      : null
    return kind == null ? [] : streamedEntities(kind).map(({ entity }) => entity)
  }

  async function elsewhere(connector: StoredConnector): Promise<RunView | null> {
    const id = await store.leases.holder(tenantOf(connector), connector.id, iso(now()), until(now(), leaseMs))
    return id === null ? null : { id, status: 'running', startedAt: iso(timeOfId(id)) }
  }

  return {
    async start(connector, wanted = everything) {
      const here = runs.find(connector.id)
      if (here !== null) return here
      return (await elsewhere(connector)) ?? runs.request(requestFor(connector, wanted))
    },
    running: async (connector) => runs.find(connector.id) ?? (await elsewhere(connector)),
    async end(connectorId) {
      heldOff.delete(connectorId)
      await runs.end(connectorId)
    },
    endAllOf: (owner) => runs.endAllOf(owner),
    async look() {
      await scheduler?.once()
      await purge?.once()
    },
    settled: () => runs.settled(),
    async close(graceMs) {
      await Promise.all([scheduler?.close(), purge?.close()])
      await runs.close(graceMs)
    },
  }
}

const requestFor = (
  connector: Pick<StoredConnector, 'id' | 'organizationId' | 'externalUserId'>,
  wanted: Wanted,
  due = false,
): SyncRequest => {
  const { id: connectorId, organizationId, externalUserId } = connector
  return { organizationId, externalUserId, connectorId, due, ...wanted }
}

const iso = (moment: number): string => new Date(moment).toISOString()

/** Ids of runs begin with their time (RFC 9562, version 7). */
const timeOfId = (id: string): number => Number.parseInt(id.replace('-', '').slice(0, 12), 16)
