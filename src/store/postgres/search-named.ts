/**
 * Searches that begin at the few records that the index of words names. The database knows of the most frequent words alone
 * how often they occur, takes all others for thousands, and would go through all records along the order instead.
 */
import type { Bindings } from './bindings.ts'
import { hitColumns, type Row } from './search-hits.ts'
import type { Search } from './search-run.ts'

export interface Named {
  readonly bind: Bindings
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

/** The first rows among the records named, when these are few; else null. */
export async function amongNamed(search: Search, named: Named, limit: number | null): Promise<Row[] | null> {
  const { session, table, copy } = search
  const { bind, narrow, where, order } = named
  const own = `t._copy = ${copy.number}`
  if ((await guessed(search, named)) > Math.max(mostNamed, copy.records * partOfUnknown)) return null
  const rows = await session.rows(
    `with named as materialized (
      select t.ctid as place from ${table.name} as t where ${own} and ${narrow} limit ${mostNamed + 1}
    )
    select counted.named, found.* from (select count(*) as named from named) as counted left join lateral (
      select ${hitColumns(table)} from ${table.name} as t
      where counted.named <= ${mostNamed} and t.ctid = any(array(select place from named)) and ${own} and ${where}
      order by ${order} ${limit === null ? '' : `limit ${limit}`}
    ) as found on true`,
    bind.values,
  )
  if (Number(rows[0]![0]) > mostNamed) return null
  // Without any hit there is one row with the count alone.
  return rows.flatMap(([, ...row]) => (row[0] === null ? [] : [row]))
}

/** How many records the database thinks are named, which costs a fraction of asking for them. */
async function guessed({ session, table, copy }: Search, { bind, narrow, where }: Named): Promise<number> {
  // The second line makes use of every value that is bound, and costs nothing.
  const sql = `explain (format json) select from ${table.name} as t where t._copy = ${copy.number} and ${narrow}
    union all select from ${table.name} as t where false and ${where}`
  const [[plan]] = (await session.rows(sql, bind.values)) as [[[{ readonly Plan: { readonly 'Plan Rows': number } }]]]
  return plan[0].Plan['Plan Rows']
}
