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
  const first = 1000 + 20 * size
  const even = evenAt(size, copy.records)
  // Along an order of several fields, all that have one value are sorted.
  const counted = sort.length > 1 ? even : first
  const few = yield* narrow({ ...dialect.asking, shortestBeginning: 3 }, 0, counted)
  if (few !== null) return few
  const isNamed = candidatesOf(table, stage.filter).length > 0
  if (first >= copy.records || !isNamed) return yield* along(finding)
  // What many records meet is found among the first along the order, for less than it costs to count more candidates.
  const near = yield* along(finding, { first, skipped: 0, missing: size })
  if (near.rows.length >= size) return near
  // What is missing is found a few times as far, for less than it costs to look for candidates.
  if (near.rows.length * 4 < size) {
    // Hits may stand close together far away, as those of one day do, or behind all values where they have none: 1.1 s along the
    // order, 0.3 s among 400,000 candidates. A candidate is dearer than a record along the order.
    const left = near.rows.length === 0 ? copy.records : (first * size) / near.rows.length
    const few = yield* narrow(dialect.asking, counted, Math.max(even, Math.min(copy.records, left) / 2))
    if (few !== null) return few
  }
  // With several keys to sort by the database would sort what it skips.
  if (sort.length > 1) return yield* along(finding)
  const far = yield* along(finding, { first: null, skipped: first, missing: size - near.rows.length })
  return { rows: [...near.rows, ...far.rows], exact: near.exact && far.exact }
}

/**
 * Among so many candidates, all of which are looked at, it takes as long as along the order, where size × records ÷ hits are.
 * Counting them takes a thirtieth of that.
 */
const evenAt = (size: number, records: number): number => Math.max(1000, Math.sqrt(2 * size * records))

/** Which records of the first range are looked at. With `first` no others are. */
interface Window {
  readonly first: number | null
  readonly skipped: number
  /** So many rows are wanted. */
  readonly missing: number
}

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

/** Along the order, one range of it after the other. */
function* along({ dialect, stage, sort, size, reader }: Finding, from: Window | null = null): Work<Found> {
  const rows: FoundRow[] = []
  const missing = from?.missing ?? size
  let exact = true
  let window = from
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
          limit: bind.add(missing - rows.length, 'int8'),
          candidates: null,
          index: range.index,
          window:
            window === null || range.isSorted
              ? null
              : `limit ${bind.add(window.first ?? -1)} offset ${bind.add(window.skipped)}`,
        },
        bind,
      ),
      bind,
    }
    for (const row of found) rows.push(read(row))
    exact &&= met.exact
    if (range.isSorted) return rows.length >= missing
    window = null
    return rows.length >= missing || typeof from?.first === 'number'
  })
  return { rows, exact }
}

const always: Said = { sql: 'true', exact: true }
