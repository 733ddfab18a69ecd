/** A thread with a connection of its own: it writes copies, or it searches them, so that neither keeps other requests waiting. */
import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import Database from 'better-sqlite3'
import { ConexError } from '../../errors.ts'
import { parseJson } from '../../json.ts'
import type { Query } from '../../search/query.ts'
import type { CopyKey, ReadRecord } from '../copy.ts'
import { EntityTables, type SearchableEntity } from '../entity-tables.ts'
import { bookkeeping } from '../store.ts'
import type { Tenant } from '../tenant.ts'
import { packError, type ThreadError } from '../thread-error.ts'
import { sqliteRecords } from './copy-records.ts'
import { copySearching, type FoundBytes } from './copy-searching.ts'
import { copyTable, tableLayout } from './copy-table.ts'
import { SqliteQueries } from './queries.ts'

export interface ThreadData {
  readonly role: 'write' | 'search'
  readonly file: string
  readonly entities: readonly SearchableEntity[]
  /** How long a search may take. */
  readonly limitMs: number
  /** How large the file may grow, in pages. */
  readonly mostPages?: number | undefined
  /** In shared memory: not 0 when nobody waits for the job any more. */
  readonly abandoned: Int32Array
}

export interface ThreadJob {
  readonly name: string
  readonly args: readonly unknown[]
}

export type ThreadAnswer = { readonly value: unknown } | { readonly error: ThreadError }

// Where threads have a priority of their own, searches give way to the thread that answers requests.
if (workerData.role === 'search' && process.platform === 'linux') setPriority(10)

const { role, file, entities, limitMs, mostPages, abandoned } = workerData as ThreadData
const port = parentPort!
const database = open()
const functions = role === 'write' ? writing() : searching()

port.on('message', async ({ name, args }: ThreadJob) => {
  try {
    const value = await functions[name]!(args)
    port.postMessage({ value } satisfies ThreadAnswer, role === 'search' ? [(value as FoundBytes).hits.buffer] : [])
  } catch (error) {
    port.postMessage({ error: packError(error) } satisfies ThreadAnswer)
  }
})

type Functions = Readonly<Record<string, (args: readonly unknown[]) => unknown>>

function open(): Database.Database {
  const opened = new Database(file, { readonly: role === 'search', timeout: 30_000 })
  opened.pragma('foreign_keys = on')
  // What a power cut could take was committed together with its checkpoint, so that it is read again.
  if (role === 'write') opened.pragma('synchronous = normal')
  if (mostPages !== undefined) opened.pragma(`max_page_count = ${mostPages}`)
  // As on the other connection: deleted content is overwritten where that costs no further page.
  opened.pragma('secure_delete = fast')
  // Reading through the page cache of the system saves a copy of every page.
  opened.pragma(`mmap_size = ${2 ** 31 - 65_536}`)
  opened.pragma('cache_size = -65536')
  return opened
}

/** By the port and the name of each function. */
function writing(): Functions {
  const { copies, ...others } = bookkeeping({
    queries: new SqliteQueries(database),
    tables: new EntityTables(entities, copyTable),
    records: sqliteRecords(database),
    layout: tableLayout,
  })
  const commit: typeof copies.commit = (tenant, copy, lease, page) =>
    copies.commit(tenant, copy, lease, { ...page, records: page.records.map(parsed) })
  const named = Object.entries({ ...others, copies: { ...copies, commit } }).flatMap(([port, work]) =>
    Object.entries(work).map(([name, run]) => [`${port}.${name}`, (args: never[]) => run(...args)]),
  )
  return Object.fromEntries(named)
}

/** Pages come with their records as JSON. */
const parsed = (record: ReadRecord): ReadRecord => parseJson(record as unknown as string) as unknown as ReadRecord

function searching(): Functions {
  const search = copySearching(database, new EntityTables(entities, copyTable))
  return {
    search: ([tenant, copy, query]) => {
      const end = performance.now() + limitMs
      return search(tenant as Tenant, copy as CopyKey, query as Query, () => {
        if (Atomics.load(abandoned, 0) !== 0) throw new Error('No caller waits for this search any more.')
        if (performance.now() > end) throw tooSlow()
      })
    },
  }
}

const tooSlow = (): ConexError =>
  new ConexError(
    'invalid_query',
    `The search was ended after ${limitMs / 1000} seconds; narrow it, for example by a field that must equal something, or ask for fewer hits.`,
    { issues: [{ path: '/params/query', message: `takes longer than ${limitMs / 1000} seconds` }] },
  )
