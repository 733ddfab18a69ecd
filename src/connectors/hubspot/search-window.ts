/**
 * Pages of a search beyond HubSpot's window of 10,000 results ("Search the CRM", limits). The rest of the results is a
 * search of its own, for those from the last result of the window on, by the property that sorts them. Some of the
 * first ones have the same value as that result and were in the window; a page token has their number.
 */
import { ConexError, type Detour, type Params, type Reader, rule } from '../../kit/connector.ts'

/** The most results that one query gives. */
export const searchWindow = 10_000

/** What the token of a page beyond the window names. */
interface Place {
  /** The number of results before the page, in the search that reads it. */
  readonly index: number
  /** Where that search begins, and the number of results before it; null in the first window. */
  readonly from: { readonly value: string; readonly before: number } | null
}

/** A number of results, as HubSpot writes it, or in a search for the rest: that number, and where this search begins. */
export const tokenPattern = '^([0-9]{1,4}|10000)(-[0-9]{1,20}-[0-9]{1,12})?$'

const placeOf = ({ after = '0' }: Params): Place => {
  const [index, value, before] = String(after).split('-')
  return { index: Number(index), from: value === undefined ? null : { value, before: Number(before) } }
}

const tokenOf = (index: string | number, from: Place['from']): string =>
  from === null ? String(index) : `${index}-${from.value}-${from.before}`

interface Filters {
  readonly filters: readonly object[]
}

const groupsOf = ({ filterGroups }: Params): readonly Filters[] =>
  Array.isArray(filterGroups) && filterGroups.length > 0 ? filterGroups : [{ filters: [] }]

/** The properties in whose order the rest of a search can be asked for: every record has them, as whole numbers. */
const continuable = /^(hs_object_id|(hs_)?createdate|(hs_)?lastmodifieddate)$/

interface Order {
  readonly property: string
  readonly descending: boolean
}

/** The order of a search; `created` is the property by which HubSpot sorts where the caller names none. */
function orderOf({ sorts }: Params, created: string): Order {
  const [sort] = Array.isArray(sorts) ? sorts : []
  if (sort === undefined) return { property: created, descending: false }
  return { property: sort.propertyName, descending: sort.direction === 'DESCENDING' }
}

export const canContinue = rule(
  `HubSpot gives the first ${searchWindow} results of a search. To read on, sort by hs_object_id or by the time of creation or change, and leave room for one more filter in each group (of 6, and of 18 in all); or narrow the filters, or search the copy.`,
  (params) => {
    const { index, from } = placeOf(params)
    if (index < searchWindow && from === null) return null
    const groups = groupsOf(params)
    const counts = groups.map(({ filters }) => filters.length)
    const hasRoom = counts.every((count) => count < 6) && counts.reduce((sum, count) => sum + count + 1, 0) <= 18
    return hasRoom && continuable.test(orderOf(params, 'createdate').property) ? null : ['after']
  },
)

interface Found {
  readonly total?: unknown
  readonly results?: readonly { readonly properties?: Readonly<Record<string, unknown>> }[]
  readonly paging?: { readonly next?: { readonly after?: string } }
}

const limitOf = ({ limit = 25 }: Params): number => Number(limit)

/**
 * Reads the pages that do not fit into the window: HubSpot refuses one that reaches beyond it. `path` is that of the
 * search, and `created` the time of creation of its type.
 */
export const beyondWindow = (path: (params: Params) => string, created: string): Detour => ({
  owns: (params) => {
    const { index, from } = placeOf(params)
    return from !== null || index + limitOf(params) > searchWindow
  },
  async answer({ params, read }) {
    const order = orderOf(params, created)
    const search = searchIn({ path: path(params), params, read })
    const asked = placeOf(params)
    const place = asked.index < searchWindow ? asked : await nextWindow(asked, order, search)
    if (place === null) return { total: (asked.from?.before ?? 0) + asked.index, results: [] }
    const { index, from } = place
    const found = await search(filterFrom(order, from), {
      limit: Math.min(limitOf(params), searchWindow - index),
      after: String(index),
      properties: params.properties,
    })
    const next = found.paging?.next?.after
    return {
      ...found,
      total: totalOf(found) + (from?.before ?? 0),
      paging: next === undefined ? undefined : { next: { after: tokenOf(next, from) } },
    }
  },
})

type Search = (filter: object | null, page: object) => Promise<Found>

const searchIn =
  ({ path, params, read }: { path: string; params: Params } & Pick<Reader, 'read'>): Search =>
  async (filter, page) => {
    const { sorts, query } = params
    const filterGroups =
      filter === null ? params.filterGroups : groupsOf(params).map(({ filters }) => ({ filters: [...filters, filter] }))
    // JSON leaves out what is undefined.
    return ((await read({ method: 'POST', path, body: { filterGroups, sorts, query, ...page } })) ?? {}) as Found
  }

/** Where the search for the rest begins, at the end of a window; null if it holds no more results by now. */
async function nextWindow({ from }: Place, order: Order, search: Search): Promise<Place | null> {
  const { property, descending } = order
  const last = await search(filterFrom(order, from), {
    limit: 1,
    after: String(searchWindow - 1),
    properties: [property],
  })
  const record = last.results?.[0]
  if (record === undefined) return null
  const value = numberIn(record.properties?.[property])
  if (value === null || value === from?.value) throw cannotContinue(property)
  // The results of the window that come before the first one with this value.
  const beyond = String(BigInt(value) + (descending ? 1n : -1n))
  const earlier = totalOf(
    await search(
      from === null
        ? { propertyName: property, operator: descending ? 'GTE' : 'LTE', value: beyond }
        : {
            propertyName: property,
            operator: 'BETWEEN',
            ...(descending ? { value: beyond, highValue: from.value } : { value: from.value, highValue: beyond }),
          },
      { limit: 1 },
    ),
  )
  if (earlier === 0) throw cannotContinue(property)
  return { index: searchWindow - earlier, from: { value, before: (from?.before ?? 0) + earlier } }
}

const filterFrom = ({ property, descending }: Order, from: Place['from']) =>
  from === null ? null : { propertyName: property, operator: descending ? 'LTE' : 'GTE', value: from.value }

/** An id, or a time as filters take it: in milliseconds since 1970. */
function numberIn(value: unknown): string | null {
  if (typeof value !== 'string') return null
  if (/^\d{1,20}$/.test(value)) return value
  const time = Date.parse(value)
  return Number.isNaN(time) || time < 0 ? null : String(time)
}

function totalOf({ total }: Found): number {
  if (Number.isSafeInteger(total)) return total as number
  throw new ConexError(
    'upstream_invalid_response',
    'HubSpot answered a search without its total; repeat the call later.',
  )
}

const cannotContinue = (property: string): ConexError =>
  new ConexError(
    'invalid_cursor',
    `HubSpot gives no more than ${searchWindow} results that have the same ${property} or lack it; sort by hs_object_id, or narrow the filters.`,
  )
