/** Search with one operator among many records, against the best SQL that somebody writes by hand on the same database. */
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseQuery } from '../src/search/parse-query.ts'
import { startPostgres } from '../src/store/postgres/server.suite.ts'
import type { Store } from '../src/store/store.ts'
import { median, type Row } from './row.ts'
import { searchPostgres } from './search-postgres.ts'
import { type Asked, asked, type Question, type QuestionKey, questionsOf } from './search-questions.ts'
import { catalog, copyKey, fillCopy, tenant } from './search-records.ts'
import { searchSqlite } from './search-sqlite.ts'

/** A database with a filled copy, searched by Conex and by hand. */
export interface SearchPlace {
  readonly title: string
  readonly store: Store
  /** The database works in this process, so that its processor time is the whole of it. */
  readonly isEmbedded: boolean
  /** Ways to get the same hits as the same JSON, with commas between them. */
  byHand(question: QuestionKey): readonly Way[]
  sizes(): Promise<string> | string
  close(): Promise<void>
}

/** SQL by hand. */
export interface Way {
  /** In this thread, which cannot answer anybody else meanwhile. */
  run(): Promise<string | Buffer>
  /** In a thread of its own, where the database is embedded: as it has to be where others are not to wait. */
  runInThread?(): Promise<string | Buffer>
}

/** What may be chosen on the command line. */
export interface SearchOptions {
  /** A SQLite file that was filled before; without it one is made, which takes some minutes. */
  readonly file?: string
  readonly records: number
}

export async function benchSearchSqlite({ file, records }: SearchOptions): Promise<Row> {
  const folder = file === undefined ? mkdtempSync(join(tmpdir(), 'conex-bench-')) : null
  const path = file ?? join(folder!, 'conex.db')
  const details: string[] = []
  try {
    if (!existsSync(path)) details.push(`filled at ${(await fillCopy(`sqlite:${path}`, records)).toFixed(0)} records/s`)
    return await measure(await searchSqlite(path, asked(records)), records, asked(records), details)
  } finally {
    if (folder !== null) rmSync(folder, { recursive: true })
  }
}

export async function benchSearchPostgres({ records }: SearchOptions): Promise<Row> {
  const server = await startPostgres()
  try {
    const url = await server.freshDatabase()
    const details = [`filled at ${(await fillCopy(url, records)).toFixed(0)} records/s`]
    return await measure(await searchPostgres(url, asked(records)), records, asked(records), details)
  } finally {
    await server.stop()
  }
}

/** Asks everything both ways, and closes the place. */
export async function measure(place: SearchPlace, count: number, values: Asked, details: string[]): Promise<Row> {
  const results: Compared[] = []
  // Where searches give way to other work, SQL by hand has to as well: on a busy machine it would win by that alone.
  if (process.platform === 'linux') setPriority(10)
  try {
    for (const [key, question] of Object.entries(questionsOf(values)) as [QuestionKey, Question][]) {
      const compared = await compare(place, key, question)
      results.push(compared)
      details.push(`${compared.ratio.toFixed(2)}  ${compared.line}`)
    }
    details.push(`sizes: ${await place.sizes()}`)
  } finally {
    await place.close()
  }
  const ratios = results.map(({ ratio }) => ratio)
  const within = countWithin(ratios)
  if (place.isEmbedded) {
    const ofThread = results.map((one) => one.ofThread)
    details.push(
      `against the same SQL in a thread, where it keeps nobody waiting: ${countWithin(ofThread)} of ${ofThread.length} within 1.3, the middle one ${median(ofThread).toFixed(2)}`,
    )
  }
  const slowest = Math.max(...results.map(({ ours }) => ours))
  return {
    what: `search on ${place.title}, ${count} records, 100 hits: ${within} of ${ratios.length} within 1.3, the middle one ${median(ratios).toFixed(2)}, the slowest takes ${slowest.toFixed(1)} ms`,
    against: 'the best SQL by hand on the same database',
    ratio: Math.max(...ratios),
    wanted: '≤ 1.30 and no operator over 100 ms',
    reached: within === ratios.length && slowest <= 100,
    details,
  }
}

const countWithin = (ratios: readonly number[]): number => ratios.filter((ratio) => ratio <= 1.3).length

interface Compared {
  readonly ratio: number
  /** Against the same SQL in a thread, where there is one. */
  readonly ofThread: number
  readonly ours: number
  readonly line: string
}

async function compare(place: SearchPlace, key: QuestionKey, { name, filter, sort }: Question): Promise<Compared> {
  const { searchable } = catalog.asana.entities.tasks
  const query = parseQuery(searchable, { query: { filter, ...(sort && { sort }) }, limit: 100 })
  const search = () => place.store.copies.search(tenant, copyKey, query)
  const { hits, count } = await search()
  const ways: { way: Way; cost: number }[] = []
  for (const way of place.byHand(key)) {
    assert.deepEqual(JSON.parse(`[${await way.run()}]`), JSON.parse(`[${hits}]`), `${name} by hand`)
    const { time, processor } = await spent(way.run)
    ways.push({ way, cost: place.isEmbedded ? processor : time })
  }
  const best = ways.reduce((one, other) => (other.cost < one.cost ? other : one)).way
  const rounds = await besides(search, best.run)
  const middle = (of: (round: Round) => number) => median(rounds.map(of))
  const ours = middle((round) => round.ours.time)
  const ratio = middle(({ ours, theirs }) => ours.time / theirs.time)
  const line = `${name}: ${ours.toFixed(2)} ms against ${middle(({ theirs }) => theirs.time).toFixed(2)} ms, ${count} hits`
  if (best.runInThread === undefined) return { ratio, ofThread: ratio, ours, line }
  const processor = middle((round) => round.ours.processor) / middle((round) => round.theirs.processor)
  // In rounds of their own: every further side leaves less of the processor's caches to the others.
  const inThread = await besides(search, best.runInThread)
  const ofThread = median(inThread.map(({ ours, theirs }) => ours.time / theirs.time))
  const more = `${processor.toFixed(2)} of its processor time, ${ofThread.toFixed(2)} of its time in a thread`
  return { ratio, ofThread, ours, line: `${line}; ${more}` }
}

interface Round {
  readonly ours: Spent
  readonly theirs: Spent
}

/** Both sides turn by turn, compiled, as they are in a process that has been up for a while. */
async function besides(ours: () => Promise<unknown>, theirs: () => Promise<unknown>): Promise<Round[]> {
  for (const end = performance.now() + 300; performance.now() < end; ) await ours().then(theirs)
  const rounds: Round[] = []
  for (const end = performance.now() + 10_000; rounds.length < 61 && performance.now() < end; ) {
    const first = rounds.length % 2 === 0 ? await spent(ours) : null
    const other = await spent(theirs)
    rounds.push({ ours: first ?? (await spent(ours)), theirs: other })
  }
  return rounds
}

/** Milliseconds: as they pass, and those that the processor worked for this process, which others on the machine change less. */
interface Spent {
  readonly time: number
  readonly processor: number
}

async function spent(work: () => Promise<unknown>): Promise<Spent> {
  const before = process.cpuUsage()
  const start = performance.now()
  await work()
  const time = performance.now() - start
  const { user, system } = process.cpuUsage(before)
  return { time, processor: (user + system) / 1000 }
}
