/** Searches that rank: the best score first, then by id. */
import { type Ranking, rankingsOf } from '../../search/evaluate.ts'
import { compareTexts } from '../../search/order.ts'
import { Bindings } from './bindings.ts'
import { fieldToken, quotedToken, wordToken } from './copy-words.ts'
import { type FoundRow, isOfCopy, type Search } from './search-asked.ts'
import { bestOf, type Filtered, filtered } from './search-best.ts'
import { hitColumns } from './search-hits.ts'
import { amongNamed, areSoFew } from './search-named.ts'
import { afterScore } from './search-order.ts'

/** The best hits, one more than asked; null when nothing ranks, or the query has an order of its own. */
export async function bestByScore(search: Search): Promise<FoundRow[] | null> {
  const rankings = search.query.sort.length > 0 ? [] : rankingsOf(search.query.filter)
  if (rankings.length === 0) return null
  const { bind, where, recheck } = filtered(search)
  // The index knows which words a field has; in a part of an object, or with too many words, they are counted here.
  const counted = rankings.every(({ path }) => path.length === 1) && recheck !== 'all'
  if (!counted) return scored(search, { bind, where, recheck })
  const uncounted = await scored(search, { bind, where: `${where} and not t._whole`, recheck })
  const words = wordsOf(search, rankings)
  const found = await (words.length > mostTiers ? sorted(search, words) : byTiers(search, words))
  return [...found, ...uncounted].sort(order).slice(0, search.query.limit + 1)
}

/** All records of the copy. */
function unfiltered(search: Search): Filtered {
  const bind = new Bindings()
  const own = isOfCopy(search, bind)
  return { bind, own, where: own, recheck: 'none', narrow: () => null }
}

/** The words that give points, as tokens of the index. */
function wordsOf({ table, copy }: Search, rankings: readonly Ranking[]): string[] {
  const places = Object.keys(table.searchable)
  return rankings.flatMap(({ path, words }) => {
    const field = fieldToken(copy.number, places.indexOf(path[0]))
    return words.map((word) => wordToken(field, word))
  })
}

/** With more words there are too many ways to have some of them. */
const mostTiers = 5

/** One score after the other: the index finds the few that have most of the words, and of the many others the first are enough. */
async function byTiers(search: Search, words: readonly string[]): Promise<FoundRow[]> {
  const { session, table, copy, query, shares, after } = search
  const found: FoundRow[] = []
  const likely = shares === null ? null : shareOfEach(words.map((word) => shares.of(word)))
  // Who has several of the words of this filter meets it.
  const isAllOfIt = query.filter.op === 'keyword'
  for (let score = words.length; score >= 1 && found.length <= query.limit; score--) {
    if (after !== null && score > Number(after.keys[0])) continue
    search.tick()
    const { bind, own, where, narrow } = isAllOfIt && score > 1 ? unfiltered(search) : filtered(search)
    const parts = [where, 't._whole']
    // Who has none of them meets the filter otherwise, and has 1 as well.
    const has = score > 1 ? `t._words @@ ${bind.add(atLeast(score, words), 'tsquery')}` : narrow()
    if (score < words.length) parts.push(`not t._words @@ ${bind.add(atLeast(score + 1, words), 'tsquery')}`)
    if (after !== null && score === Number(after.keys[0])) parts.push(`t._id > ${bind.add(after.id)}`)
    const named = { bind, own, narrow: has ?? 'true', where: parts.join(' and '), sort: [] }
    const most = query.limit + 1 - found.length
    const few =
      likely === null || score === 1 ? null : areSoFew(search, likely.slice(score).reduce(plus, 0) * copy.records)
    const rows =
      (has === null ? null : await amongNamed(search, named, most, few)) ??
      (await session.rows(
        `select ${hitColumns(table)} from ${table.name} as t where ${named.narrow} and ${named.where} order by t._id limit ${most}`,
        bind.values,
      ))
    for (const row of rows) found.push({ row, score })
  }
  return found
}

const plus = (one: number, other: number): number => one + other

/** What part of the records has none of the words, one, two and so on, if none says anything about the others. */
function shareOfEach(shares: readonly number[]): number[] {
  const counts = [1, ...shares.map(() => 0)]
  for (const share of shares)
    for (let count = counts.length - 1; count >= 0; count--)
      counts[count] = counts[count]! * (1 - share) + (count === 0 ? 0 : counts[count - 1]! * share)
  return counts
}

/** True of records with so many of the words, or more. */
function atLeast(count: number, tokens: readonly string[]): string {
  const words = tokens.map(quotedToken)
  const ways = (from: number, left: number): string[] => {
    if (left === 0) return ['']
    return words
      .slice(from, words.length - left + 1)
      .flatMap((word, index) =>
        ways(from + index + 1, left - 1).map((rest) => (rest === '' ? word : `${word} & ${rest}`)),
      )
  }
  return ways(0, count)
    .map((way) => `(${way})`)
    .join(' | ')
}

/** All of them sorted, without what the hits hold, which is read of the best alone. */
async function sorted(search: Search, words: readonly string[]): Promise<FoundRow[]> {
  const { session, table, copy, query, after } = search
  const { bind, where } = filtered(search)
  const points = words.map((word) => `(t._words @@ ${bind.add(quotedToken(word), 'tsquery')})::int`)
  const rows = await session.rows(
    `with scored as (
      select t._id, greatest(1, ${points.join(' + ')}) as score from ${table.name} as t where ${where} and t._whole
    ), best as (
      select _id, score from scored as t where ${afterScore(bind, 'score', after)}
      order by score desc, _id limit ${bind.add(query.limit + 1, 'int8')}
    )
    select ${hitColumns(table)}, best.score from best
    join ${table.name} as t on t._copy = ${bind.add(copy.number, 'int4')} and t._id = best._id
    order by best.score desc, t._id`,
    bind.values,
  )
  return rows.map((row) => ({ row: row.slice(0, -1), score: row.at(-1) as number }))
}

/** The best of all that the condition finds, of which the scores are counted here. */
const scored = (search: Search, filtered: Pick<Filtered, 'bind' | 'where' | 'recheck'>): Promise<FoundRow[]> =>
  bestOf(search, filtered, ({ row, score }) => ({ keys: [score], id: row[0] as string }))

const order = (one: FoundRow, other: FoundRow): number =>
  other.score - one.score || compareTexts(one.row[0] as string, other.row[0] as string)
