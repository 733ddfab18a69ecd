/** The syncs of hosted mode: when they run, and with which credentials. */
import { setImmediate as otherWork } from 'node:timers/promises'
import type { Clock } from '../engine/settings.ts'
import { ConexError, type ErrorCode } from '../errors.ts'
import { periodicTask } from '../periodic-task.ts'
import type { StoredConnector } from '../store/connectors.ts'
import type { NewEvent } from '../store/events.ts'
import { LeaseLost } from '../store/leases.ts'
import type { ScheduledConnector } from '../store/schedule.ts'
import type { Tenant } from '../store/tenant.ts'
import { dueTimes, nextDue } from '../sync/due.ts'
import { streamedEntities } from '../sync/entity-order.ts'
import { holdLease, until } from '../sync/hold-lease.ts'
import { type FailedEntities, runSync, type Wanted } from '../sync/run-sync.ts'
import { createStreamReader } from '../sync/stream-reader.ts'
import { SyncQueue, type SyncRun, SyncStopped } from '../sync/sync-queue.ts'
import { callConnector } from './call-connector.ts'
import { kindOfConnector } from './kind-of-connector.ts'
import type { SyncOutcome } from './measures.ts'
import { newId } from './new-id.ts'
import type { Service } from './service.ts'
import type { StartedSync, Syncs } from './syncs.ts'

export interface SyncsOptions {
  readonly atOnce: number
  /** If a node is silent for this long, other nodes take over its syncs. */
  readonly leaseMs: number
  readonly clock: Clock
  /** False if syncs run only on request. */
  readonly scheduled: boolean
}

const lookEveryMs = 5_000
const connectorsAtOnce = 200
/** How long a connector waits after a sync that ended early. */
const heldOffMs = 300_000
/** Few records at a time, so that others can write in between. */
const purgedAtOnce = 200

const everything: Wanted = { entities: null, full: false }

export function createSyncs(
  service: Omit<Service, 'syncs'>,
  { atOnce, leaseMs, clock, scheduled }: SyncsOptions,
): Syncs {
  const { store, log, now, measures } = service
  const queue = new SyncQueue(perform, atOnce, now)
  /** Connectors that wait after a sync that ended early, and until when. */
  const heldOff = new Map<string, number>()
  const everyMs = Math.min(lookEveryMs, leaseMs)
  const repeated = (work: (closing: AbortSignal) => Promise<void>, failure: string) =>
    periodicTask(work, everyMs, (error) => log.error({ reason: String(error) }, failure))
  const tasks = scheduled
    ? [
        repeated(startDue, 'the schedule could not be read'),
        // Separate from the schedule, because a large copy takes minutes.
        repeated(purge, 'the rest of removed copies could not be deleted'),
      ]
    : []

  async function perform(run: SyncRun): Promise<void> {
    const { id, externalUserId } = run
    const { connectorId } = run.request
    try {
      await sync(run)
    } catch (error) {
      if (isStop(error, run)) return
      if (error instanceof LeaseLost) {
        log.info({ connector_id: connectorId, run_id: id }, 'a sync was lost to another node, or with its connector')
        return
      }
      heldOff.set(connectorId, now() + heldOffMs)
      const code = codeOf(error)
      const about = { connector_id: connectorId, external_user_id: externalUserId, code }
      if (error instanceof ConexError) log.warn({ ...about, detail: error.message }, 'a sync ended early')
      else log.error({ ...about, reason: String((error as Error).stack ?? error) }, 'a sync failed')
    }
  }

  async function sync(run: SyncRun): Promise<void> {
    const { id, request, ...signals } = run
    const { connectorId } = request
    const [stop, cut] = [signals.stop.signal, signals.cut.signal]
    const tenant = tenantOf(request)
    const lease = await store.leases.take(tenant, connectorId, id, iso(now()), until(now(), leaseMs))
    if (lease === null) return
    const held = holdLease(store.leases, lease, leaseMs, now)
    const tell = (event: NewEvent) => store.leases.tell(tenant, lease, event)
    try {
      const found = await store.connectors.findWithCredentials(tenant, connectorId)
      if (found === null || !found.connector.sync.enabled) return
      const wanted = request.due ? await dueNow(found.connector) : request
      if (wanted === null) return
      const begun = performance.now()
      const kind = kindOfConnector(service, found.connector)
      const names = { connector_id: connectorId, run_id: id, kind: kind.kind, external_user_id: run.externalUserId }
      log.info(names, 'a sync starts')
      let records = 0
      const copies: typeof store.copies = {
        ...store.copies,
        async commit(...page) {
          const committed = await store.copies.commit(...page)
          records += page[3].records.length
          return committed
        },
      }
      const ended = (outcome: SyncOutcome): void => {
        const duration = performance.now() - begun
        measures.synced(kind.kind, outcome, duration)
        log.info({ ...names, outcome, records, duration_ms: Math.round(duration) }, 'a sync ended')
      }
      const settings = found.connector.replicationConfig ?? {}
      // A kind with a setting for it begins its copy there, unless the connector's sync says otherwise.
      const wantedStart = found.connector.sync.startDate ?? settings.start_date
      const startDate = typeof wantedStart === 'string' ? wantedStart : null
      const about = { tenant, connectorId, kind, startDate, settings }
      const betweenPages = async () => {
        stop.throwIfAborted()
        await held.check()
      }
      const { entities, full } = wanted
      await tell({
        type: 'sync.started',
        at: iso(now()),
        details: { run_id: id, entities: entities && [...entities], full },
      })
      const failed: FailedEntities = new Map()
      try {
        await callConnector(service, tenant, found, (target) => {
          const reader = createStreamReader(service.engine, { ...target, signal: cut }, { clock, stop })
          const context = { ...about, copies, lease, reader, now, betweenPages, log }
          return runSync(context, wanted, failed)
        })
      } catch (error) {
        ended(isStop(error, run) ? 'stopped' : error instanceof LeaseLost ? 'lost' : 'failed')
        if (!isStop(error, run) && !(error instanceof LeaseLost)) await tell(failure(id, codeOf(error), failed))
        throw error
      }
      const [first] = failed.values()
      await tell(
        first === undefined
          ? { type: 'sync.finished', at: iso(now()), details: { run_id: id } }
          : failure(id, first.code, failed),
      )
      ended(first === undefined ? 'finished' : 'failed')
    } finally {
      await held.release()
    }
  }

  function failure(id: string, code: ErrorCode, failed: FailedEntities): NewEvent {
    const entities = Array.from(failed, ([entity, error]) => ({ entity, code: error.code }))
    return { type: 'sync.failed', at: iso(now()), details: { run_id: id, code, failed: entities } }
  }

  /** Starts the due syncs of all organizations, the longest overdue first. */
  async function startDue(closing: AbortSignal): Promise<void> {
    const due: { readonly at: number; readonly connector: ScheduledConnector }[] = []
    for (let after: string | null = ''; after !== null && !closing.aborted; ) {
      const page: readonly ScheduledConnector[] = await store.schedule.page(
        connectorsAtOnce,
        after,
        iso(now()),
        until(now(), leaseMs),
      )
      for (const connector of page) {
        const at = nextDue(connector, connector.entities, entitiesOf(connector), now())
        const notBefore = Math.max(at ?? Number.POSITIVE_INFINITY, heldOffUntil(connector.id))
        if (at !== null && notBefore <= now() && queue.find(connector.id) === undefined) due.push({ at, connector })
      }
      after = page.length < connectorsAtOnce ? null : page.at(-1)!.id
    }
    if (closing.aborted) return
    for (const { connector } of due.sort((one, other) => one.at - other.at)) {
      heldOff.delete(connector.id)
      request(connector, everything, true)
    }
  }

  /** Deletes the rest of copies that were removed, or replaced by copies of a newer version. */
  async function purge(closing: AbortSignal): Promise<void> {
    await store.copies.retire(iso(now()))
    while (!closing.aborted && (await store.copies.purge(purgedAtOnce)) > 0) await otherWork()
  }

  /** A moment further ahead than `heldOffMs` comes from a clock that was ahead, and is ignored. */
  function heldOffUntil(connectorId: string): number {
    const until = heldOff.get(connectorId) ?? 0
    return until > now() + heldOffMs ? 0 : until
  }

  /** The entities of a connector that are due or almost due; null if none is due. */
  async function dueNow(connector: StoredConnector): Promise<Wanted | null> {
    const states = await store.copies.states(tenantOf(connector), connector.id)
    const due = [...dueTimes(connector, states, entitiesOf(connector), now())]
    if (!due.some(([, at]) => at <= now())) return null
    const soon = now() + connector.sync.intervalSeconds * 100
    return { entities: due.filter(([, at]) => at <= soon).map(([entity]) => entity), full: false }
  }

  function entitiesOf({ connectorType }: Pick<StoredConnector, 'connectorType'>): readonly string[] {
    const kind = Object.hasOwn(service.catalog, connectorType) ? service.catalog[connectorType] : undefined
    return kind === undefined ? [] : streamedEntities(kind).map(({ entity }) => entity)
  }

  function request(connector: Owned & { readonly id: string }, wanted: Wanted, due = false): SyncRun {
    const { id: connectorId, organizationId, externalUserId } = connector
    return queue.request(newId(now()), { ...wanted, organizationId, externalUserId, connectorId, due })
  }

  async function elsewhere(connector: StoredConnector): Promise<StartedSync | null> {
    const id = await store.leases.holder(tenantOf(connector), connector.id, iso(now()), until(now(), leaseMs))
    return id === null ? null : { id, startedAt: iso(timeOfId(id)) }
  }

  /** The present state: the run itself continues. */
  async function running(connector: StoredConnector): Promise<StartedSync | null> {
    const here = queue.find(connector.id)
    return here === undefined ? elsewhere(connector) : { id: here.id, startedAt: here.startedAt }
  }

  return {
    start: async (connector, wanted = everything) => (await running(connector)) ?? request(connector, wanted),
    running,
    async end(connectorId) {
      heldOff.delete(connectorId)
      await queue.end(connectorId)
    },
    endAllOf: (owner) => queue.endAllOf(owner),
    async look() {
      for (const task of tasks) await task.once()
    },
    settled: () => queue.settled(),
    load: () => queue.load,
    async close(graceMs) {
      await Promise.all(tasks.map((task) => task.close()))
      await queue.close(graceMs)
    },
  }
}

const codeOf = (error: unknown): ErrorCode => (error instanceof ConexError ? error.code : 'internal')

/** Whether a sync ended because it was asked to; the next one continues it. */
const isStop = (error: unknown, { stop }: SyncRun): boolean => error instanceof SyncStopped || stop.signal.aborted

type Owned = Pick<StoredConnector, 'organizationId' | 'externalUserId'>

const tenantOf = ({ organizationId, externalUserId }: Owned): Tenant => ({ organizationId, externalUserId })

const iso = (moment: number): string => new Date(moment).toISOString()

/** Run ids begin with their time (RFC 9562, version 7). */
const timeOfId = (id: string): number => Number.parseInt(id.replace('-', '').slice(0, 12), 16)
