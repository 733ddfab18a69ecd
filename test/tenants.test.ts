import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, it } from 'node:test'
import { SignJWT } from 'jose'
import { connectors, executePath, type Hosted, isFine, isProblem, startHosted } from './hosted.ts'

describe('tokens and tenants', () => {
  let hosted: Hosted
  let bearer: string
  let bob: string
  const client = { clientId: 'first', clientSecret: 'a-secret-of-the-first-client-1234567890' }
  const run = { entity: 'workspaces', action: 'list' }

  before(async () => {
    hosted = await startHosted({ settings: client })
    const issued = await hosted.call('POST', '/api/v1/account/applications/token', {
      body: { client_id: client.clientId, client_secret: client.clientSecret },
    })
    bearer = isFine(issued).access_token
    const scoped = await hosted.call('POST', '/api/v1/embedded/scoped-token', {
      token: bearer,
      body: { external_user_id: 'bob' },
    })
    bob = isFine(scoped).token
  })
  beforeEach(() => hosted.calm())
  after(() => hosted.close())

  const execute = (token: string | undefined, id = hosted.connector, headers = {}) =>
    hosted.call('POST', executePath(id), { token, body: run, headers })

  it('client credentials give a bearer token of 15 minutes, it gives scoped ones of 20', async () => {
    const body = { client_id: client.clientId, client_secret: client.clientSecret }
    const issued = isFine(await hosted.call('POST', '/api/v1/account/applications/token', { body }))
    assert.deepEqual([issued.token_type, issued.expires_in], ['Bearer', 900])
    for (const name of ['external_user_id', 'workspace_name', 'customer_name']) {
      const scoped = isFine(
        await hosted.call('POST', '/api/v1/embedded/scoped-token', { token: bearer, body: { [name]: 'ann' } }),
      )
      assert.equal(scoped.expires_in, 1200)
      isFine(await execute(scoped.token))
    }
    for (const wrong of [
      { ...body, client_secret: 'wrong' },
      { ...body, client_id: 'nobody' },
    ])
      isProblem(await hosted.call('POST', '/api/v1/account/applications/token', { body: wrong }), 'unauthenticated')
  })

  it('only a good token executes', async () => {
    const claims = { org: hosted.server.organizationId, user: 'ann' }
    const forged = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', kid: headerOf(bearer).kid as string })
      .setIssuer('conex')
      .setAudience('conex')
      .setSubject('first')
      .setIssuedAt()
      .setExpirationTime('10m')
      .sign(new Uint8Array(32))
    const [head, payload, signature] = hosted.ann.split('.') as [string, string, string]
    const none = Buffer.from('{"alg":"none"}').toString('base64url')
    const altered = Buffer.from(Buffer.from(payload, 'base64url').toString().replace('"ann"', '"bob"')).toString(
      'base64url',
    )
    for (const token of [
      undefined,
      '',
      'x',
      forged,
      `${head}.${payload}.`,
      `${none}.${payload}.`,
      `${head}.${altered}.${signature}`,
      `${hosted.ann}x`,
      client.clientSecret,
      hosted.credentials('one').token,
    ]) {
      const answer = await execute(token)
      isProblem(answer, 'unauthenticated')
      assert.equal(answer.headers.get('www-authenticate'), 'Bearer')
    }
    isProblem(await execute(undefined, hosted.connector, { authorization: `Basic ${hosted.ann}` }), 'unauthenticated')
    assert.deepEqual(hosted.received(), [])
  })

  it('a token runs out', async () => {
    const { token } = await hosted.server.issueToken('ann')
    isFine(await execute(token))
    hosted.clock.advance(20 * 60_000 + 1000)
    isProblem(await execute(token), 'unauthenticated')
    hosted.clock.advance(-20 * 60_000 - 1000)
  })

  it('a connector of another end user cannot be told from none, on any address', async () => {
    const ask = (id: string) => [
      hosted.call('GET', `${connectors}/${id}`, { token: bob }),
      hosted.call('PATCH', `${connectors}/${id}`, { token: bob, body: { name: 'mine' } }),
      hosted.call('POST', `${connectors}/${id}/check`, { token: bob }),
      hosted.call('DELETE', `${connectors}/${id}`, { token: bob }),
      execute(bob, id),
      hosted.call('POST', `/api/v1/integrations/connectors/${id}/execute`, { token: bob, body: run }),
    ]
    const without = (text: string) => text.replace(/"request_id":"[^"]*"/, '')
    for (const id of [hosted.connector, randomUUID(), 'x', '%00', `${hosted.connector}'--`]) {
      const answers = await Promise.all(ask(id))
      for (const answer of answers) {
        isProblem(answer, 'not_found')
        assert.equal(without(answer.text), without((await execute(bob, randomUUID())).text))
      }
    }
    assert.deepEqual(hosted.received(), [])
    isFine(await hosted.call('GET', `${connectors}/${hosted.connector}`, { token: hosted.ann }))
  })

  it('lists show an end user their own connectors, and the organization all', async () => {
    const ids = async (token: string, query = '') =>
      isFine(await hosted.call('GET', `${connectors}${query}`, { token })).connectors.map(
        ({ id }: { id: string }) => id,
      )
    const other = await hosted.connect(hosted.credentials('one'), bob)
    assert.deepEqual(await ids(bob), [other])
    assert.deepEqual(await ids(hosted.ann), [hosted.connector])
    assert.deepEqual((await ids(bearer)).sort(), [hosted.connector, other].sort())
    assert.deepEqual(await ids(bearer, '?external_user_id=bob'), [other])
    assert.deepEqual(await ids(bearer, '?customer_name=bob&connector_type=ASANA'), [other])
    const crossing = await hosted.call('GET', `${connectors}?external_user_id=ann`, { token: bob })
    assert.ok(crossing.status !== 200 || crossing.body.connectors.length === 0, crossing.text)
    isFine(await execute(bearer, other))
    isProblem(await execute(hosted.ann, other), 'not_found')
  })

  it('aliases of addresses and names answer the same', async () => {
    const record = async (path: string) => isFine(await hosted.call('GET', path, { token: hosted.ann }))
    assert.deepEqual(
      await record(`/api${connectors}/${hosted.connector}`),
      await record(`${connectors}/${hosted.connector}`),
    )
    assert.deepEqual(await record(`/api${connectors}`), await record(connectors))
    const type = await record('/v1/integrations/connector-types/asana')
    for (const name of ['Asana', 'ASANA', 'a_s-a na', type.definition_id])
      assert.deepEqual(await record(`/v1/integrations/connector-types/${encodeURIComponent(name)}`), type)
    const alias = await hosted.call('POST', `/api${connectors}/${hosted.connector}/execute`, {
      token: hosted.ann,
      body: run,
    })
    assert.equal(alias.text, (await execute(hosted.ann)).text)
    for (const query of [
      `external_user_id=ann&definition_id=${type.definition_id}`,
      'workspace_name=ann',
      'customer_name=ann',
    ]) {
      const found = await hosted.call('GET', `/api/v1/connectors/connectors_for_user?${query}`, { token: bearer })
      assert.deepEqual(
        isFine(found).connectors.map(({ id }: { id: string }) => id),
        [hosted.connector],
      )
    }
    for (const [user, kind] of [
      [{ external_user_id: 'cy' }, { connector_type: 'asana' }],
      [{ workspace_name: 'cy' }, { connector_type: 'ASANA' }],
      [{ customer_name: 'cy' }, { definition_id: type.definition_id }],
    ]) {
      const body = { ...user, ...kind, name: randomUUID(), credentials: hosted.credentials('one') }
      const created = await hosted.call('POST', `/api${connectors}`, { token: bearer, body })
      assert.equal(created.status, 201, created.text)
      assert.deepEqual([created.body.external_user_id, created.body.connector_type], ['cy', 'asana'])
    }
  })

  it('a deleted connector is gone for everybody', async () => {
    const id = await hosted.connect(hosted.credentials('one'))
    const deleted = await hosted.call('DELETE', `${connectors}/${id}`, { token: hosted.ann })
    assert.deepEqual([deleted.status, deleted.text], [204, ''])
    isProblem(await execute(hosted.ann, id), 'not_found')
    isProblem(await hosted.call('DELETE', `${connectors}/${id}`, { token: hosted.ann }), 'not_found')
    isProblem(await execute(bearer, id), 'not_found')
  })

  it('an address that does not exist is not found, with and without a token', async () => {
    for (const [method, path] of [
      ['GET', '/nowhere'],
      ['POST', `${executePath(hosted.connector)}/more`],
      ['GET', '/v1/integrations/../../etc/passwd'],
    ] as const)
      for (const token of [undefined, hosted.ann]) isProblem(await hosted.call(method, path, { token }), 'not_found')
  })

  it('health and numbers need no token and tell no secret', async () => {
    assert.deepEqual(isFine(await hosted.call('GET', '/healthz')), { status: 'alive' })
    assert.deepEqual(isFine(await hosted.call('GET', '/readyz')), { status: 'ready' })
    const metrics = await hosted.call('GET', '/metrics')
    assert.equal(metrics.status, 200)
    assert.match(metrics.headers.get('content-type')!, /^text\/plain/)
    assert.match(metrics.text, /route="\/api\/v1\/connectors\/sources\/:connector_id\/execute"/)
    assert.doesNotMatch(metrics.text, new RegExp(`${hosted.connector}|nowhere|${client.clientSecret}`))
  })
})

const headerOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString())
