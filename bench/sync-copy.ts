/** Writing records into the copy as a sync does, beside the same records inserted by hand into an ordinary table with its indexes. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '../src/store/open.ts'
import { startPostgres } from '../src/store/postgres/server.suite.ts'
import { startChild } from './child.ts'
import { median, type Row } from './row.ts'
import { beginCopy, catalog, copyKey, tasks, tenant } from './search-records.ts'
import { type PlainTable, plainPostgres, plainSqlite } from './search-sql.ts'

/** Few enough for some minutes, many enough that indexes have their depth. */
const records = 100_000
/** The smaller number is what it takes until caches and heaps have their size. */
const memoryRecords = 400_000

export async function benchSyncSqlite(): Promise<Row> {
  const folder = mkdtempSync(join(tmpdir(), 'conex-bench-'))
  const [ours, theirs, memory] = ['ours', 'theirs', 'memory'].map((name) => join(folder, `${name}.db`)) as [
    string,
    string,
    string,
  ]
  try {
    const urls = { ours: `sqlite:${ours}`, theirs: `sqlite:${theirs}`, memory: `sqlite:${memory}` }
    return await compare('SQLite', urls, async () => plainSqlite(theirs))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

export async function benchSyncPostgres(): Promise<Row> {
  const server = await startPostgres()
  try {
    const fresh = () => server.freshDatabase()
    const urls = { ours: await fresh(), theirs: await fresh(), memory: await fresh() }
    return await compare('PostgreSQL', urls, () => plainPostgres(urls.theirs))
  } finally {
    await server.stop()
  }
}

interface Urls {
  readonly ours: string
  readonly theirs: string
  readonly memory: string
}

async function compare(title: string, urls: Urls, open: () => Promise<PlainTable>): Promise<Row> {
  const store = await openStore(urls.ours, catalog)
  const lease = await beginCopy(store)
  const table = await open()
  await table.create()
  await table.index()
  const rounds: { readonly ours: number; readonly theirs: number }[] = []
  try {
    for (const page of tasks(0, records)) {
      const write = () => store.copies.commit(tenant, copyKey, lease, { records: page })
      const ours = await perSecond(page.length, write)
      rounds.push({ ours, theirs: await perSecond(page.length, () => table.insert(page)) })
    }
  } finally {
    await table.close()
    await store.close()
  }
  const child = await startChild<Memory>('fill-copy', { url: urls.memory, records: memoryRecords }, boundedGarbage)
  const { small, before, after } = child.ready
  const ratio = median(rounds.map(({ ours, theirs }) => ours / theirs))
  return {
    what: `sync into the copy on ${title}, ${records} records, rows/s`,
    against: 'the same records inserted by hand, as many at a time, into an ordinary table with its indexes',
    ratio,
    wanted: '≥ 0.70, memory flat as the volume grows tenfold',
    reached: ratio >= 0.7 && after - before < 32,
    details: [
      `${median(rounds.map(({ ours }) => ours)).toFixed(0)}/s against ${median(rounds.map(({ theirs }) => theirs)).toFixed(0)}/s, ${rounds.length} rounds`,
      `the process held at most ${before.toFixed(0)} MiB after ${small} records and ${after.toFixed(0)} MiB after ${memoryRecords}, with at most 24 MiB of new garbage per thread`,
    ],
  }
}

/**
 * V8 lets more and more garbage gather the longer a program makes it, here up to 100 MiB that nobody holds, most of it from
 * making the records. With a bound on that, what grows is what the store holds.
 */
const boundedGarbage = { NODE_OPTIONS: '--max-semi-space-size=8' }

interface Memory {
  readonly small: number
  readonly before: number
  readonly after: number
}

async function perSecond(count: number, write: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await write()
  return count / ((performance.now() - start) / 1000)
}
