/** Takes an order apart into ranges, one after the other, each of which an index can give from its beginning. */
import { type Candidates, candidatesOf } from '../../search/candidates.ts'
import type { Beginnings, Comparison } from '../../search/comparison.ts'
import { isShortText } from '../../search/order.ts'
import { type Position, positionOf } from '../../search/position.ts'
import type { Condition, Scalar } from '../../search/query.ts'
import { Bindings } from './bindings.ts'
import { columnMeets } from './columns.ts'
import { compileCondition } from './condition.ts'
import type { SearchDialect, SearchedColumn, Work } from './dialect.ts'
import { rowReader } from './found-row.ts'
import { afterPosition, boundKey, isOfCopy, orderBy, type SortColumn, startOfOrder } from './order.ts'

type Part = (bind: Bindings) => string

export interface Range {
  /** Where it begins and ends along the index. */
  readonly where: readonly Part[]
  /** What else its records meet. */
  readonly also: readonly Part[]
  readonly order: string
  /** The index that has them in this order. */
  readonly index: string
  /** Its records are just those that meet the filter. */
  readonly exact: boolean
  /** All of its records are looked at for the first of them. */
  readonly isSorted?: boolean
}

/** What is left of an order where the first fields have the values that `within` says. */
interface Rest {
  readonly sort: readonly SortColumn[]
  readonly after: Position | null
  readonly within: readonly { readonly column: SearchedColumn; readonly equal: Part }[]
  /** Up to so many records of one value are sorted sooner than looked for along another order. */
  readonly mostSorted: number
}

/**
 * Visits the ranges until a visit says that it is enough. Nulls are last in both directions, which no index gives: first come
 * the values, then the nulls. Within one value an index has the ids upwards, and nothing of the other fields of the sort:
 * of what half of a million records have, the first hundred would take 400 ms to sort instead of 1, so that such values are
 * ranges of their own.
 */
export function* eachRange(
  dialect: SearchDialect,
  rest: Rest,
  filter: Condition,
  visit: (range: Range) => Work<boolean>,
): Work<boolean> {
  const { sort, after, within, mostSorted } = rest
  const [first, ...others] = sort
  const place: Part = (bind) => afterPosition(dialect, bind, sort, after)
  const equal = within.map(({ equal }) => equal)
  if (first === undefined) return yield* visit(byId(dialect, rest, filter, place))
  const key = dialect.key(first.column)
  const inside = (equal: Part, isAfter: boolean) => {
    const rest: Rest = {
      sort: others,
      after: isAfter ? { ...after!, keys: after!.keys.slice(1) } : null,
      within: [...within, { column: first.column, equal }],
      mostSorted,
    }
    return eachRange(dialect, rest, filter, visit)
  }
  if (
    after === null &&
    dialect.weighsLimits &&
    !first.descending &&
    (others.length === 0 || !dialect.mayRepeat(first.column))
  )
    return yield* visit({
      where: [],
      also: equal,
      order: orderBy(dialect, sort, 'either'),
      index: first.column.index,
      exact: false,
    })
  if (after === null || after.keys[0] !== null) {
    let begin: Part = (bind) => startOfOrder(dialect, bind, sort, after)
    // Upwards an index has the ids of one value in order, so that the first page needs no look.
    while ((first.descending || others.length > 0 || after !== null) && dialect.mayRepeat(first.column)) {
      const top = yield* frequentTop(dialect, first, begin, mostSorted)
      if (top === null) break
      const isAfter = after !== null && after.keys[0] === top
      if (yield* inside((bind) => `${key} = ${boundKey(bind, first.column, top)}`, isAfter)) return true
      begin = (bind) => `${key} ${first.descending ? '<' : '>'} ${boundKey(bind, first.column, top)}`
    }
    const hasValue = () => dialect.hasValue(first.column)
    const order = orderBy(dialect, sort, 'values')
    const outer = within.at(-1)
    const range: Range =
      outer !== undefined && (yield* haveNoValues(dialect, first.column, rest, filter))
        ? {
            ...{ where: [outer.equal], also: [begin, hasValue, place, ...equal.slice(0, -1)], order },
            ...{ index: outer.column.index, exact: false, isSorted: true },
          }
        : {
            ...{ where: [begin, hasValue, ...boundsOf(dialect, first.column, filter)], also: [place, ...equal], order },
            ...{ index: first.column.index, exact: false },
          }
    if (yield* visit(range)) return true
  }
  if (hasNoNulls(dialect, first.column, filter)) return false
  return yield* inside(() => `${key} is null`, after !== null && after.keys[0] === null)
}

/** Whether what meets the filter has a value in the column. */
const hasNoNulls = ({ table }: SearchDialect, { name }: SearchedColumn, filter: Condition): boolean =>
  candidatesOf(table, filter).some(
    (set) =>
      set.by === 'field' &&
      set.field === name &&
      set.all.some(
        (leaf) => !(leaf.op === 'eq' && leaf.value === null) && !(leaf.op === 'in' && leaf.values.includes(null)),
      ),
  )

/** In the order of ids: of all records, or of those with one of a few values. */
function byId(dialect: SearchDialect, { within }: Rest, filter: Condition, place: Part): Range {
  const equal = within.map(({ equal }) => equal)
  const value = within.at(-1)
  const range = { where: [...equal, place], also: [], order: 't._id', index: dialect.identityIndex, exact: false }
  if (dialect.weighsLimits) return range
  if (value !== undefined)
    return { ...range, where: [value.equal, place], also: equal.slice(0, -1), index: value.column.index }
  // What names a person or a thing names the fewest records, one of two truth values half of them.
  const types = ['inner', 'string', 'integer', 'number', 'boolean']
  const rank = (set: Candidates) => (set.by === 'field' ? types.indexOf(dialect.table.columns.get(set.field)!.type) : 0)
  const sets = candidatesOf(dialect.table, filter)
  for (const set of sets.toSorted((one, other) => rank(one) - rank(other))) {
    const [leaf] = set.by === 'field' ? set.all.filter(isOfFewValues) : []
    if (leaf === undefined || set.by !== 'field') continue
    const column = dialect.table.columns.get(set.field)!
    const part: Part = (bind) => columnMeets(dialect, bind, column, leaf)
    return { ...range, where: [part, place], index: column.index, exact: set.exact && set.all.length === 1 }
  }
  return range
}

/** Of each value an index has the records in the order of ids, so that SQLite stops early in each of a few. */
const isOfFewValues = (leaf: Comparison | Beginnings): boolean =>
  leaf.op === 'eq' ||
  (leaf.op === 'in' &&
    leaf.values.length <= 20 &&
    leaf.values.every((value) => value !== null && (typeof value !== 'string' || isShortText(value))))

/** What the filter says of the column that is gone along, where the database would not find it. */
function boundsOf(dialect: SearchDialect, column: SearchedColumn, filter: Condition): Part[] {
  if (dialect.weighsLimits) return []
  return candidatesOf(dialect.table, filter).flatMap((set) =>
    set.by === 'field' && set.field === column.name
      ? set.all.map(
          (leaf): Part =>
            (bind) =>
              columnMeets(dialect, bind, column, leaf),
        )
      : [],
  )
}

/**
 * Whether of the first records with the values of the fields before none that meets the filter has one in the column. Then those that have are so rare,
 * if there are any, that they are found sooner among the records with these values than along the order of the column: nothing
 * that is open has a date of completion, which takes 1.1 s to see there, and 0.3 s here.
 */
function* haveNoValues(
  dialect: SearchDialect,
  column: SearchedColumn,
  { within, mostSorted }: Rest,
  filter: Condition,
): Work<boolean> {
  const { table, weighsLimits, placeholder } = dialect
  if (weighsLimits) return false
  const bind = new Bindings(placeholder)
  const [outer, ...others] = within.toReversed().map(({ equal }) => equal(bind))
  const first = `select * from ${table.name} as t where ${isOfCopy(dialect, bind)} and ${outer} limit ${bind.add(Math.round(mostSorted))}`
  const met = [...others, dialect.hasValue(column), compileCondition(dialect, bind, filter).sql].join(' and ')
  const rows = yield { sql: `select 1 from (${first}) as t where ${met} limit 1`, bind }
  return rows.length === 0
}

/** The first value of the order, when so many records have it that they are better gone along by themselves; else null. */
function* frequentTop(dialect: SearchDialect, first: SortColumn, begin: Part, most: number): Work<Scalar | null> {
  const { table } = dialect
  const { column, descending } = first
  const bind = new Bindings(dialect.placeholder)
  const key = dialect.key(column)
  const { columns, read } = rowReader(dialect, [[column.path[0]]], [column.path[0]])
  const [row] = yield {
    sql: `select t._id${columns}, ${dialect.repeats(bind, column, most)} from ${table.name} as t
      where ${isOfCopy(dialect, bind)} and ${dialect.hasValue(column)} and ${begin(bind)} order by ${key}${descending ? ' desc' : ''} limit 1`,
    bind,
  }
  if (row === undefined || !row.at(-1)) return null
  const sort = [{ path: column.path, descending }] as const
  return positionOf({ sort }, read(row).record(), 1).keys[0]!
}
