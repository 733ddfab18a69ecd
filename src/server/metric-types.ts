/** Every metric of Conex: its type, meaning and labels. The registry and the documentation come from this table. */

export interface MetricType {
  readonly type: 'histogram' | 'counter' | 'gauge'
  readonly help: string
  readonly labels: readonly string[]
  /** The upper bounds of a histogram, in seconds. */
  readonly buckets?: readonly number[]
  /** Whether every node tells the same, so that queries take the maximum and not the sum. */
  readonly shared?: true
}

export const metricTypes = {
  conex_http_request_duration_seconds: {
    type: 'histogram',
    help: 'Time from the head of a request to the end of its answer.',
    labels: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
  },
  conex_sync_duration_seconds: {
    type: 'histogram',
    help: 'Time of a sync. Outcomes: finished, failed, stopped (it continues later), lost (to another node, or with its connector).',
    labels: ['kind', 'outcome'],
    buckets: [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600, 14_400],
  },
  conex_token_renewals_total: {
    type: 'counter',
    help: 'Renewals of tokens. Outcomes: renewed, refused (the grant has ended), failed.',
    labels: ['kind', 'outcome'],
  },
  conex_syncs_running: { type: 'gauge', help: 'Syncs that run on this node.', labels: [] },
  conex_syncs_waiting: { type: 'gauge', help: 'Due syncs that wait on this node for their turn.', labels: [] },
  conex_limit_waiting_calls: {
    type: 'gauge',
    help: 'Calls on this node that wait for the limits of a system.',
    labels: ['kind'],
  },
  conex_limit_remaining_calls: {
    type: 'gauge',
    help: 'The fewest calls left to a set of credentials that this node has used, in the longest window of its system.',
    labels: ['kind'],
  },
  conex_connectors: { type: 'gauge', help: 'Connectors.', labels: ['kind', 'status'], shared: true },
  conex_copies: {
    type: 'gauge',
    help: 'Copies of entities of active connectors, by the state of their last sync.',
    labels: ['kind', 'entity', 'state'],
    shared: true,
  },
  conex_copy_records: { type: 'gauge', help: 'Records in these copies.', labels: ['kind', 'entity'], shared: true },
  conex_copy_oldest_timestamp_seconds: {
    type: 'gauge',
    help: 'The time up to which the oldest of these copies is complete.',
    labels: ['kind', 'entity'],
    shared: true,
  },
  conex_webhook_deliveries: {
    type: 'gauge',
    help: 'Deliveries to webhooks that wait, or that were given up and parked.',
    labels: ['status'],
    shared: true,
  },
  conex_events_waiting: {
    type: 'gauge',
    help: 'Events that are not yet deliveries, summed over active webhooks.',
    labels: [],
    shared: true,
  },
  conex_overview_timestamp_seconds: {
    type: 'gauge',
    help: 'When a node last read the shared counts from the database.',
    labels: [],
    shared: true,
  },
} as const satisfies Readonly<Record<string, MetricType>>

export type MetricName = keyof typeof metricTypes
