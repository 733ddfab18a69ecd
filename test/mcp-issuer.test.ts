/** Tokens of an operator's own identity provider at /mcp: who gets in, and what the others are told. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, describe, it } from 'node:test'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { createOrganization } from '../src/service/administer.ts'
import { type Answer, type Hosted, isProblem, startHosted } from './hosted.ts'

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>

/** A small identity provider, whose keys and metadata a test may change. */
async function startProvider() {
  const keys = new Map<string, { readonly alg: string; readonly pair: KeyPair }>()
  const asked: string[] = []
  let metadata: (issuer: string) => object = (issuer) => ({ issuer, jwks_uri: `${issuer}/keys` })
  let status = 200
  const server = createServer(async ({ url }, answer) => {
    asked.push(url!)
    const sent =
      url === '/tenant/.well-known/openid-configuration'
        ? metadata(issuer)
        : {
            keys: await Promise.all(
              [...keys].map(async ([kid, { pair }]) => ({ kid, ...(await exportJWK(pair.publicKey)) })),
            ),
          }
    answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(sent))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}/tenant`

  return {
    issuer,
    asked,
    async addKey(kid: string, alg: string) {
      keys.set(kid, { alg, pair: await generateKeyPair(alg) })
    },
    removeKey: (kid: string) => keys.delete(kid),
    publish(other: typeof metadata) {
      metadata = other
    },
    fail(code: number) {
      status = code
    },
    sign(kid: string, claims: JWTPayload, at: number) {
      const { alg, pair } = keys.get(kid)!
      const times = { iat: Math.floor(at / 1000), exp: Math.floor(at / 1000) + 300 }
      return new SignJWT({ iss: issuer, ...times, ...claims }).setProtectedHeader({ alg, kid }).sign(pair.privateKey)
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

describe('tokens of an identity provider', () => {
  let provider: Awaited<ReturnType<typeof startProvider>>
  let hosted: Hosted
  let audience: string

  before(async () => {
    provider = await startProvider()
    await provider.addKey('rsa', 'RS256')
    await provider.addKey('ec', 'ES256')
    hosted = await startHosted({
      settings: {
        mcpIssuer: provider.issuer,
        mcpUserClaim: 'email',
        mcpOrganizationClaim: 'https://conex.example/organization',
        mcpScopes: 'systems.read',
      },
    })
    audience = `${hosted.server.origin}/mcp`
  })
  after(async () => {
    await hosted.close()
    await provider.close()
  })
  beforeEach(() => hosted.calm())

  const claims = (changes: object = {}): JWTPayload => ({
    aud: audience,
    sub: '00u1',
    email: 'ann',
    scope: 'openid systems.read',
    client_id: 'desktop',
    'https://conex.example/organization': hosted.server.organizationId,
    ...changes,
  })
  const token = (changes?: object, kid = 'rsa') => provider.sign(kid, claims(changes), hosted.clock.now())

  const headers = { accept: 'application/json, text/event-stream' }
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_connectors', arguments: {} } }
  const ask = (sent: string | undefined): Promise<Answer> => hosted.call('POST', '/mcp', { token: sent, body, headers })

  it('show their end user the connectors of this user, whatever key of the provider signed them', async () => {
    for (const kid of ['rsa', 'ec']) {
      const own = await ask(await token({}, kid))
      assert.equal(own.status, 200, own.text)
      assert.match(own.text, new RegExp(hosted.connector))
      const other = await ask(await token({ email: 'bob' }, kid))
      assert.match(other.text, /no connectors yet/)
    }
  })

  it('are good at /mcp alone, where Conex’s own are good too', async () => {
    isProblem(await hosted.call('GET', '/v1/integrations/connectors', { token: await token() }), 'unauthenticated')
    assert.equal((await ask(hosted.ann)).status, 200)
  })

  it('are told of where a program looks for them', async () => {
    const refused = await ask(undefined)
    isProblem(refused, 'unauthenticated')
    const metadata = `${hosted.server.origin}/.well-known/oauth-protected-resource/mcp`
    assert.equal(
      refused.headers.get('www-authenticate'),
      `Bearer resource_metadata="${metadata}", scope="systems.read"`,
    )
    for (const address of [metadata, metadata.replace(/\/mcp$/, '')]) {
      const told = await hosted.call('GET', address.slice(hosted.server.origin.length))
      assert.deepEqual(told.body, {
        resource: audience,
        resource_name: 'Conex',
        authorization_servers: [provider.issuer],
        scopes_supported: ['systems.read'],
        bearer_methods_supported: ['header'],
      })
    }
  })

  it('are refused when they are expired, not yet valid, for others, of others, or without an end', async () => {
    const seconds = Math.floor(hosted.clock.now() / 1000)
    const stranger = await generateKeyPair('RS256')
    for (const [why, refused] of Object.entries({
      expired: await token({ exp: seconds - 60 }),
      'not yet valid': await token({ nbf: seconds + 60 }),
      'without an end': await token({ exp: undefined }),
      'for another service': await token({ aud: 'https://other.example/mcp' }),
      'for this server but not its /mcp': await token({ aud: hosted.server.origin }),
      'without an audience': await token({ aud: undefined }),
      'of another issuer': await token({ iss: 'https://other.example' }),
      'signed by another': await new SignJWT(claims({ iss: provider.issuer, exp: seconds + 60 }))
        .setProtectedHeader({ alg: 'RS256', kid: 'rsa' })
        .sign(stranger.privateKey),
      'signed with a key that the provider does not list': await new SignJWT(
        claims({ iss: provider.issuer, exp: seconds + 60 }),
      )
        .setProtectedHeader({ alg: 'RS256', kid: 'other' })
        .sign(stranger.privateKey),
      'not signed': new UnsecuredJWT(claims({ iss: provider.issuer, exp: seconds + 60 })).encode(),
      'signed with a secret that anybody knows': await new SignJWT(claims({ iss: provider.issuer, exp: seconds + 60 }))
        .setProtectedHeader({ alg: 'HS256', kid: 'rsa' })
        .sign(new TextEncoder().encode(JSON.stringify(await exportJWK(stranger.publicKey)))),
      'without an end user': await token({ email: undefined }),
      'with an end user that is no text': await token({ email: ['ann'] }),
      'with an end user of no letters': await token({ email: 'ann\u0000' }),
    })) {
      const answer = await ask(refused)
      isProblem(answer, 'unauthenticated')
      assert.match(answer.headers.get('www-authenticate')!, /^Bearer error="invalid_token", resource_metadata="/, why)
    }
  })

  it('are refused where they name an organization that there is not, and reach another only by its name', async () => {
    for (const named of [undefined, 7, randomUUID(), 'x', '\u0000']) {
      const answer = await ask(await token({ 'https://conex.example/organization': named }))
      isProblem(answer, 'forbidden')
      assert.match(answer.body.detail, /names no organization/)
    }
    const { organization_id } = await createOrganization(hosted.server.service, 'others')
    const other = await ask(await token({ 'https://conex.example/organization': organization_id }))
    assert.equal(other.status, 200)
    assert.doesNotMatch(other.text, new RegExp(hosted.connector))
  })

  it('need the scopes that the operator asks for, and say which', async () => {
    for (const scopes of [{ scope: 'openid' }, { scope: undefined }, { scope: 'systems.readonly' }]) {
      const answer = await ask(await token(scopes))
      isProblem(answer, 'forbidden')
      assert.equal(
        answer.headers.get('www-authenticate'),
        `Bearer error="insufficient_scope", resource_metadata="${hosted.server.origin}/.well-known/oauth-protected-resource/mcp", scope="systems.read"`,
      )
    }
    assert.equal((await ask(await token({ scope: undefined, scp: ['systems.read'] }))).status, 200)
  })

  it('name the user and the program in the audit log', async () => {
    const id = randomUUID()
    const call = { name: 'execute', arguments: { connector: id, entity: 'tasks', action: 'list' } }
    await hosted.call('POST', '/mcp', {
      token: await token({ email: 'eve' }),
      headers,
      body: { ...body, params: call },
    })
    const bearer = (await hosted.server.issueToken()).token
    const { body: audit } = await hosted.call('GET', '/v1/integrations/audit?external_user_id=eve', { token: bearer })
    assert.deepEqual(
      audit.entries.map(({ event, client_id }: never) => [event, client_id]),
      [['access.denied', 'desktop']],
    )
  })

  it('are checked with keys that are read once, through the same guard as all requests', async () => {
    const before = provider.asked.length
    for (let calls = 0; calls < 5; calls++) assert.equal((await ask(await token())).status, 200)
    assert.equal(provider.asked.length, before)
    const others = await startHosted({ settings: { mcpIssuer: provider.issuer, allowPrivateNetwork: false } })
    after(() => others.close())
    isProblem(await others.call('POST', '/mcp', { token: await token(), body, headers }), 'upstream_error')
    assert.equal(provider.asked.length, before)
    await others.close()
  })

  it('are judged by nobody while the provider is silent, or speaks for another', async () => {
    const judge = async () => {
      const other = await startHosted({ settings: { mcpIssuer: provider.issuer } })
      try {
        const aud = `${other.server.origin}/mcp`
        return await other.call('POST', '/mcp', { token: await token({ aud, sub: 'ann' }), body, headers })
      } finally {
        await other.close()
      }
    }
    provider.fail(503)
    isProblem(await judge(), 'upstream_error')
    provider.fail(200)
    provider.publish((issuer) => ({ issuer: issuer.toUpperCase(), jwks_uri: `${issuer}/keys` }))
    isProblem(await judge(), 'upstream_error')
    provider.publish((issuer) => ({ issuer, jwks_uri: `${issuer}/keys` }))
    assert.equal((await judge()).status, 200)
  })
})
