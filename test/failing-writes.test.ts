/** A store that does not take what can be had only once: renewed credentials, and what a consent gave. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import Database from 'better-sqlite3'
import pg from 'pg'
import { startPostgres, type TestServer } from '../src/store/postgres/server.suite.ts'
import { startConsenting } from './consenting.ts'
import { connectors, type Hosted, isFine, startHosted } from './hosted.ts'

/** The ways in which a store refuses writes of these tables until it is told to take them again. */
interface Refusing {
  refuse(table: 'connector_credentials' | 'grants'): Promise<void>
  relent(): Promise<void>
  version(connector: string): Promise<number>
  close(): Promise<void>
}

/** Renewals take a right before they ask the system, so that only what is sealed is refused. */
const written = { connector_credentials: 'update of sealed', grants: 'insert' }

function onSqlite(file: string): Refusing {
  const database = new Database(file)
  return {
    async refuse(table) {
      database.exec(
        `create trigger refusing before ${written[table]} on ${table} begin select raise(abort, 'no room for it'); end`,
      )
    },
    relent: async () => void database.exec('drop trigger refusing'),
    version: async (connector) =>
      database
        .prepare<[string], number>('select version from connector_credentials where connector_id = ?')
        .pluck()
        .get(connector)!,
    close: async () => void database.close(),
  }
}

async function onPostgres(url: string): Promise<Refusing> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(
    "create function refuse() returns trigger language plpgsql as $$ begin raise 'no room for it'; end $$",
  )
  let refused = ''
  return {
    async refuse(table) {
      refused = table
      await client.query(
        `create trigger refusing before ${written[table]} on ${table} for each row execute function refuse()`,
      )
    },
    relent: async () => void (await client.query(`drop trigger refusing on ${refused}`)),
    version: async (connector) => {
      const sql = 'select version from connector_credentials where connector_id = $1'
      return (await client.query(sql, [connector])).rows[0].version
    },
    close: () => client.end(),
  }
}

const until = async (done: () => Promise<boolean>): Promise<void> => {
  while (!(await done())) await wait(20)
}

function judge(name: string, start: () => Promise<{ hosted: Hosted; refusing: Refusing }>): void {
  describe(`a write that fails in ${name}`, () => {
    let hosted: Hosted
    let refusing: Refusing
    let connector: string
    const run = () => hosted.execute('workspaces', 'list', {}, { connector })
    const expire = () => hosted.systems.change('asana', { change: 'expire_access_tokens' })
    const used = () =>
      hosted
        .received()
        .filter(({ path }) => path.endsWith('/-/oauth_token'))
        .map(({ body }) => new URLSearchParams(body).get('refresh_token'))

    before(async () => {
      ;({ hosted, refusing } = await start())
      hosted.systems.change('asana', { change: 'settings', rotate_refresh_tokens: true })
      connector = await hosted.connect(hosted.credentials('oauth'))
      hosted.calm()
    })
    after(async () => {
      await refusing.close()
      await hosted.close()
    })

    it('costs no rotated refresh token: callers go on with what it brought, which is stored before the next renewal', async () => {
      expire()
      const before = await refusing.version(connector)
      await refusing.refuse('connector_credentials')
      for (const answer of await Promise.all([run(), run(), run()])) isFine(answer)
      isFine(await run())
      assert.equal(used().length, 1)
      // A token that is refused meanwhile cannot be renewed before: its refresh token is nowhere but in memory.
      expire()
      const late = run()
      await wait(300)
      assert.equal(used().length, 1)
      await refusing.relent()
      isFine(await late)
      await until(async () => (await refusing.version(connector)) === before + 2)
      assert.equal(new Set(used()).size, 2)
      expire()
      isFine(await run())
      const { status } = isFine(await hosted.call('GET', `${connectors}/${connector}`, { token: hosted.ann }))
      assert.equal(status, 'active')
    })

    it('does not keep a connector from being deleted, whose newest grant is given back', async () => {
      expire()
      await refusing.refuse('connector_credentials')
      isFine(await run())
      const deleted = await hosted.call('DELETE', `${connectors}/${connector}`, { token: hosted.ann })
      assert.deepEqual([deleted.status, deleted.headers.get('conex-grant-revoked')], [204, 'true'])
      const revocation = hosted.received().findLast(({ path }) => path.endsWith('/-/oauth_revoke'))
      assert.ok(!used().includes(new URLSearchParams(revocation!.body).get('token')))
      await refusing.relent()
      assert.equal((await hosted.call('GET', `${connectors}/${connector}`, { token: hosted.ann })).status, 404)
    })

    it('costs no consent: the browser goes back with a secret_id that is good as soon as it is stored', async () => {
      const consenting = await startConsenting(hosted)
      await refusing.refuse('grants')
      const secret = await consenting.secretId({ connector_type: 'asana' })
      const creating = consenting.create({ connector_type: 'asana', server_side_oauth_secret_id: secret })
      await wait(100)
      await refusing.relent()
      const created = await creating
      assert.equal(created.status, 201, created.text)
      connector = created.body.id
      isFine(await run())
    })
  })
}

judge('SQLite', async () => {
  const hosted = await startHosted()
  return { hosted, refusing: onSqlite(join(hosted.folder, 'conex.db')) }
})

describe('with PostgreSQL', () => {
  let postgres: TestServer
  before(async () => {
    postgres = await startPostgres()
  })
  after(() => postgres.stop())

  judge('PostgreSQL', async () => {
    const databaseUrl = await postgres.freshDatabase()
    const key = (id: string) => ({ id, secret: new Uint8Array(randomBytes(32)) })
    const settings = { databaseUrl, encryptionKeys: [key('seal')], tokenKeys: [key('sign')] }
    return { hosted: await startHosted({ settings }), refusing: await onPostgres(databaseUrl) }
  })
})

describe('a SQLite file that another process writes to for long', () => {
  it('loses nothing that a renewal brought, and holds up no other request', async (t) => {
    const hosted = await startHosted()
    t.after(() => hosted.close())
    hosted.systems.change('asana', { change: 'settings', rotate_refresh_tokens: true })
    const connector = await hosted.connect(hosted.credentials('oauth'))
    const run = () => hosted.execute('workspaces', 'list', {}, { connector })
    const other = new Database(join(hosted.folder, 'conex.db'))
    t.after(() => other.close())
    hosted.systems.change('asana', { change: 'expire_access_tokens' })
    hosted.calm()
    // The system takes its time, so that the other one has the lock when its answer comes.
    hosted.fault({ type: 'delay', delay_ms: 300 }, { path: '/-/oauth_token', times: 1 })
    const first = run()
    while (!hosted.received().some(({ path }) => path.endsWith('/-/oauth_token'))) await wait(10)
    other.exec('begin immediate')
    let alive = 0
    const held = wait(7_000).then(() => other.exec('commit'))
    const probing = setInterval(async () => {
      if ((await hosted.call('GET', '/healthz')).status === 200) alive++
    }, 100)
    isFine(await first)
    await held
    clearInterval(probing)
    assert.ok(alive > 20, `${alive}`)
    for (let round = 0; round < 2; round++) {
      hosted.systems.change('asana', { change: 'expire_access_tokens' })
      isFine(await run())
    }
  })
})
