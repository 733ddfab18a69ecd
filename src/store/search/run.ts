/** Runs the plan of a search: writes its statements for a database, and turns their rows into hits. */
import { writeCursor } from '../../search/cursor.ts'
import { fieldsOf, rankingsOf, scoreOf, testOf } from '../../search/evaluate.ts'
import { planOf, type Stage } from '../../search/plan.ts'
import { positionOf } from '../../search/position.ts'
import type { Query } from '../../search/query.ts'
import { withBeginnings } from './beginnings.ts'
import { bestRows } from './best-rows.ts'
import type { SearchDialect, Work } from './dialect.ts'
import { findRows } from './find-rows.ts'
import { hitWriter, rowReader, type ScoredRow } from './found-row.ts'

/** A page of hits: JSON, separated by commas. */
export interface HitsPage {
  readonly hits: string
  readonly count: number
  readonly nextCursor: string | null
}

export function* runSearch(dialect: SearchDialect, query: Query): Work<HitsPage> {
  const { table, copy } = dialect
  const { stages, most } = planOf(copy, table, query)
  const found: ScoredRow[] = []
  for (const stage of stages) {
    const rows = stage.sort === null ? bestRows : stageRows
    const known = { ...stage, filter: yield* withBeginnings(dialect, stage.filter) }
    found.push(...(yield* rows(dialect, query, known, most - found.length, neededFields(query, stage))))
    if (found.length >= most) break
  }
  const page = found.slice(0, query.limit)
  const last = page.at(-1)
  const isLast = found.length <= query.limit || last === undefined
  return {
    hits: page.map(hitWriter(query)).join(),
    count: page.length,
    nextCursor: isLast ? null : writeCursor(copy, query, positionOf(query, last.record(), last.score)),
  }
}

/** The fields with the position of a hit in the order, and its score. */
const neededFields = ({ filter, sort }: Query, { score }: Stage): string[] => [
  ...sort.map(({ path }) => path[0]),
  ...(score === null ? rankingsOf(filter).map(({ path }) => path[0]) : []),
]

/** The number of rows that are read at once: their second look blocks the thread for some milliseconds. */
const mostAtOnce = 2000

/** The first rows of a stage that are hits. */
function* stageRows(
  dialect: SearchDialect,
  query: Query,
  stage: Stage,
  most: number,
  needed: readonly string[],
): Work<ScoredRow[]> {
  const found: ScoredRow[] = []
  const score = scoreOf(query.filter)
  const meets = testOf(stage.filter)
  let { after } = stage
  let seen = 0
  for (let size = Math.min(most, mostAtOnce); ; size = Math.min(mostAtOnce, sizeOfNext(size))) {
    const { rows, exact } = yield* findRows(dialect, { ...stage, after }, size, (exact) =>
      rowReader(dialect, query.fields, exact ? needed : [...needed, ...fieldsOf(stage.filter)]),
    )
    for (const row of rows) {
      if (!exact && !meets(row.record().data)) continue
      found.push({ ...row, score: stage.score ?? score(row.record().data) })
      if (found.length === most) return found
    }
    seen += rows.length
    const last = rows.at(-1)
    if (last === undefined || rows.length < size) return found
    after = positionOf({ sort: stage.sort! }, last.record(), 1)
  }

  /** Twice as many as have what is missing, if so many are hits as before: most often a few are missing. */
  function sizeOfNext(size: number): number {
    return found.length === 0 ? size * 4 : Math.ceil(((most - found.length) * 2 * seen) / found.length)
  }
}
