/**
 * Searches that begin at the few records that the index of words names. The database knows of the most frequent words alone
 * how often they occur, takes all others for thousands, and would go through all records along the order instead.
 */
import type { Bindings } from './bindings.ts'
import type { CopyTable } from './copy-table.ts'
import { isOfCopy, type Search } from './search-asked.ts'
import type { ConditionCompiler } from './search-condition.ts'
import { hitColumns, type Row } from './search-hits.ts'
import { afterPosition, orderBy, type SortColumn } from './search-order.ts'

export interface Named {
  readonly bind: Bindings
  /** Leaves the other copies out. */
  readonly own: string
  /** What names the records. */
  readonly narrow: string
  /** What they have to meet, which may say the same. */
  readonly where: string
  readonly order: string
}

/** So many records are read and sorted in a few milliseconds. */
const mostNamed = 2000

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
  return { bind, own, narrow, where, order: orderBy(sort) }
}

/** Whether the copy itself has no more records. */
export const isSmall = ({ copy }: Search): boolean => areSoFew(copy.records)

/** Whether it is worth beginning at so many records. */
export const areSoFew = (records: number): boolean => records <= mostNamed

/** Whether the words are known to name few or many; null when only the database can say it. */
export function areFew(search: Search, compiler: ConditionCompiler): boolean | null {
  const { copy, query, shares } = search
  const share = shares === null ? null : compiler.share(query.filter, shares)
  return share === null ? null : areSoFew(share * copy.records)
}

/** The first rows among the records named, when these are few; else null. */
export async function amongNamed(
  search: Search,
  named: Named,
  limit: number | null,
  few: boolean | null = null,
): Promise<readonly Row[] | null> {
  if (!(few ?? (await guessed(search, named)) <= Math.max(mostNamed, search.copy.records * partOfUnknown))) return null
  const sql = selectNamed(search.table, named, limit === null ? '' : `limit ${limit}`)
  return rowsNamed(await search.session.rows(sql, named.bind.values))
}

/** Selects how many records are named, and the first rows among them when these are few. */
export function selectNamed(table: CopyTable, { own, narrow, where, order }: Named, limit: string): string {
  return `with named as materialized (
      select t.ctid as place from ${table.name} as t where ${own} and ${narrow} limit ${mostNamed + 1}
    )
    select found.*, counted.named from (select count(*) as named from named) as counted left join lateral (
      select ${hitColumns(table)} from ${table.name} as t
      where counted.named <= ${mostNamed} and t.ctid = any(array(select place from named)) and ${own} and ${where}
      order by ${order} ${limit}
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
