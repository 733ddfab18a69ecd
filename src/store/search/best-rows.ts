/** Finds the first hits in an order without an index: reads everything that the filter finds, and keeps the best. */
import { fieldsOf, scoreOf, testOf } from '../../search/evaluate.ts'
import type { Stage } from '../../search/plan.ts'
import { orderOf, type Position, positionOf } from '../../search/position.ts'
import type { Query } from '../../search/query.ts'
import { Bindings } from './bindings.ts'
import type { SearchDialect, Work } from './dialect.ts'
import { type Found, findRows } from './find-rows.ts'
import { type FoundRow, rowReader, type ScoredRow } from './found-row.ts'
import { isOfCopy } from './order.ts'

/** So many records are looked at together, which holds the thread for some milliseconds. */
const atOnce = 2000

interface Placed {
  readonly position: Position
  readonly score: number
}

export function* bestRows(
  dialect: SearchDialect,
  query: Query,
  stage: Stage,
  most: number,
  needed: readonly string[],
): Work<ScoredRow[]> {
  const order = orderOf(query)
  const score = scoreOf(query.filter)
  const meets = testOf(stage.filter)
  const first = (placed: Placed[]) => placed.sort((one, other) => order(one.position, other.position)).slice(0, most)
  let best: Placed[] = []
  let worst: Position | null = null
  for (let last: Position | null = null; ; ) {
    const { rows, exact }: Found = yield* findRows(dialect, { ...stage, sort: [], after: last }, atOnce, (exact) =>
      rowReader(dialect, [], exact ? needed : [...needed, ...fieldsOf(stage.filter)]),
    )
    for (const row of rows) {
      const record = row.record()
      if (!exact && !meets(record.data)) continue
      const points = stage.score ?? score(record.data)
      const position = positionOf(query, record, points)
      if (stage.after !== null && order(position, stage.after) <= 0) continue
      if (worst !== null && order(position, worst) >= 0) continue
      if (best.push({ position, score: points }) < most * 2) continue
      best = first(best)
      worst = best.at(-1)!.position
    }
    if (rows.length < atOnce) break
    last = { keys: [], id: rows.at(-1)!.id }
  }
  const chosen = first(best)
  const byId = yield* rowsById(dialect, query, needed, chosen)
  return chosen.map(({ position, score }) => ({ ...byId.get(position.id)!, score }))
}

function* rowsById(
  dialect: SearchDialect,
  query: Query,
  needed: readonly string[],
  chosen: readonly Placed[],
): Work<ReadonlyMap<string, FoundRow>> {
  const { placeholder, identityIndex } = dialect
  const { columns, read } = rowReader(dialect, query.fields, needed)
  const found = new Map<string, FoundRow>()
  const all = chosen.map(({ position }) => position.id)
  for (let from = 0; from < all.length; from += atOnce) {
    const bind = new Bindings(placeholder)
    const ids = all.slice(from, from + atOnce)
    const where = [isOfCopy(dialect, bind), dialect.oneOf(bind, 't._id', ids, 'text')]
    const rows = yield {
      sql: dialect.page(
        {
          columns,
          where,
          filter: 'true',
          order: 't._id',
          limit: bind.add(ids.length, 'int8'),
          candidates: null,
          index: identityIndex,
          window: null,
        },
        bind,
      ),
      bind,
    }
    for (const row of rows) found.set(row[0] as string, read(row))
  }
  return found
}
