/** A server whose database has no room left. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import Database from 'better-sqlite3'
import { sqliteFile } from '../src/store/open.ts'
import { openSqlite } from '../src/store/sqlite/sqlite.ts'
import { connectors, type Hosted, isFine, isProblem, startHosted } from './hosted.ts'

/** Opens a file that is full when it has a few pages more than at its beginning, as a disk would be. */
async function openSmall(url: string, catalog: Parameters<typeof openSqlite>[1]) {
  const file = sqliteFile(url)!
  const store = await openSqlite(file, catalog)
  await store.close()
  const database = new Database(file)
  const pages = Number(database.pragma('page_count', { simple: true }))
  database.close()
  return openSqlite(file, catalog, { mostPages: pages + 20 })
}

describe('a server on a full disk', () => {
  let hosted: Hosted
  let bearer: string
  const create = (name: string, credentials: object = hosted.credentials('one')) =>
    hosted.call('POST', connectors, {
      token: hosted.ann,
      body: { external_user_id: 'ann', connector_type: 'asana', name, credentials },
    })

  before(async () => {
    hosted = await startHosted({ serve: { openStore: async (url, catalog) => openSmall(url, catalog!) } })
    bearer = (await hosted.server.issueToken()).token
    assert.deepEqual(isFine(await hosted.call('GET', '/readyz')), { status: 'ready' })
    for (let made = 0; (await create(`${made} ${'x'.repeat(200)}`)).status === 201; made++);
  })
  after(() => hosted.close())

  it('says so to whoever wants something stored, in the log, and where it tells that it is ready', async () => {
    const name = 'x'.repeat(255)
    isProblem(await create(name), 'storage_full')
    const path = `${connectors}/oauth/initiate`
    const body = {
      external_user_id: 'ann',
      connector_type: 'asana',
      redirect_url: `https://app.example/${'x'.repeat(1900)}`,
    }
    for (let begun = 0; ; begun++) {
      const answer = await hosted.call('POST', path, { token: bearer, body })
      if (answer.status === 200 && begun < 100) continue
      isProblem(answer, 'storage_full')
      break
    }
    const ready = await hosted.call('GET', '/readyz')
    assert.deepEqual([ready.status, ready.body], [200, { status: 'storage full' }])
    assert.match(hosted.log(), /"level":"error".*disk .*full/)
  })

  it('reads and searches all the same, whatever is to be kept of it', async () => {
    for (let round = 0; round < 30; round++) {
      const path = `/api/v1/connectors/sources/${hosted.connector}/execute`
      const intent = 'x'.repeat(512)
      isFine(
        await hosted.call('POST', path, { token: hosted.ann, body: { entity: 'workspaces', action: 'list', intent } }),
      )
      isFine(await hosted.execute('workspaces', 'list', {}))
    }
    isFine(await hosted.call('GET', connectors, { token: hosted.ann }))
    isFine(await hosted.call('GET', `${connectors}/${hosted.connector}/sync`, { token: hosted.ann }))
    assert.match(hosted.log(), /no audit entry/)
  })

  it('gives wrong secrets one answer, for clients that there are and for those that there are not', async () => {
    const { id, secret } = hosted.server.madeClient!
    const ask = (client_id: string, client_secret: string) =>
      hosted.call('POST', '/api/v1/account/applications/token', { body: { client_id, client_secret } })
    for (let round = 0; round < 3; round++) {
      const [known, unknown] = [await ask(id, 'wrong'), await ask('nobody', 'wrong')]
      isProblem(known, 'unauthenticated')
      const { request_id: _, ...rest } = known.body
      const { request_id: __, ...other } = unknown.body
      assert.deepEqual(rest, other)
    }
    isFine(await ask(id, secret))
  })
})
