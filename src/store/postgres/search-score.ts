/** Searches that rank: the best score first, then by id. */
import type { Position } from '../../search/cursor.ts'
import { type Ranking, rankingsOf, scoreOf } from '../../search/evaluate.ts'
import { compareTexts } from '../../search/order.ts'
import { Bindings } from './bindings.ts'
import { fieldToken, quotedToken, wordToken } from './copy-words.ts'
import { ConditionCompiler } from './search-condition.ts'
import { hitColumns, type Row, recordOf } from './search-hits.ts'
import { afterScore } from './search-order.ts'
import { type FoundRow, recheckOf, rowsOf, type Search } from './search-run.ts'

/** The best hits, one more than asked; null when nothing ranks, or the query has an order of its own. */
export async function bestByScore(search: Search): Promise<FoundRow[] | null> {
  const rankings = search.query.sort.length > 0 ? [] : rankingsOf(search.query.filter)
  if (rankings.length === 0) return null
  const bind = new Bindings()
  const compiler = new ConditionCompiler(search.table, search.copy.number, bind)
  const own = `t._copy = ${bind.add(search.copy.number, 'int4')}`
  const where = `${own} and ${compiler.compile(search.query.filter)}`
  // The index knows which words a field has; in a part of an object, or with too many words, they are counted here.
  const counted = rankings.every(({ path }) => path.length === 1) && compiler.recheck !== 'all'
  if (!counted) return scored(search, compiler, where, bind)
  const uncounted = await scored(search, compiler, `${where} and not t._whole`, bind)
  const score = scoreSql(search, rankings, bind)
  const place = afterScore(bind, 'score', search.after)
  const rows = await search.session.rows(
    `select * from (select ${hitColumns(search.table)}, ${score} as score from ${search.table.name} as t
      where ${where} and t._whole) as t where ${place} order by score desc, t._id limit ${bind.add(search.query.limit + 1, 'int8')}`,
    bind.values,
  )
  const found = rows.map((row) => ({ row: row.slice(0, -1), score: row.at(-1) as number }))
  return [...found, ...uncounted].sort(order).slice(0, search.query.limit + 1)
}

function scoreSql({ table, copy }: Search, rankings: readonly Ranking[], bind: Bindings): string {
  const places = Object.keys(table.searchable)
  const terms = rankings.flatMap(({ path, words }) => {
    const field = fieldToken(copy.number, places.indexOf(path[0]))
    return words.map((word) => `(t._words @@ ${bind.add(quotedToken(wordToken(field, word)), 'tsquery')})::int`)
  })
  return `greatest(1, ${terms.join(' + ')})`
}

/** Looks at all that the statement finds and keeps the best. */
async function scored(search: Search, compiler: ConditionCompiler, where: string, bind: Bindings): Promise<FoundRow[]> {
  const { table, query, after } = search
  const most = query.limit + 1
  const meets = recheckOf(search, compiler.recheck)
  const score = scoreOf(query.filter)
  let best: FoundRow[] = []
  const sql = `select ${hitColumns(table)} from ${table.name} as t where ${where}`
  for await (const row of rowsOf(search, sql, bind)) {
    if (!meets(row)) continue
    const found = { row, score: score(recordOf(table, row).data) }
    if (after !== null && order(found, placeOf(after)) <= 0) continue
    best.push(found)
    if (best.length >= most * 2 + 1000) best = best.sort(order).slice(0, most)
  }
  return best.sort(order).slice(0, most)
}

const placeOf = ({ keys, id }: Position) => ({ row: [id] as Row, score: Number(keys[0]) })

const order = (one: FoundRow, other: FoundRow): number =>
  other.score - one.score || compareTexts(one.row[0] as string, other.row[0] as string)
