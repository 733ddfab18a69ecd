/** Asks the index of a column how texts of the copy begin that can match a pattern. */
import { beginningOf } from '../../search/beginnings.ts'
import { type Condition, columnName } from '../../search/query.ts'
import { Bindings } from './bindings.ts'
import { endOf } from './columns.ts'
import type { SearchDialect, Work } from './dialect.ts'
import { isOfCopy } from './order.ts'

/** So many patterns are looked up. */
const mostPatterns = 4

/** Ways to write a beginning, and its own beginnings; more than people use. */
const mostWritten = 100

/**
 * The condition, with what the index says of its patterns. Of all ways to write a beginning the index knows a few, and of the
 * whole of it far fewer records than of its first characters: 0.4 ms instead of 3.6.
 */
export function* withBeginnings(
  dialect: SearchDialect,
  condition: Condition,
  left = { patterns: mostPatterns },
): Work<Condition> {
  if (condition.op === 'and' || condition.op === 'or') {
    const of: Condition[] = []
    for (const part of condition.of) of.push(yield* withBeginnings(dialect, part, left))
    return { ...condition, of }
  }
  if (condition.op !== 'like' || left.patterns === 0) return condition
  const column = dialect.table.columns.get(columnName(condition.path))
  const beginning = beginningOf(condition.pattern)
  if (column?.type !== 'string' || beginning === null) return condition
  left.patterns--
  const bind = new Bindings(dialect.placeholder)
  const ways = beginning.flatMap((ways, place) => ways.map((way) => [place, way, endOf(way)] as const))
  const key = dialect.key(column)
  // One character after the other.
  const rows = (yield {
    sql: `with recursive ways (place, way, next) as materialized (${dialect.rows(bind, ways)}), begun (text, length) as (
      select cast('' as text), 0
      union all
      select text || way, length + 1 from begun join ways on place = length where (
        select true from ${dialect.table.name} as t
        where ${isOfCopy(dialect, bind)} and ${key} >= text || way and ${key} < text || next limit 1
      )
    ) select text, length from begun limit ${mostWritten}`,
    bind,
  }) as [text: string, length: number][]
  if (rows.length === mostWritten) return condition
  const begins = rows.flatMap(([text, length]) => (length === beginning.length ? [text] : []))
  return { ...condition, begins }
}
