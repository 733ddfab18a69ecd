/**
 * Searches that begin at the few records that the index of words names. The database knows of the most frequent words alone
 * how often they occur, takes all others for thousands, and would go through all records along the order instead.
 */
import { Bindings } from './bindings.ts'
import type { CopyTable } from './copy-table.ts'
import { isOfCopy, type Search } from './search-asked.ts'
import { keyOf } from './search-columns.ts'
import { ConditionCompiler } from './search-condition.ts'
import { hitColumns, type Row } from './search-hits.ts'
import { afterPosition, orderBy, type SortColumn } from './search-order.ts'

export interface Named {
  readonly bind: Bindings
  /** Leaves the other copies out. */
  readonly own: string
  /** What names the records. */
  readonly narrow: string
  /** What they have to meet besides. */
  readonly where: string
  readonly sort: readonly SortColumn[]
}

/** So many records are gone through in whatever way in a few milliseconds. */
const mostInSmall = 2000

/** Reading a record that words name takes so much longer than going past one along the order. */
const costOfNamed = 3

/** More are not read, when words name more than they were taken for: it would take a tenth of a second. */
const mostNamed = 20_000

/** The database takes a word for half of a hundredth of all records, when it does not know how frequent it is; a question may have several. */
const partOfUnknown = 0.03

/** The records that the words of the filter name; null when they name none. */
export function namedBy(
  search: Search,
  compiler: ConditionCompiler,
  bind: Bindings,
  sort: readonly SortColumn[],
): Named | null {
  const { query, after } = search
  const narrow = compiler.narrow(query.filter)
  if (narrow === null) return null
  const own = isOfCopy(search, bind)
  const where = `${compiler.compile(query.filter)} and ${afterPosition(bind, sort, after)}`
  return { bind, own, narrow, where, sort }
}

/** Whether the copy itself has few records. */
export const isSmall = ({ copy }: Search): boolean => copy.records <= mostInSmall

/** Whether it is worth beginning at so many records: along the order, one in so many is a hit. */
export const areSoFew = ({ copy, query }: Search, named: number): boolean =>
  named <= mostNamed && named * named * costOfNamed <= copy.records * (query.limit + 1)

/** Whether the words of the filter name few records; null when only the database can say it. */
export function areFew(search: Search): boolean | null {
  const { copy, query } = search
  const compiler = new ConditionCompiler(search, new Bindings())
  if (compiler.narrow(query.filter) === null) return false
  const share = compiler.share(query.filter)
  return share === null ? null : areSoFew(search, share * copy.records)
}

/** The first rows among the records named, when these are few; else null. */
export async function amongNamed(
  search: Search,
  named: Named,
  limit: number | null,
  few: boolean | null = null,
): Promise<readonly Row[] | null> {
  if (!(few ?? (await guessed(search, named)) <= Math.max(mostInSmall, search.copy.records * partOfUnknown)))
    return null
  const sql = selectNamed(search.table, named, limit === null ? '' : `limit ${limit}`)
  return rowsNamed(await search.session.rows(sql, named.bind.values))
}

/** Selects how many records are named, and the first rows among them, of which alone more than the order is read. */
export function selectNamed(table: CopyTable, { own, narrow, where, sort }: Named, limit: string): string {
  const keys = sort.map(({ column }, place) => `${keyOf(column)} as key_${place}, `)
  const order = sort.map(({ descending }, place) => `key_${place}${descending ? ' desc' : ''} nulls last, `)
  return `with named as materialized (
      select t.ctid as place, ${keys.join('')}t._id, ${where} as met
      from ${table.name} as t where ${own} and ${narrow} limit ${mostNamed + 1}
    )
    select found.*, counted.named from (select count(*) as named from named) as counted left join lateral (
      select ${hitColumns(table)} from ${table.name} as t where counted.named <= ${mostNamed} and t.ctid = any(array(
        select place from named where met order by ${order.join('')}_id ${limit}
      ))
      order by ${orderBy(sort)}
    ) as found on true`
}

/** The rows that the statement gives, with the count behind the other columns; null when too many are named. */
export function rowsNamed(rows: readonly Row[], countAt = -1): readonly Row[] | null {
  if (Number(rows[0]!.at(countAt)) > mostNamed) return null
  // Without any hit there is one row with the count alone.
  return rows[0]![0] === null ? [] : rows
}

/** How many records the database thinks are named, which costs a fraction of asking for them. */
async function guessed({ session, table }: Search, { bind, own, narrow, where }: Named): Promise<number> {
  // The second line makes use of every value that is bound, and costs nothing.
  const sql = `explain (format json) select from ${table.name} as t where ${own} and ${narrow}
    union all select from ${table.name} as t where false and ${where}`
  const [[plan]] = (await session.rows(sql, bind.values)) as [[[{ readonly Plan: { readonly 'Plan Rows': number } }]]]
  return plan[0].Plan['Plan Rows']
}
