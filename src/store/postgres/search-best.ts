/** Searches in an order that no index has: all that the filter finds is looked at, and the best are kept. */
import type { Position } from '../../search/cursor.ts'
import { orderOf, positionOf } from '../../search/search-records.ts'
import { takeTurns } from '../../turns.ts'
import { Bindings } from './bindings.ts'
import { type FoundRow, isOfCopy, type Search } from './search-asked.ts'
import { ConditionCompiler, type Recheck } from './search-condition.ts'
import { hitColumns, recordOf } from './search-hits.ts'
import { lookOf, rowsOf } from './search-run.ts'

/** What finds the hits of the filter. */
export interface Filtered {
  readonly bind: Bindings
  readonly own: string
  readonly where: string
  readonly recheck: Recheck
  /** Says what names few of them, where words can. */
  readonly narrow: () => string | null
}

export function filtered(search: Search): Filtered {
  const { query } = search
  const bind = new Bindings()
  const own = isOfCopy(search, bind)
  const compiler = new ConditionCompiler(search, bind)
  const where = `${own} and ${compiler.compile(query.filter)}`
  return { bind, own, where, recheck: compiler.recheck, narrow: () => compiler.narrow(query.filter) }
}

/** The first hits of an order that asks for what stands inside objects, one more than asked. */
export function bestByInnerKeys(search: Search): Promise<FoundRow[]> {
  const { table, query } = search
  return bestOf(search, filtered(search), ({ row, score }) => positionOf(query, recordOf(table, row), score))
}

interface Placed {
  readonly found: FoundRow
  readonly position: Position
}

/** The first of all that are found, one more than asked, by the places that they have in the order of the query. */
export async function bestOf(
  search: Search,
  { bind, where, recheck }: Pick<Filtered, 'bind' | 'where' | 'recheck'>,
  placeOf: (found: FoundRow) => Position,
): Promise<FoundRow[]> {
  const { table, query, after } = search
  const most = query.limit + 1
  const look = lookOf(search, recheck)
  const order = orderOf(query)
  const first = (placed: Placed[]) => placed.sort((one, other) => order(one.position, other.position)).slice(0, most)
  // Finding the place of a row reads its objects.
  const turn = takeTurns()
  let best: Placed[] = []
  const sql = `select ${hitColumns(table)} from ${table.name} as t where ${where}`
  for await (const row of rowsOf(search, sql, bind)) {
    const looked = look(row)
    const found = looked instanceof Promise ? await looked : looked
    if (found === null) continue
    const others = turn()
    if (others !== undefined) await others
    const position = placeOf(found)
    if (after !== null && order(position, after) <= 0) continue
    best.push({ found, position })
    if (best.length >= most * 2 + 1000) best = first(best)
  }
  return first(best).map(({ found }) => found)
}
