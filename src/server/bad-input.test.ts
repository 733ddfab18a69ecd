/** Input that can be read and does not fit: each fault is told with its path, and reaches no third-party system. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Callers, creation, type Fixture, startWithCallers } from './fixture.suite.ts'
import { isProblem } from './problem.suite.ts'

const connectors = '/v1/integrations/connectors'

describe('bad input', () => {
  let fixture: Fixture
  let bearer: string
  let ann: string
  let id: string
  let create: Callers['create']

  before(async () => {
    ;({ fixture, bearer, ann, id, create } = await startWithCallers())
  })
  after(() => fixture.close())

  const fixtureId = (kind: string) => fixture.server.service.catalog[kind]!.definitionId

  it('each fault of a creation is told with its path', async () => {
    for (const [changes, path] of [
      [{ name: undefined }, '/name'],
      [{ name: '' }, '/name'],
      [{ name: 7 }, '/name'],
      [{ name: 'a\u0000b' }, '/name'],
      [{ name: 'x'.repeat(256) }, '/name'],
      [{ external_user_id: undefined }, '/external_user_id'],
      [{ external_user_id: null }, '/external_user_id'],
      [{ external_user_id: '' }, '/external_user_id'],
      [{ connector_type: undefined }, '/connector_type'],
      [{ connector_type: 'feild-notes' }, '/connector_type'],
      [{ definition_id: fixtureId('chat-log') }, '/definition_id'],
      [{ workspace_name: 'bob' }, '/workspace_name'],
      [{ workspace_name: 'ann', customer_name: 'eve' }, '/customer_name'],
      [{ credentials: undefined }, '/credentials'],
      [{ server_side_oauth_secret_id: 'x' }, '/credentials'],
      [{ connector_type: 'chat-log' }, '/replication_config'],
      [
        { connector_type: 'chat-log', replication_config: { lookback_window: 366 } },
        '/replication_config/lookback_window',
      ],
      [
        { connector_type: 'chat-log', replication_config: { lookback_window: '3' } },
        '/replication_config/lookback_window',
      ],
      [{ connector_type: 'chat-log', replication_config: {} }, '/replication_config/lookback_window'],
      [{ sync: { enabled: 'no' } }, '/sync/enabled'],
      [{ sync: { enabled: true } }, '/sync/enabled'],
      [{ sync: { interval_seconds: 59 } }, '/sync/interval_seconds'],
      [{ sync: { interval_seconds: 60.5 } }, '/sync/interval_seconds'],
      [{ sync: { every: 60 } }, '/sync/every'],
      [{ sync: null }, '/sync'],
      [{ nmae: 'x' }, '/nmae'],
    ] as const)
      isProblem(await create(creation(changes)), 'invalid_request', path)
    isProblem(await create(creation({ credentials: undefined, server_side_oauth_secret_id: 'unknown' })), 'not_found')
  })

  it('credentials with more fields than any method has are refused without a look at each', async () => {
    for (const count of [101, 4_000]) {
      const credentials = Object.fromEntries(Array.from({ length: count }, (_, index) => [`token${index}`, 'canary']))
      const answer = await create(creation({ credentials }))
      isProblem(answer, 'invalid_credentials', '/credentials')
      assert.ok(!answer.text.includes('canary'))
    }
  })

  it('a long name that is not known is repeated in part, and whole letters of it', async () => {
    const answer = await fixture.execute(ann, id, { entity: `x${'😀'.repeat(100)}`, action: 'list' })
    isProblem(answer, 'unknown_entity', '/entity')
    assert.ok(answer.text.isWellFormed())
    assert.ok(answer.body.detail.isWellFormed(), answer.body.detail)
  })

  it('each fault of credentials is told by field, never by value', async () => {
    for (const [credentials, path] of [
      [{}, '/credentials/refresh_token'],
      [{ token: '' }, '/credentials/token'],
      [{ token: 7 }, '/credentials/token'],
      [{ token: 'can\nary' }, '/credentials/token'],
      [{ token: 'canary\r\nX-Evil: 1' }, '/credentials/token'],
      [{ token: 'canary ключ' }, '/credentials/token'],
      [{ token: 'canary', refresh_token: 'canary' }, undefined],
      [{ token: 'canary', tokne: 'canary' }, '/credentials/tokne'],
      [{ refresh_token: 'canary', client_id: 'canary' }, '/credentials/client_secret'],
      [{ refresh_token: 'canary', access_token: ['canary'] }, '/credentials/access_token'],
      [[], '/credentials'],
      [{ token: { deep: 'canary' } }, '/credentials/token'],
    ] as const) {
      for (const answer of [
        await create(creation({ credentials })),
        await fixture.call('PATCH', `${connectors}/${id}`, { token: ann, body: { credentials } }),
      ]) {
        isProblem(answer, Array.isArray(credentials) ? 'invalid_request' : 'invalid_credentials', path)
        assert.ok(!answer.text.includes('canary'), answer.text)
      }
    }
  })

  it('each fault of a change is told with its path', async () => {
    const change = (body: unknown) => fixture.call('PATCH', `${connectors}/${id}`, { token: ann, body })
    isProblem(await change({}), 'invalid_request')
    isProblem(await change({ external_user_id: 'bob' }), 'invalid_request', '/external_user_id')
    isProblem(await change({ name: null }), 'invalid_request', '/name')
    isProblem(await change({ sync: { interval_seconds: 0 } }), 'invalid_request', '/sync/interval_seconds')
  })

  it('each fault of a query is told with its path', async () => {
    for (const [query, path] of [
      ['limit=0', '/limit'],
      ['limit=1001', '/limit'],
      ['limit=1.5', '/limit'],
      ['limit=-1', '/limit'],
      ['limit=1&limit=2', '/limit'],
      ['connector_type=nothing', '/connector_type'],
      ['external_user_id=', '/external_user_id'],
      ['external_user_id=ann&customer_name=bob', '/customer_name'],
      ['conector_type=field-notes', '/conector_type'],
      ['__proto__=x', '/__proto__'],
    ])
      isProblem(await fixture.call('GET', `${connectors}?${query}`, { token: bearer }), 'invalid_request', path)
    for (const limit of ['0', '1001', '-1', 'many']) {
      const { body } = await fixture.call('GET', `${connectors}?limit=${limit}`, { token: bearer })
      assert.equal(body.detail, '"limit" must be a whole number from 1 to 1000.')
    }
    for (const cursor of ['x', 'AAAA', Buffer.from("' or 1=1").toString('base64url')])
      isProblem(
        await fixture.call('GET', `${connectors}?cursor=${cursor}`, { token: bearer }),
        'invalid_cursor',
        '/cursor',
      )
    isProblem(
      await fixture.call('GET', '/api/v1/connectors/connectors_for_user', { token: bearer }),
      'invalid_request',
      '/external_user_id',
    )
  })

  it('an operation that does not exist or does not fit reaches no third-party system', async () => {
    const run = (body: object) => fixture.execute(ann, id, body)
    isProblem(await run({ entity: 'notse', action: 'list' }), 'unknown_entity', '/entity')
    isProblem(await run({ entity: '__proto__', action: 'list' }), 'unknown_entity', '/entity')
    isProblem(await run({ entity: 'constructor', action: 'list' }), 'unknown_entity', '/entity')
    isProblem(await run({ entity: 'notes', action: 'delete' }), 'unknown_action', '/action')
    isProblem(await run({ entity: 'notes', action: 'download' }), 'unknown_action', '/action')
    isProblem(await run({ entity: 'notes', action: 'list', params: { limti: 1 } }), 'invalid_params', '/params/limti')
    isProblem(await run({ entity: 'notes', action: 'list', params: { limit: '1' } }), 'invalid_params', '/params/limit')
    isProblem(await run({ entity: 'notes', action: 'list', params: [] }), 'invalid_params')
    isProblem(await run({ entity: 'notes', action: 'get' }), 'invalid_params', '/params/note_id')
    isProblem(await run({ entity: 'notes', action: 'search', params: { query: {} } }), 'search_unavailable')
    isProblem(await run({ entity: 'notes' }), 'invalid_request', '/action')
    isProblem(await run({ entity: ['notes'], action: 'list' }), 'invalid_request', '/entity')
    isProblem(await run({ entity: 'notes', action: 'list', parms: {} }), 'invalid_request', '/parms')
    assert.deepEqual(fixture.received, [])
  })

  it('none of it was a defect', () => {
    assert.ok(!fixture.log().includes('"level":"error"'))
  })
})
