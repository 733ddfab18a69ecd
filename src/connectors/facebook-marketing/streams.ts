/** How Conex fills the copies of the nodes below ad accounts. */
import {
  date,
  days,
  get,
  hours,
  identifiedBy,
  type Listing,
  type ListOperation,
  list,
  minutes,
  type Parents,
  type Selection,
  type Stream,
  type TSchema,
  text,
  type Windows,
} from '../../kit/connector.ts'
import { accountId, nodeId, pagesDownTo, select } from './fields.ts'

type RecordFields = Readonly<Record<string, TSchema>>

/** The searchable fields of a record; Conex asks for no others. */
const only = (record: RecordFields, searchable: object): Record<string, TSchema> =>
  Object.fromEntries(Object.keys(searchable).map((field) => [field, record[field]!]))

/** Once for each ad account of the credentials; the copy of accounts has their ids with the prefix act_. */
const overAccounts: Parents = {
  entity: 'ad_accounts',
  params: ({ id }) => [{ account_id: bare(id) }],
  children: ({ id }) => ({ eq: { account_id: bare(id) } }),
}

const bare = (id: string): string => id.replace(/^act_/, '')

interface Edge {
  /** The last step of the list's path. */
  readonly edge: string
  readonly record: RecordFields
  readonly searchable: object
  /** The first page size to try. */
  readonly limit?: number
  readonly selection?: Partial<Selection>
  readonly reshape?: ListOperation['reshape']
  readonly stepOver?: ListOperation['stepOver']
  /** Whether a record can be read by its id. */
  readonly node: boolean
}

function edgeList({ edge, record, searchable, selection, reshape, stepOver }: Edge): ListOperation {
  const fields = only(record, searchable)
  return list({
    description: 'For the copy.',
    path: `/act_{account_id}/${edge}`,
    params: { account_id: accountId, effective_status: text(), filtering: text() },
    select: select(fields, selection),
    recordsAt: ['data'],
    record: fields,
    paging: pagesDownTo(1),
    ...(reshape && { reshape }),
    ...(stepOver && { stepOver }),
  })
}

function confirmOf({ record, searchable, reshape, node }: Edge): Pick<Stream, 'confirm'> {
  if (!node) return {}
  const fields = only(record, searchable)
  const one = get({
    description: 'For the copy.',
    path: '/{id}',
    params: { id: nodeId('') },
    select: select(fields),
    recordsAt: [],
    record: fields,
    ...(reshape && { reshape }),
  })
  return { confirm: { get: one, param: 'id', field: 'id' } }
}

/** Nodes of an account without a time of change to filter by: each pass reads all of them. */
export function libraryStream(edge: Edge): Stream {
  return {
    listings: [{ list: edgeList(edge), params: { limit: edge.limit ?? 100 }, over: overAccounts }],
    identity: identifiedBy('id'),
    ...confirmOf(edge),
  }
}

const ownStatuses = ['ACTIVE', 'PAUSED', 'ARCHIVED', 'DELETED', 'IN_PROCESS', 'WITH_ISSUES']

/** Graph refuses a status of another level (code 100, subcode 1487561). */
const statuses = {
  campaign: ownStatuses,
  adset: [...ownStatuses, 'CAMPAIGN_PAUSED'],
  ad: [
    ...ownStatuses,
    'CAMPAIGN_PAUSED',
    'ADSET_PAUSED',
    'DISAPPROVED',
    'PENDING_BILLING_INFO',
    'PENDING_REVIEW',
    'PREAPPROVED',
  ],
}

/** Campaigns, ad sets and ads, including archived and deleted ones; between full passes, only changes. */
export function deliveryStream(level: keyof typeof statuses, edge: Omit<Edge, 'node'>): Stream {
  const changedSince: Listing['since'] = {
    lookBack: 10 * minutes,
    params: (moment) => ({
      filtering: JSON.stringify([
        { field: `${level}.updated_time`, operator: 'GREATER_THAN', value: Math.floor(moment / 1000) },
      ]),
    }),
  }
  const params = { limit: edge.limit ?? 100, effective_status: JSON.stringify(statuses[level]) }
  return {
    listings: [{ list: edgeList({ ...edge, node: true }), params, over: overAccounts, since: changedSince }],
    identity: identifiedBy('id'),
    ...confirmOf({ ...edge, node: true }),
    // A parent's effect on a status, and the effect of spending on a budget, do not change the time of change.
    fullEvery: 24 * hours,
  }
}

/** The accounts themselves, under both of their names. */
export function accountStream(record: RecordFields, searchable: object, restricted: readonly string[]): Stream {
  const fields = only(record, searchable)
  const accounts = list({
    description: 'For the copy.',
    path: '/me/adaccounts',
    select: select(fields, { restricted }),
    recordsAt: ['data'],
    record: fields,
    paging: pagesDownTo(1),
  })
  return { listings: [{ list: accounts, params: { limit: 100 } }], identity: identifiedBy('id') }
}

/** A week at a time: statistics settle for 28 days and are then frozen ("Ads Insights API"). */
const weekly: Windows = {
  length: 7 * days,
  history: 90 * days,
  // 37 months; Meta refuses older ones (code 3018).
  mostHistory: 1122 * days,
  lookBack: 28 * days,
  step: 1 * days,
  field: 'date_start',
  margin: 2 * days,
  write: (moment) => dateOf(moment),
  zone: 'timezone_name',
  params: (from, to, now) => ({
    time_range: JSON.stringify({ since: dateOf(from), until: dateOf(to === null ? now : to - 1000 * days) }),
  }),
}

const dateOf = (moment: number): string => new Date(moment).toISOString().slice(0, 10)

/** One row for each ad and day. */
export function insightsStream(record: RecordFields, searchable: object, detour: ListOperation['detour']): Stream {
  const fields = only(record, searchable)
  const rows = list({
    description: 'For the copy.',
    path: '/act_{account_id}/insights',
    params: { account_id: accountId, time_range: date() },
    fixedQuery: {
      level: 'ad',
      time_increment: '1',
      action_attribution_windows: '["1d_click","7d_click","28d_click","1d_view"]',
      filtering: JSON.stringify([{ field: 'ad.effective_status', operator: 'IN', value: statuses.ad }]),
    },
    select: select(fields),
    recordsAt: ['data'],
    record: fields,
    paging: pagesDownTo(10),
    ...(detour && { detour }),
    reshape: (found) => found.map(withIdentity),
  })
  return {
    listings: [
      { list: rows, params: { limit: 100 }, over: { ...overAccounts, fields: ['timezone_name'] }, windows: weekly },
    ],
    identity: identifiedBy('rowId'),
    note: 'The copy contains the statistics of each ad and day, for the last 90 days or from the connector’s sync.start_date, at most 37 months back.',
    fullEvery: 7 * days,
  }
}

/** Rows have no id. The account, the level, the object of the row and its day identify them. */
function withIdentity(row: unknown): unknown {
  if (typeof row !== 'object' || row === null) return row
  const { account_id: account, ad_id: ad, date_start: day } = row as Record<string, unknown>
  const known = [account, ad, day].every((part) => typeof part === 'string' && part !== '')
  return { ...row, rowId: known ? `${account}:ad:${ad}:${day}` : null }
}
