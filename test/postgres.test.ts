import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { startPostgres, type TestServer } from '../src/store/postgres/server.suite.ts'
import { connectors, isFine, startHosted } from './hosted.ts'

describe('the product on PostgreSQL', () => {
  let postgres: TestServer
  before(async () => {
    postgres = await startPostgres()
  })
  after(() => postgres.stop())

  it('needs nothing but the address of a database, and goes on after a restart', async (t) => {
    const databaseUrl = await postgres.freshDatabase()
    // On a machine of several nodes they are given; otherwise a file would be made in the current folder.
    const key = (id: string) => ({ id, secret: new Uint8Array(randomBytes(32)) })
    const settings = { databaseUrl, encryptionKeys: [key('seal')], tokenKeys: [key('sign')] }
    const first = await startHosted({ settings })
    t.after(() => first.close())
    const made = first.server.madeClient
    assert.ok(made !== null)
    const workspaces = isFine(await first.execute('workspaces', 'list', {}))
    const oauth = await first.connect(first.credentials('oauth'))
    isFine(await first.execute('workspaces', 'list', {}, { connector: oauth }))
    const before = isFine(await first.call('GET', connectors, { token: first.ann }))
    const baseUrls = Object.fromEntries(
      Object.entries(first.systems.describe()).map(([kind, { base_url }]) => [kind, base_url]),
    )

    // A second node on the same database, while the first still runs.
    const second = await startHosted({ settings: { ...settings, baseUrls } })
    t.after(() => second.close())
    assert.equal(second.server.madeClient, null)
    const token = first.ann
    const ids = (listed: { connectors: { id: string }[] }) => listed.connectors.map(({ id }) => id)
    const seen = ids(isFine(await second.call('GET', connectors, { token })))
    assert.deepEqual(seen.slice(0, 2), ids(before))
    await first.server.close()
    isFine(await second.execute('workspaces', 'list', {}, { connector: oauth, token }))
    const again = isFine(await second.execute('workspaces', 'list', {}, { connector: first.connector, token }))
    assert.deepEqual(again, workspaces)
    const issued = await second.call('POST', '/api/v1/account/applications/token', {
      body: { client_id: made.id, client_secret: made.secret },
    })
    isFine(await second.call('GET', connectors, { token: isFine(issued).access_token }))
    assert.equal((await second.call('GET', '/readyz')).status, 200)
  })

  it('loses none of several changes of a connector at the same time', async (t) => {
    const databaseUrl = await postgres.freshDatabase()
    const key = { id: 'only', secret: new Uint8Array(randomBytes(32)) }
    const hosted = await startHosted({ settings: { databaseUrl, encryptionKeys: [key], tokenKeys: [key] } })
    t.after(() => hosted.close())
    const path = `${connectors}/${hosted.connector}`
    const token = hosted.ann
    const change = async (body: object) => isFine(await hosted.call('PATCH', path, { token, body }))
    for (let round = 0; round < 5; round++) {
      await change({ sync: { enabled: true, interval_seconds: 3600 } })
      await Promise.all([change({ sync: { enabled: false } }), change({ sync: { interval_seconds: 120 } })])
      const { sync } = isFine(await hosted.call('GET', path, { token }))
      assert.deepEqual(sync, { enabled: false, interval_seconds: 120 })
    }
  })
})
