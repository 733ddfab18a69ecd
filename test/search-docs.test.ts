/** The page about search, as it stands there, on both databases. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { startPostgres, type TestServer } from '../src/store/postgres/server.suite.ts'
import { isFine } from './hosted.ts'
import { type Synced, startSynced } from './sync/synced.ts'

const page = readFileSync(new URL('../docs/search.md', import.meta.url), 'utf8')
const blocks = (language: string): string[] =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map((match) => match[1]!)
const operators = 'eq|neq|gte|in|like|fuzzy|keyword|contains|any|or|not'
const conditions = [...page.matchAll(new RegExp(`\`(\\{"(?:${operators})": .*?\\})\``, 'g'))].map((match) => match[1]!)
const [onSqlite, onPostgres] = blocks('sql') as [string, string]
const grant = page.match(/`(grant .*?)`/)![1]!
const ofSystem = page.match(/`(datetime\(.*?\))`/)![1]!

type Ask = (sql: string) => Promise<Record<string, unknown>[]>

describe('the page about search', () => {
  let postgres: TestServer
  let url: string
  before(async () => {
    postgres = await startPostgres()
    url = await postgres.freshDatabase()
  })
  after(() => postgres.stop())

  /** A small copy of Asana, and a way to ask its database. */
  async function copied(databaseUrl?: string): Promise<{ on: Synced; ask: Ask; close: () => Promise<void> }> {
    const settings = databaseUrl === undefined ? {} : { settings: { databaseUrl } }
    const on = await startSynced('asana', { simulators: { scale: 60 }, ...settings })
    await on.sync()
    if (databaseUrl === undefined) {
      const file = new Sqlite(join(on.hosted.folder, 'conex.db'), { readonly: true })
      const close = async () => {
        file.close()
        await on.close()
      }
      return { on, ask: async (sql) => file.prepare<[], Record<string, unknown>>(sql).all(), close }
    }
    const client = new pg.Client(databaseUrl)
    await client.connect()
    const close = async () => {
      await client.end()
      await on.close()
    }
    return { on, ask: async (sql) => (await client.query(sql)).rows, close }
  }

  for (const name of ['SQLite', 'PostgreSQL'] as const)
    it(`shows searches, conditions and SQL that ${name} answers`, async (t) => {
      const { on, ask, close } = await copied(name === 'SQLite' ? undefined : url)
      t.after(close)
      assert.ok(blocks('json').length >= 4 && conditions.length >= 10 && blocks('sql').length === 2)
      for (const search of blocks('json')) isFine(await on.search('tasks', JSON.parse(search)))
      for (const filter of conditions) isFine(await on.search('tasks', { query: { filter: JSON.parse(filter) } }))

      const open = { filter: { eq: { completed: false } }, sort: [{ due_on: 'asc' }] }
      const { hits } = isFine(await on.search('tasks', { query: open })).result
      const sql = (name === 'SQLite' ? onSqlite : onPostgres).replace('01900000-0000-7000-8000-000000000000', on.id)
      const rows = await ask(sql)
      if (name === 'SQLite') {
        assert.deepEqual(Object.keys(rows[0]!), ['name', 'who', 'due_on'])
        assert.equal(rows.length, hits.length)
        const names = (of: readonly { name?: unknown }[]) => of.map((one) => one.name).toSorted()
        assert.deepEqual(names(rows), names(hits.map(({ data }: { data: object }) => data)))
        // The form in which Meta writes times.
        const [read] = await ask(`select ${ofSystem.replaceAll('created_time', "'2024-03-10T01:30:00-0800'")} as read`)
        assert.deepEqual(read, { read: '2024-03-10 09:30:00' })
      } else {
        assert.deepEqual(Object.keys(rows[0]!), ['who', 'tasks', 'last_change'])
        assert.equal(
          rows.reduce((sum, { tasks }) => sum + Number(tasks), 0),
          hits.length,
        )
        assert.ok(rows.every(({ last_change: time }) => time instanceof Date))
        const [table] = await ask('select name from copy_tables limit 1')
        await ask(`create role reports; ${grant}; set role reports`)
        assert.deepEqual(await ask(sql), rows)
        await assert.rejects(ask(`select * from ${table!.name}`), /permission denied/)
      }
    })
})
