/** The rows of a copy, read from one database and inserted into another by hand: ready-made, in batches, with the same indexes. */
import Database from 'better-sqlite3'
import pg from 'pg'
import type { Json } from '../src/search/query.ts'
import type { ReadRecord } from '../src/store/copy.ts'
import { searchableEntities } from '../src/store/entity-tables.ts'
import { CopyTables } from '../src/store/sqlite/copy-table.ts'
import { wordsWriter } from '../src/store/sqlite/copy-words.ts'
import { catalog } from './search-records.ts'

export interface Rows {
  /** Makes a batch of rows ready, of records that the first database has. */
  prepare(page: readonly ReadRecord[]): Promise<() => Promise<void>>
  close(): Promise<void>
}

const name = 'copy_asana_tasks'

export function rowsSqlite(from: string, to: string): Rows {
  const source = new Database(from, { readonly: true })
  const target = new Database(to)
  target.pragma('synchronous = normal')
  target.pragma('cache_size = -65536')
  const { worded } = new CopyTables(searchableEntities(catalog)).get('asana', 'tasks')
  const read = source.prepare(`select * from ${name} where _copy = 1 and _id = ?`).raw(true)
  const places = read.columns().map(() => '?')
  const insert = target.prepare(`insert into ${name} values (${places.join(', ')})`)
  const index = target.prepare(`insert into ${name}_words (rowid, words) values (?, cast(? as text))`)
  const writer = wordsWriter(worded)
  return {
    async prepare(page) {
      const rows = page.map(({ id }) => read.get(id) as [number, ...unknown[]])
      const words = page.map(({ data }) => Buffer.from(writer.write(1, data as Record<string, Json>)))
      const write = target.transaction(() => {
        for (const [place, row] of rows.entries()) {
          insert.run(...row)
          index.run(BigInt(row[0]), words[place])
        }
      })
      return async () => {
        write.immediate()
      }
    },
    async close() {
      source.close()
      target.close()
    },
  }
}

export async function rowsPostgres(from: string, to: string): Promise<Rows> {
  const [source, target] = [new pg.Client(from), new pg.Client(to)]
  await source.connect()
  await target.connect()
  const { rows: columns } = await source.query<{ name: string; type: string }>(
    `select quote_ident(attname) as name, format_type(atttypid, null) as type from pg_attribute where attrelid = '${name}'::regclass and attnum > 0 and not attisdropped order by attnum`,
  )
  const read = `select ${columns.map(({ name: column }) => `${column}::text`).join(', ')} from ${name} where _copy = 1 and _id = any($1)`
  const write = `insert into ${name} select ${columns.map(({ type }, place) => `c${place}::${type}`).join(', ')}
    from unnest(${columns.map((_, place) => `$${place + 1}::text[]`).join(', ')}) as given (${columns.map((_, place) => `c${place}`).join(', ')})`
  return {
    async prepare(page) {
      const { rows } = await source.query<unknown[]>({
        text: read,
        values: [page.map(({ id }) => id)],
        rowMode: 'array',
      })
      const lists = columns.map((_, place) => rows.map((row) => row[place]))
      return async () => {
        await target.query(write, lists)
      }
    },
    async close() {
      await Promise.all([source.end(), target.end()])
    },
  }
}
