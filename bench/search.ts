/** Search among many records, with questions in the shape of real use, beside the plain SQL that a good engineer would write by hand. */
import assert from 'node:assert/strict'
import { setPriority } from 'node:os'
import { ConexError } from '../src/errors.ts'
import { parseQuery } from '../src/search/parse-query.ts'
import { hitsIn } from '../src/store/copy.ts'
import { median, type Row } from './row.ts'
import type { PlaceOptions, SearchPlace } from './search-place.ts'
import { drawQuestions, type Question, queryOf } from './search-questions.ts'
import { catalog, copyKey, tenant } from './search-records.ts'
import { sqlOf } from './search-sql.ts'

export interface SearchOptions extends PlaceOptions {
  readonly questions: number
  readonly seed: number
  /** How many of the slowest, and of those with the highest ratios, are shown. */
  readonly worst: number
  /** Asks these alone, and prints how the database finds what plain SQL asks for. */
  readonly only?: readonly number[]
}

/** Asks everything both ways; both have to give the same hits. */
export async function benchSearch(
  open: (options: PlaceOptions) => Promise<SearchPlace>,
  options: SearchOptions,
): Promise<Row> {
  const { questions: count, seed, records, only, worst } = options
  const place = await open(options)
  // Where searches give way to other work, SQL by hand has to as well: on a busy machine it would win by that alone.
  if (process.platform === 'linux') setPriority(10)
  const compared: Compared[] = []
  const details = [...place.filling]
  try {
    for (const [number, question] of drawQuestions(seed, count, records).entries()) {
      if (only !== undefined && !only.includes(number)) continue
      const both = await sides(place, question)
      if (only !== undefined) details.push(both.sql, await place.table.plan(both.sql))
      compared.push({ ...(await measure(both, place.clock)), name: `${number}: ${both.name}` })
      if (number % 50 === 49) process.stderr.write(`${number + 1} of ${count}\n`)
    }
  } finally {
    await place.close()
  }
  return rowOf(
    `search on ${place.title}, ${records} records, ${compared.length} questions of seed ${seed}`,
    compared,
    worst,
    details,
  )
}

interface Sides {
  readonly name: string
  readonly sql: string
  search(): Promise<unknown>
  plain(): Promise<unknown>
}

/** The question as both are asked it, once their answers are known to be the same. */
async function sides({ store, table }: SearchPlace, question: Question): Promise<Sides> {
  const query = queryOf(question)
  const ask = (params: object) =>
    store.copies
      .search(tenant, copyKey, parseQuery(catalog.asana.entities.tasks.searchable, { query, ...params }))
      .catch(nothingInTime)
  const before = question.deep === 0 ? null : await ask({ limit: question.deep })
  // Where there are not so many hits, the first page is asked for.
  const cursor = before?.nextCursor ?? null
  const last = cursor === null ? null : hitsIn(before!).at(-1)!
  const sql = sqlOf(table, question, last)
  const asked = JSON.stringify({ query, limit: question.limit })
  const name = last === null ? asked : `${asked} after ${question.deep}`
  const search = () => ask({ limit: question.limit, ...(cursor !== null && { cursor }) })
  const plain = () => table.ask(sql)
  const [found, rows] = [await search(), await plain()]
  if (found !== null)
    assert.deepEqual(
      hitsIn(found).map(({ id }) => id),
      rows.map(([id]) => id),
      `${name}\n${sql}`,
    )
  return { name, sql, search, plain }
}

/** A search that is ended at its time limit is a slow one, and the others are asked all the same. */
function nothingInTime(error: unknown): null {
  if (error instanceof ConexError && error.code === 'invalid_query') return null
  throw error
}

interface Times {
  ours: number
  theirs: number
}

interface Compared extends Times {
  readonly name: string
}

/**
 * The shortest time of each, which what else the machine does changes least; both take turns in going first. A question near a
 * bar, on either side of it, is asked more often: on a busy machine it takes many rounds until both have had a quiet moment.
 */
async function measure({ search, plain }: Sides, clock: () => number): Promise<Times> {
  const times: Times = { ours: Number.POSITIVE_INFINITY, theirs: Number.POSITIVE_INFINITY }
  const ask = async (side: keyof Times, work: () => Promise<unknown>) => {
    times[side] = Math.min(times[side], await spent(work, clock))
  }
  const rounds = async (most: number, ms: number) => {
    const end = performance.now() + ms
    for (let round = 0; round < 3 || (round < most && performance.now() < end); round++) {
      if (round % 2 === 0) await ask('ours', search)
      await ask('theirs', plain)
      if (round % 2 === 1) await ask('ours', search)
    }
  }
  await rounds(15, 1500)
  if (ratioOf(times) > 3 || times.ours > 100) await rounds(25, 3500)
  return times
}

async function spent(work: () => Promise<unknown>, clock: () => number): Promise<number> {
  const start = clock()
  await work()
  return clock() - start
}

const isHigh = (times: Times): boolean => ratioOf(times) > 4
const isSlow = ({ ours, theirs }: Times): boolean => ours > 150 && theirs < ours / 2

function rowOf(what: string, compared: readonly Compared[], worst: number, details: readonly string[]): Row {
  const ratios = compared.map(ratioOf).sort((one, other) => one - other)
  const under = (share: number) => ratios[Math.min(ratios.length - 1, Math.floor(ratios.length * share))]!
  const [high, slow] = [compared.filter(isHigh), compared.filter(isSlow)]
  const [middle, last] = [median(ratios), under(0.99)]
  const most = (of: (one: Compared) => number) => compared.toSorted((one, other) => of(other) - of(one)).slice(0, worst)
  return {
    what,
    against: 'plain SQL by hand on an ordinary table',
    ratio: middle,
    wanted: '≤ 1.5, the 99th percentile ≤ 4, none over 150 ms where plain SQL takes less than half',
    reached: middle <= 1.5 && last <= 4 && slow.length === 0,
    details: [
      ...details,
      `middle ${middle.toFixed(2)}, 90th percentile ${under(0.9).toFixed(2)}, 99th ${last.toFixed(2)}, ${high.length} above 4`,
      `${slow.length} over 150 ms where plain SQL takes less than half`,
      ...['the slowest:', ...most(({ ours }) => ours).map(lineOf)],
      ...['the highest ratios:', ...most(ratioOf).map(lineOf)],
    ],
  }
}

const ratioOf = ({ ours, theirs }: Times): number => ours / theirs
const lineOf = (one: Compared): string =>
  `${ratioOf(one).toFixed(2)}  ${one.ours.toFixed(1)} ms against ${one.theirs.toFixed(1)} ms, ${one.name}`
