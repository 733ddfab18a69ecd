import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { creation, type Fixture, json, startFixture } from './fixture.suite.ts'

const connectors = '/v1/integrations/connectors'

describe('a creation that checks first', () => {
  let fixture: Fixture
  let bearer: string
  let answer: Fixture['answer']

  before(async () => {
    fixture = await startFixture()
    bearer = await fixture.bearer()
    answer = fixture.answer
  })
  beforeEach(() => {
    fixture.answer = answer
    fixture.received.length = 0
  })
  after(() => fixture.close())

  const create = (body: object, query = '?check=true', headers: Record<string, string> = {}) =>
    fixture.call('POST', connectors + query, { token: bearer, body, headers })
  const refuse = (status: number, error: string) => {
    fixture.answer = (_request, response) => json(response, status, { error })
  }
  const kept = async (user: string): Promise<number> =>
    (await fixture.call('GET', `${connectors}?external_user_id=${user}`, { token: bearer })).body.connectors.length

  it('makes the connector where the system takes the credentials', async () => {
    const made = await create(creation())
    assert.equal(made.status, 201, made.text)
    assert.deepEqual(
      fixture.received.map(({ url, authorization }) => [url, authorization]),
      [['/notes?limit=1', 'Bearer good']],
    )
  })

  it('answers 422 with the reason of the system and stores nothing where it does not', async () => {
    refuse(401, 'token expired in May')
    const refused = await create(creation({ external_user_id: 'refused' }))
    assert.equal(refused.status, 422)
    assert.equal(refused.body.code, 'invalid_credentials')
    assert.deepEqual(refused.body.upstream, { status: 401, code: null, message: 'token expired in May' })
    assert.match(refused.body.detail, /token expired in May/)
    assert.equal(refused.body.errors[0].path, '/credentials')
    assert.equal(await kept('refused'), 0)
  })

  it('asks nothing of the system without check, or with check=false', async () => {
    refuse(401, 'no')
    for (const query of ['', '?check=false']) assert.equal((await create(creation(), query)).status, 201)
    assert.deepEqual(fixture.received, [])
    const other = await create(creation(), '?check=maybe')
    const [{ path, message }] = other.body.errors
    assert.deepEqual([other.status, path, message], [422, '/check', 'must be true or false'])
  })

  it('a failed check leaves the idempotency key free, and a repeat of a good one asks nothing', async () => {
    const headers = { 'idempotency-key': 'checked' }
    const body = creation()
    fixture.answer = (_request, response) => json(response, 401, { error: 'no' })
    assert.equal((await create(body, '?check=true', headers)).status, 422)
    fixture.answer = answer
    const made = await create(body, '?check=true', headers)
    assert.equal(made.status, 201, made.text)
    refuse(401, 'no')
    fixture.received.length = 0
    const again = await create(body, '?check=true', headers)
    assert.deepEqual([again.status, again.text], [201, made.text])
    assert.deepEqual(fixture.received, [])
  })

  it('a taken name is told before anything is asked of the system', async () => {
    const body = creation()
    const first = await create(body, '')
    const second = await create(body)
    assert.deepEqual([second.status, second.body.existing_id], [409, first.body.id])
    assert.deepEqual(fixture.received, [])
  })

  it('what may pass is told as it is, and nothing is stored', async () => {
    refuse(503, 'down')
    const down = await create(creation({ external_user_id: 'down' }))
    assert.deepEqual([down.status, down.body.code], [502, 'upstream_error'])
    assert.equal(await kept('down'), 0)
  })

  it('credentials that the check renewed are kept as they are then', async () => {
    let renewals = 0
    fixture.answer = (request, response) => {
      if (request.url === '/token')
        json(response, 200, { access_token: 'new', refresh_token: `r${++renewals}`, expires_in: 3600 })
      else if (request.headers.authorization === 'Bearer new') json(response, 200, { data: [], next: null })
      else json(response, 401, { error: 'stale' })
    }
    const application = { client_id: 'app', client_secret: 'secret' }
    const made = await create(creation({ credentials: { refresh_token: 'r0', access_token: 'old', ...application } }))
    assert.equal(made.status, 201, made.text)
    const listed = await fixture.execute(bearer, made.body.id, { entity: 'notes', action: 'list' })
    assert.equal(listed.status, 200, listed.text)
    assert.equal(renewals, 1)
  })
})
