/** What the secret_id at the end of a consent is good for. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, it } from 'node:test'
import { type Begin, type Consenting, consentKinds, startConsenting } from './consenting.ts'
import { connectors, type Hosted, isFine, isProblem, startHosted } from './hosted.ts'

describe('a secret_id', () => {
  let hosted: Hosted
  let consenting: Consenting
  const asana = { connector_type: 'asana' }

  before(async () => {
    hosted = await startHosted()
    consenting = await startConsenting(hosted)
  })
  beforeEach(() => hosted.calm())
  after(() => hosted.close())

  const withSecret = async (asked: Begin = asana) => ({
    connector_type: asked.connector_type,
    server_side_oauth_secret_id: await consenting.secretId(asked),
  })

  it('makes one connector', async () => {
    const body = await withSecret()
    const answers = await Promise.all(Array.from({ length: 5 }, () => consenting.create(body)))
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 409, 409, 409, 409])
    isProblem(await consenting.create(body), 'conflict')
  })

  it('is still good after a creation that failed', async () => {
    const body = await withSecret()
    const name = randomUUID()
    assert.equal((await consenting.create({ ...asana, name, credentials: hosted.credentials('one') })).status, 201)
    const taken = await consenting.create({ ...body, name })
    assert.equal(taken.body.code, 'conflict')
    assert.ok(taken.body.existing_id)
    isProblem(await consenting.create({ ...body, sync: { every: 60 } }), 'invalid_request', '/sync/every')
    assert.equal((await consenting.create(body)).status, 201)
  })

  it('is still good after a check that failed, also where the check renewed what the consent gave', async () => {
    const body = {
      connector_type: 'gong',
      server_side_oauth_secret_id: await consenting.secretId({ connector_type: 'gong' }),
    }
    const check = () =>
      hosted.call('POST', `${connectors}?check=true`, {
        token: hosted.ann,
        body: { external_user_id: 'ann', name: 'checked', ...body },
      })
    hosted.systems.change('gong', { change: 'expire_access_tokens' })
    hosted.systems.faults.add({
      kind: 'gong',
      effect: { type: 'status', status: 403 },
      path: '/v2/',
      skip: 1,
      times: null,
    })
    const refused = await check()
    isProblem(refused, 'invalid_credentials', '/server_side_oauth_secret_id')
    assert.equal(refused.body.upstream.status, 403)
    hosted.calm()
    hosted.systems.change('gong', { change: 'expire_access_tokens' })
    const made = await check()
    assert.equal(made.status, 201, made.text)
    isFine(await hosted.call('POST', `${connectors}/${made.body.id}/check`, { token: hosted.ann }))
    isProblem(await consenting.create(body), 'conflict')
  })

  it('gives a repeated creation its first answer', async () => {
    const body = { ...(await withSecret()), name: randomUUID() }
    const headers = { 'idempotency-key': randomUUID() }
    const [first, ...others] = await Promise.all(Array.from({ length: 5 }, () => consenting.create(body, { headers })))
    assert.equal(first!.status, 201)
    for (const other of others) assert.deepEqual([other.status, other.body], [201, first!.body])
    const again = await consenting.create(body, { headers })
    assert.deepEqual([again.status, again.body], [201, first!.body])
    isProblem(await consenting.create({ ...body, name: randomUUID() }, { headers }), 'conflict')
  })

  it('is unknown to another organization, end user or kind, and to anybody after an hour', async () => {
    const body = await withSecret()
    isProblem(await consenting.create({ ...body, external_user_id: 'bob' }), 'not_found')
    isProblem(await consenting.create({ ...body, ...consentKinds.slack, connector_type: 'slack' }), 'not_found')
    isProblem(await consenting.create({ ...body, server_side_oauth_secret_id: 'guessed' }), 'not_found')
    const bob = (await hosted.server.issueToken('bob')).token
    isProblem(await consenting.create({ ...body, external_user_id: 'bob' }, { token: bob }), 'not_found')

    const organizationId = randomUUID()
    const { service } = hosted.server
    const elsewhere = { organizationId, externalUserId: null }
    const { createConnector } = await import('../src/service/create-connector.ts')
    await assert.rejects(
      createConnector(service, elsewhere, { ...body, external_user_id: 'ann', name: 'stolen' }),
      (error: { code?: string }) => error.code === 'not_found',
    )

    hosted.clock.advance(3_600_000)
    const { token } = await hosted.server.issueToken()
    isProblem(await consenting.create(body, { token }), 'not_found')
    hosted.clock.advance(-3_600_000)
    assert.equal((await consenting.create(body)).status, 201)
  })

  it('may be used with the end user’s own scoped token', async () => {
    const made = await consenting.create(await withSecret(), { token: hosted.ann })
    assert.equal(made.status, 201, made.text)
  })

  it('goes in place of credentials, not beside them', async () => {
    const body = await withSecret()
    const credentials = hosted.credentials('one')
    isProblem(await consenting.create({ ...body, credentials }), 'invalid_request', '/credentials')
    isProblem(await consenting.create(asana), 'invalid_request', '/credentials')
    const patched = await hosted.call('PATCH', `${connectors}/${hosted.connector}`, {
      token: hosted.ann,
      body: { credentials, server_side_oauth_secret_id: body.server_side_oauth_secret_id },
    })
    isProblem(patched, 'invalid_request', '/credentials')
  })

  it('mends a connector whose grant has ended', async () => {
    const { body } = await consenting.create(await withSecret())
    const path = `${connectors}/${body.id}`
    const token = consenting.bearer
    hosted.fault({ type: 'status', status: 400 }, { path: '/-/oauth_token', times: null })
    hosted.systems.change('asana', { change: 'expire_access_tokens' })
    isProblem(await hosted.execute('workspaces', 'list', {}, { connector: body.id, token }), 'reauthorization_required')
    assert.equal(isFine(await hosted.call('GET', path, { token })).status, 'reauthorization_required')
    hosted.calm()
    const { server_side_oauth_secret_id } = await withSecret()
    const change = { token, body: { server_side_oauth_secret_id } }
    assert.equal(isFine(await hosted.call('PATCH', path, change)).status, 'active')
    isFine(await hosted.execute('workspaces', 'list', {}, { connector: body.id, token }))
    isProblem(await hosted.call('PATCH', path, change), 'conflict')
    const other = await withSecret({ ...asana, external_user_id: 'bob' })
    isProblem(
      await hosted.call('PATCH', path, {
        token,
        body: { server_side_oauth_secret_id: other.server_side_oauth_secret_id },
      }),
      'not_found',
    )
  })
})
