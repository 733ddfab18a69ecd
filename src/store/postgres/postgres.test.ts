import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, before, it } from 'node:test'
import { agentGrantSuite } from '../agent-grants.suite.ts'
import { consentSuite } from '../consents.suite.ts'
import { eventSuite } from '../events.suite.ts'
import { openStore } from '../open.ts'
import { sampleCatalog } from '../samples.suite.ts'
import { securitySuite } from '../security.suite.ts'
import { applyMissing, type Migration } from '../sql/migrations.ts'
import { storeSuite } from '../store.suite.ts'
import { Database } from './database.ts'
import { migrate } from './migrate.ts'
import { startPostgres, type TestServer } from './server.suite.ts'

let server: TestServer
let url: string
let security: string
let consents: string
before(async () => {
  server = await startPostgres()
  consents = await server.freshDatabase()
  security = await server.freshDatabase()
  url = await server.freshDatabase()
})
after(() => server.stop())

storeSuite('PostgreSQL', () => openStore(url))
consentSuite('PostgreSQL', () => openStore(consents))
agentGrantSuite('PostgreSQL', () => openStore(consents))
securitySuite('PostgreSQL', () => openStore(security))
eventSuite('PostgreSQL', () => openStore(security))

const connect = (address: string) => new Database(address, { connections: 2, statementMs: 10_000 })

it('takes addresses of both spellings, and refuses others without showing a password', async () => {
  const postgresql = url.replace('postgres://', 'postgresql://')
  for (const address of [url, postgresql]) await (await openStore(address)).close()
  for (const address of ['postgres://user:hunter2@db', 'postgres://user:hunter2@db/', 'postgresql:/x', 'postgres://'])
    await assert.rejects(
      () => openStore(address),
      (error: Error) => /is not supported\. Use .*postgres:/.test(error.message) && !error.message.includes('hunter2'),
    )
  await assert.rejects(
    () => openStore('postgres://user:hunter2@127.0.0.1:1/conex'),
    (error: Error) => !error.message.includes('hunter2'),
  )
})

it('applies each step once when many processes start at the same time', async () => {
  const address = await server.emptyDatabase()
  const program = `
    const { openStore } = await import(${JSON.stringify(new URL('../open.ts', import.meta.url).href)})
    const { catalog } = await import(${JSON.stringify(new URL('../../connectors/index.ts', import.meta.url).href)})
    const store = await openStore(${JSON.stringify(address)}, catalog)
    await store.ready()
    await store.close()`
  const exits = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: 'inherit' })
      return (await once(child, 'exit'))[0] as number
    }),
  )
  assert.deepEqual(exits, [0, 0, 0, 0])
  const database = connect(address)
  const [tables] = await database.all<{ n: number }>('select count(*)::int as n from copy_tables')
  assert.ok(tables!.n > 20)
  await database.close()
})

it('applies a step whole or not at all', async () => {
  const database = connect(await server.emptyDatabase())
  const apply = (...steps: readonly Migration[]) => migrate(database, () => applyMissing(steps))
  await assert.rejects(apply(['create table a (x integer)', 'not sql']))
  assert.deepEqual(await database.all("select 1 from pg_class where relname = 'a'"), [])
  await apply(['create table a (x integer)'])
  await apply(['not run again'], ['create table b (x integer)'])
  assert.equal((await database.all<{ n: number }>('select max(number) as n from migrations'))[0]!.n, 2)
  await assert.rejects(apply([]), /newer version of Conex/)
  await database.close()
})

it('refuses a database that cannot keep every text', async () => {
  const admin = connect(url)
  await admin.run("create database latin encoding 'LATIN1' locale_provider libc locale 'C' template template0")
  await assert.rejects(openStore(url.replace(/test_\w+/, 'latin')), /encoding 'UTF8'/)
  await admin.run('drop database latin')
  await admin.close()
})

it('lets every table and index of connectors and copies lead with whose they are', async () => {
  const address = await server.freshDatabase()
  await (await openStore(address, sampleCatalog())).close()
  const database = connect(address)
  const indexes = await database.all<{ tablename: string; indexname: string; indexdef: string }>(
    "select tablename, indexname, indexdef from pg_indexes where schemaname = 'public'",
  )
  assert.ok(indexes.length > 30)
  // What has an end is removed across organizations, and who comes back with a state or a code is not known before.
  const leads =
    /\((expires_at|state_hash|code_hash|grant_hash|key|id|organization_id|connector_id|_copy|copy|number|name|_words)\b/
  for (const { tablename, indexdef } of indexes) if (tablename !== 'migrations') assert.match(indexdef, leads)
  // What is ordered or compared as text is so by code point, whatever language the database is set to.
  const keys = await database.all<{ collation: string }>(
    `select distinct coalesce(c.collname, '-') as collation from pg_index i
      join pg_class r on r.oid = i.indrelid cross join unnest(i.indcollation) as x(oid)
      left join pg_collation c on c.oid = x.oid where r.relnamespace = 'public'::regnamespace and x.oid <> 0`,
  )
  assert.deepEqual(keys, [{ collation: 'C' }])
  await database.close()
})
