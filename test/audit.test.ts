import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import Database from 'better-sqlite3'
import { createClient, createOrganization } from '../src/service/administer.ts'
import { type Consenting, startConsenting } from './consenting.ts'
import { type Answer, connectors, executePath, type Hosted, isFine, isProblem, startHosted } from './hosted.ts'

const path = '/v1/integrations/audit'

describe('the audit log', () => {
  let hosted: Hosted
  let consenting: Consenting
  const secret = { client_id: 'first', client_secret: 'a-secret-of-the-first-client-1234567890' }

  before(async () => {
    hosted = await startHosted({ settings: { clientId: secret.client_id, clientSecret: secret.client_secret } })
    consenting = await startConsenting(hosted)
  })
  beforeEach(() => hosted.calm())
  after(() => hosted.close())

  const read = async (query = ''): Promise<Answer['body'][]> =>
    isFine(await hosted.call('GET', `${path}${query}`, { token: consenting.bearer })).entries
  const eventsOf = async (connector: string) =>
    (await read(`?connector_id=${connector}`)).map(({ event }) => event).toReversed()

  it('tells the life of a connector: who did what, and when', async () => {
    const id = await hosted.connect(hosted.credentials('oauth'))
    hosted.systems.change('asana', { change: 'expire_access_tokens' })
    isFine(await hosted.execute('workspaces', 'list', {}, { connector: id }))
    const token = hosted.ann
    isFine(await hosted.call('PATCH', `${connectors}/${id}`, { token, body: { name: 'renamed' } }))
    isFine(
      await hosted.call('PATCH', `${connectors}/${id}`, { token, body: { credentials: hosted.credentials('one') } }),
    )
    hosted.fault({ type: 'status', status: 401 }, { times: null })
    isProblem(await hosted.execute('workspaces', 'list', {}, { connector: id }), 'reauthorization_required')
    isProblem(await hosted.execute('workspaces', 'list', {}, { connector: id }), 'reauthorization_required')
    hosted.calm()
    assert.equal((await hosted.call('DELETE', `${connectors}/${id}`, { token })).status, 204)
    assert.deepEqual(await eventsOf(id), [
      'connector.created',
      'credentials.refreshed',
      'connector.changed',
      'credentials.changed',
      'credentials.refused',
      'connector.deleted',
    ])
    for (const entry of await read(`?connector_id=${id}`)) {
      assert.deepEqual([entry.client_id, entry.external_user_id], ['operator', 'ann'])
      assert.match(entry.at, /^\d{4}-\d{2}-\d{2}T.*Z$/)
    }
  })

  it('tells consents that were begun, given and denied', async () => {
    const asked = { connector_type: 'asana', external_user_id: 'consenter' }
    await consenting.secretId(asked)
    await consenting.visit(await consenting.press(await consenting.consentUrl(asked), 'deny'))
    const entries = await read('?external_user_id=consenter')
    assert.deepEqual(entries.map(({ event }) => event).toReversed(), [
      'consent.begun',
      'consent.given',
      'consent.begun',
      'consent.failed',
    ])
    assert.equal(entries[0].details.reason, 'denied')
  })

  it('tells denied accesses once a minute, however often they are tried', async () => {
    const { token } = await hosted.server.issueToken('intruder')
    for (let time = 0; time < 5; time++) {
      isProblem(await hosted.call('GET', path, { token }), 'forbidden')
      isProblem(await hosted.call('GET', `${connectors}/${hosted.connector}`, { token }), 'not_found')
      const body = { ...secret, client_secret: 'wrong' }
      isProblem(await hosted.call('POST', '/api/v1/account/applications/token', { body }), 'unauthenticated')
    }
    const denied = await read('?event=access.denied')
    assert.deepEqual(
      denied.map(({ external_user_id, details }) => [external_user_id, details.code, details.route]).toReversed(),
      [
        ['intruder', 'forbidden', path],
        ['intruder', 'not_found', `${connectors}/:connector_id`],
        [null, 'unauthenticated', '/api/v1/account/applications/token'],
      ],
    )
  })

  it('is read page by page, newest first, each entry once, whatever is written meanwhile', async () => {
    for (let index = 0; index < 7; index++) await hosted.connect(hosted.credentials('one'))
    const all = (await read('?event=connector.created&limit=1000')).map(({ id }) => id)
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const query: string = `?event=connector.created&limit=3${cursor === null ? '' : `&cursor=${cursor}`}`
      const page = isFine(await hosted.call('GET', path + query, { token: consenting.bearer }))
      assert.ok(page.entries.length <= 3)
      seen.push(...page.entries.map(({ id }: { id: string }) => id))
      cursor = page.next_cursor
      await hosted.connect(hosted.credentials('one'))
    } while (cursor !== null)
    assert.deepEqual(seen, all)
    assert.deepEqual(
      seen,
      seen.toSorted((one, other) => Number(other) - Number(one)),
    )
  })

  it('filters by time, client and end user, and refuses what it does not know', async () => {
    const newest = (await read('?limit=1'))[0]
    assert.ok((await read(`?since=${newest.at}`)).length >= 1)
    assert.ok((await read(`?until=${newest.at}`)).every(({ at }) => at < newest.at))
    assert.deepEqual(await read('?client_id=nobody'), [])
    assert.deepEqual(await read('?external_user_id=nobody'), [])
    for (const query of [
      '?event=nothing',
      '?since=yesterday',
      '?since=2026-02-30T00:00:00Z',
      '?until=2026-01-01T24:00:00Z',
      '?limit=0',
      '?limit=1001',
      '?connector_id=x',
      '?surplus=1',
    ])
      isProblem(await hosted.call('GET', path + query, { token: consenting.bearer }), 'invalid_request')
    for (const cursor of ['x', Buffer.from('audit x').toString('base64url')])
      isProblem(await hosted.call('GET', `${path}?cursor=${cursor}`, { token: consenting.bearer }), 'invalid_cursor')
  })

  it('is only ever added to: the database itself refuses changes', () => {
    const database = new Database(join(hosted.folder, 'conex.db'))
    assert.throws(() => database.exec("update audit_log set event = 'x'"), /only ever added to/)
    assert.throws(() => database.exec('delete from audit_log'), /only ever added to/)
    database.close()
  })
})

describe('the limits', () => {
  it('count an end user and a client apart, and tell the nearer one', async (t) => {
    const hosted = await startHosted({ settings: { rateLimitPerMinute: 12, endUserRateLimitPerMinute: 4 } })
    t.after(() => hosted.close())
    const tokenOf = async (user?: string) => (await hosted.server.issueToken(user)).token
    const bob = await tokenOf('bob')
    const ask = (token: string) => hosted.call('GET', connectors, { token })
    for (const left of [3, 2, 1, 0]) {
      const answer = await ask(bob)
      isFine(answer)
      assert.equal(answer.headers.get('ratelimit-limit'), '4')
      assert.equal(answer.headers.get('ratelimit-remaining'), String(left))
      assert.match(answer.headers.get('ratelimit-reset')!, /^\d+$/)
    }
    const refused = await ask(bob)
    isProblem(refused, 'rate_limited')
    assert.equal(refused.headers.get('ratelimit-remaining'), '0')
    // A new token is no new end user; another end user is, also of the same name elsewhere, and so is the organization.
    isProblem(await ask(await tokenOf('bob')), 'rate_limited')
    isFine(await ask(await tokenOf('carl')))
    const { service } = hosted.server
    const { organization_id: second } = await createOrganization(service, 'second')
    const post = async (address: string, body: object, token?: string) =>
      isFine(await hosted.call('POST', address, { body, token }))
    const client = await createClient(service, second, 'program')
    const { access_token: theirs } = await post('/api/v1/account/applications/token', client)
    const namesake = await post('/api/v1/embedded/scoped-token', { external_user_id: 'bob' }, theirs)
    isFine(await ask(namesake.token))
    const wide = await tokenOf()
    let last = await ask(wide)
    for (; last.status === 200; last = await ask(wide)) assert.equal(last.headers.get('ratelimit-limit'), '12')
    isProblem(last, 'rate_limited')
    assert.ok(Number(last.headers.get('retry-after')) > 0)
    const run = { entity: 'workspaces', action: 'list' }
    isProblem(
      await hosted.call('POST', executePath(hosted.connector), { token: await tokenOf('dora'), body: run }),
      'rate_limited',
    )
  })
})
