/** Who gets in: addresses, tokens and whose connectors they show. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { creation, type Fixture, startFixture, startWithCallers } from './fixture.suite.ts'
import { isProblem } from './problem.suite.ts'
import { routes } from './routes.ts'
import { createTokens } from './tokens.ts'

const connectors = '/v1/integrations/connectors'

describe('access', () => {
  let fixture: Fixture
  let bearer: string
  let ann: string
  let bob: string
  let id: string

  before(async () => {
    ;({ fixture, bearer, ann, bob, id } = await startWithCallers({ rawRequests: true }))
  })
  after(() => fixture.close())

  it('an address that leads nowhere is not found', async () => {
    for (const [method, path] of [
      ['GET', '/'],
      ['GET', '/v1'],
      ['GET', '/v1/integrations/connectors/x/y/z'],
      ['GET', '/%zz'],
      ['GET', '/v1/integrations/connectors/%ff'],
      ['GET', `/v1/integrations/connectors/${'x'.repeat(300)}`],
      ['OPTIONS', '/v1/integrations'],
    ] as const)
      isProblem(await fixture.call(method, path, { token: bearer }), 'not_found')
  })

  it('an address says which methods it takes, to everybody, in every spelling, whatever stands in the body', async () => {
    const byAddress = new Map<string, Set<string>>()
    for (const { method, path, aliases = [], withoutHead } of routes)
      for (const address of [path, ...aliases]) {
        const methods = byAddress.get(address) ?? new Set(['OPTIONS'])
        byAddress.set(address, methods.add(method))
        if (method === 'GET' && !withoutHead) methods.add('HEAD')
      }
    for (const [address, methods] of byAddress) {
      const url = address.replace(/:[a-z_]+/, 'anything')
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'OPTIONS']) {
        if (methods.has(method) && method !== 'OPTIONS') continue
        const body = ['GET', 'HEAD', 'OPTIONS'].includes(method) ? undefined : 'x'.repeat(100_000)
        const answer = await fixture.call(method, `${url}?x=1`, { body })
        assert.deepEqual(new Set(answer.headers.get('allow')?.split(', ')), methods, `${method} ${url}`)
        if (method === 'OPTIONS') assert.deepEqual([answer.status, answer.text], [204, ''])
        else if (method === 'HEAD') assert.deepEqual([answer.status, answer.text], [405, ''])
        else isProblem(answer, 'method_not_allowed')
      }
    }
  })

  it('no token, a broken one and one of another scheme are refused on every route that needs one', async () => {
    const forged = await createTokens([{ id: 'k1', secret: new Uint8Array(32) }], Date.now).issue({
      clientId: 'x',
      organizationId: fixture.server.organizationId,
      externalUserId: null,
      rawRequests: true,
    })
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${bearer.split('.')[1]}.`
    const given = [
      undefined,
      'Bearer',
      'Bearer ',
      `Basic ${bearer}`,
      bearer,
      'Bearer x.y.z',
      `Bearer ${forged.token}`,
      `Bearer ${unsigned}`,
    ]
    for (const { method, path, aliases = [], token } of routes) {
      if (token === 'none') continue
      for (const address of [path, ...aliases])
        for (const authorization of given) {
          const answer = await fixture.call(method, address.replace(':connector_id', id).replace(/:\w+/, 'asana'), {
            headers: authorization === undefined ? {} : { authorization },
          })
          isProblem(answer, 'unauthenticated')
          assert.match(answer.headers.get('www-authenticate')!, address === '/mcp' ? /^Bearer \S/ : /^Bearer$/)
        }
    }
  })

  it('an expired token is refused', async () => {
    let now = Date.now()
    const clock = { now: () => now, sleep: async () => {} }
    const other = await startFixture({}, { clock })
    const token = await other.bearer()
    assert.equal((await other.call('GET', connectors, { token })).status, 200)
    now += 15 * 60_000
    isProblem(await other.call('GET', connectors, { token }), 'unauthenticated')
    await other.close()
  })

  it('a scoped token is forbidden where a bearer token is needed', async () => {
    const body = { external_user_id: 'ann' }
    isProblem(await fixture.call('POST', '/api/v1/embedded/scoped-token', { token: ann, body }), 'forbidden')
    isProblem(
      await fixture.call('POST', connectors, { token: ann, body: creation({ external_user_id: 'bob' }) }),
      'forbidden',
    )
  })

  it("another end user's connector cannot be told from one that does not exist", async () => {
    for (const { method, path, aliases = [] } of routes) {
      for (const address of [path, ...aliases]) {
        if (!address.includes(':connector_id')) continue
        const ask = (connectorId: string) =>
          fixture.call(method, address.replace(':connector_id', connectorId), {
            token: bob,
            ...(method !== 'GET' &&
              method !== 'DELETE' && {
                body: path.endsWith('execute') ? { entity: 'notes', action: 'list' } : { name: 'x' },
              }),
            headers: { 'x-request-id': 'same' },
          })
        const answers = [await ask(id), await ask(randomUUID()), await ask('no-id-at-all')]
        for (const answer of answers) isProblem(answer, 'not_found')
        assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
      }
    }
    assert.equal((await fixture.call('GET', `${connectors}/${id}`, { token: ann })).status, 200)
    assert.deepEqual(fixture.received, [])
  })

  it('none of it was a defect', () => {
    assert.ok(!fixture.log().includes('"level":"error"'))
  })
})
