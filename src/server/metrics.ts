/** Metrics for Prometheus. Labels name routes, kinds and entities of the catalog, and outcomes, never tenants. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Catalog } from '../catalog/catalog.ts'
import type { LimitLoad } from '../engine/limits/limiter.ts'
import type { Measures } from '../service/measures.ts'
import type { SharedOverview } from '../service/shared-overview.ts'
import type { SyncLoad } from '../service/syncs.ts'
import { type MetricName, type MetricType, metricTypes } from './metric-types.ts'

/** What is looked up when Prometheus asks. */
export interface Levels {
  readonly syncs: SyncLoad
  /** By kind. */
  readonly limits: ReadonlyMap<string, LimitLoad>
  readonly shared: SharedOverview | null
}

export interface Metrics extends Measures {
  /** Counts an answered request: the route as declared, and the duration. */
  answered(method: string, route: string, status: number, milliseconds: number): void
  readonly contentType: string
  text(levels: Levels): Promise<string>
}

/** Connectors of a kind that is not loaded count together, so that the catalog bounds the labels. */
const notLoaded = 'unavailable'

export function createMetrics(catalog: Catalog): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const all = Object.fromEntries(
    Object.entries(metricTypes).map(([name, type]) => [name, create(registry, name, type)]),
  ) as { readonly [Name in MetricName]: Created<(typeof metricTypes)[Name]['type']> }
  const gauges = Object.values(all).filter((metric) => metric instanceof Gauge)

  function set({ syncs, limits, shared }: Levels): void {
    // What is gone has no level any more.
    for (const gauge of gauges) gauge.reset()
    all.conex_syncs_running.set(syncs.running)
    all.conex_syncs_waiting.set(syncs.waiting)
    for (const [kind, { waiting, remaining }] of limits) {
      all.conex_limit_waiting_calls.set({ kind }, waiting)
      if (remaining !== null) all.conex_limit_remaining_calls.set({ kind }, remaining)
    }
    if (shared === null || shared.overview === null || shared.readAt === null) return
    const { connectors, copies, deliveries, eventsWaiting } = shared.overview
    all.conex_overview_timestamp_seconds.set(shared.readAt / 1000)
    for (const { kind, status, count } of connectors)
      all.conex_connectors.inc({ kind: Object.hasOwn(catalog, kind) ? kind : notLoaded, status }, count)
    const oldest = new Map<string, number>()
    for (const { kind, entity, status, count, records, oldest: at } of copies) {
      all.conex_copies.inc({ kind, entity, state: status }, count)
      all.conex_copy_records.inc({ kind, entity }, records)
      if (at === null) continue
      const seconds = Math.min(oldest.get(`${kind} ${entity}`) ?? Number.POSITIVE_INFINITY, Date.parse(at) / 1000)
      oldest.set(`${kind} ${entity}`, seconds)
      all.conex_copy_oldest_timestamp_seconds.set({ kind, entity }, seconds)
    }
    for (const status of ['waiting', 'parked'])
      all.conex_webhook_deliveries.set({ status }, deliveries.find((one) => one.status === status)?.count ?? 0)
    all.conex_events_waiting.set(eventsWaiting)
  }

  return {
    answered(method, route, status, milliseconds) {
      all.conex_http_request_duration_seconds.observe({ method, route, status }, milliseconds / 1000)
    },
    synced: (kind, outcome, milliseconds) =>
      all.conex_sync_duration_seconds.observe({ kind, outcome }, milliseconds / 1000),
    renewed: (kind, outcome) => all.conex_token_renewals_total.inc({ kind, outcome }),
    contentType: registry.contentType,
    text(levels) {
      set(levels)
      return registry.metrics()
    },
  }
}

type Created<Type> = Type extends 'histogram' ? Histogram : Type extends 'counter' ? Counter : Gauge

function create(registry: Registry, name: string, { type, help, labels, buckets }: MetricType) {
  const options = { name, help, labelNames: [...labels], registers: [registry] }
  if (type === 'counter') return new Counter(options)
  if (type === 'gauge') return new Gauge(options)
  return new Histogram({ ...options, ...(buckets !== undefined && { buckets: [...buckets] }) })
}
