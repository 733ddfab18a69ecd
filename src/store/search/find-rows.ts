/** Finds the first records of a stage in its order: among few candidates that an index names, or along the order. */
import { candidatesOf } from '../../search/candidates.ts'
import type { Stage } from '../../search/plan.ts'
import { columnName } from '../../search/query.ts'
import type { Asking } from '../../search/word-question.ts'
import { Bindings } from './bindings.ts'
import { compileCondition } from './condition.ts'
import type { Narrowed, Said, SearchDialect, Work } from './dialect.ts'
import type { FoundRow, RowReader } from './found-row.ts'
import { afterPosition, isOfCopy, orderBy, type SortColumn } from './order.ts'
import { eachRange } from './sort-ranges.ts'

export interface Found {
  readonly rows: readonly FoundRow[]
  /** All of them meet the filter. */
  readonly exact: boolean
}

interface Finding {
  readonly dialect: SearchDialect
  readonly stage: Stage
  readonly sort: readonly SortColumn[]
  readonly size: number
  readonly reader: (exact: boolean) => RowReader
}

/** At most `size` rows. */
export function* findRows(
  dialect: SearchDialect,
  stage: Stage,
  size: number,
  reader: (exact: boolean) => RowReader,
): Work<Found> {
  const { table, copy } = dialect
  const sort = stage.sort!.map(({ path, descending }) => ({ column: table.columns.get(columnName(path))!, descending }))
  const finding = { dialect, stage, sort, size, reader }
  const narrow = function* (asking: Asking, least: number, most: number): Work<Found | null> {
    const sets = candidatesOf(table, stage.filter, asking)
    const few =
      sets.length === 0
        ? null
        : yield* dialect.narrow(sets, { least, most }, size, sort.length > 0 && dialect.mayRepeat(sort[0]!.column))
    return few === null ? null : yield* among(finding, few, asking)
  }
  if (dialect.weighsLimits) return (yield* narrow(dialect.asking, 0, copy.records)) ?? (yield* along(finding))
  const first = 20 * size
  const even = evenAt(size, copy.records)
  // Along an order of several fields, all that have one value are sorted.
  const counted = sort.length > 1 ? even : first
  const few = yield* narrow({ ...dialect.asking, shortestBeginning: 3 }, 0, counted)
  if (few !== null) return few
  const isNamed = candidatesOf(table, stage.filter).length > 0
  if (first >= copy.records || !isNamed) return yield* along(finding)
  // What many records meet is found among the first along the order, for less than it costs to count more candidates.
  const near = yield* along(finding, first)
  if (near.rows.length >= size) return near
  // So many more along the order have what is missing, unless the hits stand close together far away, as those of one day do.
  const left = Math.min(copy.records, first * (size / near.rows.length - 1))
  if (left > counted) {
    const few = yield* narrow(dialect.asking, counted, left)
    if (few !== null) return few
  }
  return yield* along(finding)
}

/**
 * Among so many candidates, all of which are looked at, it takes as long as along the order, where size × records ÷ hits are.
 * Counting them takes a thirtieth of that.
 */
const evenAt = (size: number, records: number): number => Math.max(1000, Math.sqrt(2 * size * records))

/** All candidates are looked at. */
function* among(finding: Finding, { sql, part, exact, worded }: Narrowed, asking: Asking): Work<Found> {
  const { dialect, stage, sort, size } = finding
  const bind = new Bindings(dialect.placeholder)
  const candidates = part === undefined ? sql(bind) : null
  const met = exact ? always : compileCondition(dialect, bind, stage.filter, worded ? asking : null)
  const { columns, read } = finding.reader(met.exact)
  const rows = yield {
    sql: dialect.page(
      {
        columns,
        where: [part?.where(bind) ?? isOfCopy(dialect, bind), afterPosition(dialect, bind, sort, stage.after)],
        filter: met.sql,
        order: orderBy(dialect, sort, 'sorted'),
        limit: bind.add(size, 'int8'),
        candidates,
        index: part?.index ?? dialect.identityIndex,
        window: null,
      },
      bind,
    ),
    bind,
  }
  return { rows: rows.map(read), exact: met.exact }
}

/** Along the order, one range of it after the other; or among so many `first` records of it. */
function* along({ dialect, stage, sort, size, reader }: Finding, first: number | null = null): Work<Found> {
  const rows: FoundRow[] = []
  let exact = true
  const whole = { sort, after: stage.after, within: [], mostSorted: evenAt(size, dialect.copy.records) }
  yield* eachRange(dialect, whole, stage.filter, function* (range) {
    const bind = new Bindings(dialect.placeholder)
    const where = [isOfCopy(dialect, bind), ...range.where.map((part) => part(bind))]
    const also = range.also.map((part) => part(bind))
    const met = range.exact ? always : compileCondition(dialect, bind, stage.filter)
    const { columns, read } = reader(met.exact)
    const found = yield {
      sql: dialect.page(
        {
          columns,
          where,
          filter: [...also, met.sql].join(' and '),
          order: range.order,
          limit: bind.add(size - rows.length, 'int8'),
          candidates: null,
          index: range.index,
          window: first === null || range.isSorted ? null : `limit ${bind.add(first)}`,
        },
        bind,
      ),
      bind,
    }
    for (const row of found) rows.push(read(row))
    exact &&= met.exact
    return rows.length >= size || (first !== null && !range.isSorted)
  })
  return { rows, exact }
}

const always: Said = { sql: 'true', exact: true }
