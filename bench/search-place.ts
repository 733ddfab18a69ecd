/** A filled copy, and beside it the same tasks in an ordinary table. */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import Database from 'better-sqlite3'
import pg from 'pg'
import { openStore } from '../src/store/open.ts'
import { addressOf, runPostgres, runSql } from '../src/store/postgres/run-server.suite.ts'
import type { Store } from '../src/store/store.ts'
import { catalog, fillCopy, tasks } from './search-records.ts'
import { type PlainTable, plainPostgres, plainSqlite } from './search-sql.ts'

export interface SearchPlace {
  readonly title: string
  readonly store: Store
  readonly table: PlainTable
  /**
   * Milliseconds: of this process's processor where the database is in it, so that other work on the machine counts little; else as
   * they pass.
   */
  clock(): number
  /** How long it took to fill, where it was not filled before. */
  readonly filling: readonly string[]
  close(): Promise<void>
}

/** Where to look for what was filled before, and to leave it; without a folder all goes in the end. */
export interface PlaceOptions {
  readonly keep?: string
  /** Fills the copy again, whose tables are others since it was kept. */
  readonly refill: boolean
  readonly records: number
}

export async function placeSqlite(options: PlaceOptions): Promise<SearchPlace> {
  const { folder, leave } = roomFor(options)
  const filling: string[] = []
  /** A file counts as filled when it has its name. */
  const filled = async (name: string, fill: (file: string) => Promise<void>): Promise<string> => {
    const [file, begun] = [join(folder, `${name}.db`), join(folder, `${name}-begun.db`)]
    if (name === 'copy' && options.refill) rmSync(file, { force: true })
    if (existsSync(file)) return file
    for (const end of ['', '-wal', '-shm']) rmSync(begun + end, { force: true })
    filling.push(await timed(name, () => fill(begun)))
    renameSync(begun, file)
    return file
  }
  const copy = await filled('copy', async (file) => {
    await fillCopy(`sqlite:${file}`, options.records)
    const database = new Database(file)
    database.exec('analyze')
    database.close()
  })
  const plain = await filled('plain', (file) => fillTable(plainSqlite(file), options.records))
  const store = await openStore(`sqlite:${copy}`, catalog)
  const table = plainSqlite(plain)
  return {
    title: 'SQLite',
    store,
    table,
    filling,
    clock: processorTime,
    async close() {
      await table.close()
      await store.close()
      leave()
    },
  }
}

export async function placePostgres(options: PlaceOptions): Promise<SearchPlace> {
  const { folder, leave } = roomFor(options)
  const server = await runPostgres(join(folder, 'postgres'))
  const filling: string[] = []
  /** A database counts as filled when it has its name. */
  const filled = async (name: string, fill: (url: string) => Promise<void>): Promise<string> => {
    const url = addressOf(server.folder, name)
    if (name === 'copy' && options.refill) await runSql(server.folder, `drop database if exists ${name}`)
    if (await isThere(url)) return url
    const begun = `${name}_begun`
    await runSql(server.folder, `drop database if exists ${begun}`)
    await runSql(server.folder, `create database ${begun}`)
    filling.push(await timed(name, () => fill(addressOf(server.folder, begun))))
    await runSql(server.folder, `alter database ${begun} rename to ${name}`)
    return url
  }
  const copy = await filled('copy', async (url) => {
    await fillCopy(url, options.records)
    await withClient(url, (client) => client.query('vacuum analyze'))
  })
  const plain = await filled('plain', async (url) => fillTable(await plainPostgres(url), options.records))
  const store = await openStore(copy, catalog)
  const table = await plainPostgres(plain)
  return {
    title: 'PostgreSQL',
    store,
    table,
    filling,
    clock: () => performance.now(),
    async close() {
      await table.close()
      await store.close()
      await server.stop()
      leave()
    },
  }
}

function processorTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function roomFor({ keep, records }: PlaceOptions): { readonly folder: string; leave(): void } {
  if (keep === undefined) {
    const folder = mkdtempSync(join(tmpdir(), 'conex-bench-'))
    return { folder, leave: () => rmSync(folder, { recursive: true, force: true }) }
  }
  const folder = resolve(keep, String(records))
  mkdirSync(folder, { recursive: true })
  return { folder, leave: () => {} }
}

async function withClient(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await work(client).finally(() => client.end())
}

/** Whether there is such a database on a server that runs. */
const isThere = (url: string): Promise<boolean> =>
  withClient(url, (client) => client.query('select')).then(
    () => true,
    () => false,
  )

async function fillTable(table: PlainTable, records: number): Promise<void> {
  await table.create()
  for (const page of tasks(0, records)) await table.insert(page)
  await table.index()
  await table.close()
}

async function timed(name: string, work: () => Promise<void>): Promise<string> {
  const start = performance.now()
  await work()
  return `filled ${name} in ${((performance.now() - start) / 1000).toFixed(0)} s`
}
