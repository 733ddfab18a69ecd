import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, it } from 'node:test'
import Database from 'better-sqlite3'
import { agentGrantSuite } from '../agent-grants.suite.ts'
import { consentSuite } from '../consents.suite.ts'
import { eventSuite } from '../events.suite.ts'
import { openStore } from '../open.ts'
import { securitySuite } from '../security.suite.ts'
import { applyMissing, type Migration } from '../sql/migrations.ts'
import { storeSuite } from '../store.suite.ts'
import { SqliteQueries } from './queries.ts'

const folder = mkdtempSync(join(tmpdir(), 'conex-store-'))
after(() => rmSync(folder, { recursive: true }))

storeSuite('SQLite', () => openStore(`sqlite:${join(folder, 'suite.db')}`))
consentSuite('SQLite', () => openStore(`sqlite:${join(folder, 'consents.db')}`))
agentGrantSuite('SQLite', () => openStore(`sqlite:${join(folder, 'agents.db')}`))
securitySuite('SQLite', () => openStore(`sqlite:${join(folder, 'security.db')}`))
eventSuite('SQLite', () => openStore(`sqlite:${join(folder, 'events.db')}`))

it('keeps the file and its folder to their owner', async () => {
  const file = join(folder, 'deep', 'down', 'conex.db')
  const store = await openStore(`sqlite:${file}`)
  await store.ready()
  assert.equal(statSync(join(folder, 'deep', 'down')).mode & 0o777, 0o700)
  for (const name of [file, `${file}-wal`, `${file}-shm`]) assert.equal(statSync(name).mode & 0o077, 0, name)
  await store.close()
})

it('takes addresses in all spellings of a path, and refuses others without showing a password', async () => {
  for (const address of [`sqlite:${folder}/a.db`, `sqlite://${folder}/a.db`]) await (await openStore(address)).close()
  for (const address of ['mariadb://user:hunter2@db/conex', 'sqlite:', 'sqlite::memory:', 'mysql://x', ''])
    await assert.rejects(
      () => openStore(address),
      (error: Error) => /is not supported\. Use sqlite:/.test(error.message) && !error.message.includes('hunter2'),
    )
})

it('says in a sentence that there is no database, without showing a password', async () => {
  writeFileSync(join(folder, 'text.db'), 'no database '.repeat(100))
  for (const address of [`sqlite:${folder}`, `sqlite:${folder}/text.db`, 'postgres://user:hunter2@localhost:1/conex'])
    await assert.rejects(openStore(address), (error: Error) => {
      assert.match(error.message, /^The database cannot be opened: .+\. Look whether .* CONEX_DATABASE_URL\.$/)
      assert.ok(!error.message.includes('hunter2'))
      return true
    })
})

it('applies each step once when many processes start at the same time', async () => {
  const file = join(folder, 'race.db')
  const program = `
    const { openStore } = await import(${JSON.stringify(new URL('../open.ts', import.meta.url).href)})
    const store = await openStore(${JSON.stringify(`sqlite:${file}`)})
    await store.ready()
    await store.close()`
  const exits = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: 'inherit' })
      return (await once(child, 'exit'))[0] as number
    }),
  )
  assert.deepEqual(exits, [0, 0, 0, 0])
})

const migrate = (database: Database.Database, steps: readonly Migration[]) =>
  new SqliteQueries(database).transaction(() => applyMissing(steps))

it('applies a step whole or not at all', async () => {
  const database = new Database(':memory:')
  await assert.rejects(migrate(database, [['create table a (x integer)', 'not sql']]))
  assert.equal(database.prepare("select count(*) from sqlite_schema where name = 'a'").pluck().get(), 0)
  await migrate(database, [['create table a (x integer)']])
  await migrate(database, [['not run again'], ['create table b (x integer)']])
  assert.equal(database.prepare('select max(number) from migrations').pluck().get(), 2)
})

it('refuses a database that a newer version has changed', async () => {
  const database = new Database(':memory:')
  await migrate(database, [[], []])
  await assert.rejects(migrate(database, [[]]), /newer version of Conex/)
})
