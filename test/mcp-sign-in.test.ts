/** A program of an agent that connects by the address of /mcp alone, with Conex as the authorization server. */
import assert from 'node:assert/strict'
import { lookup } from 'node:dns'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { after, beforeEach, describe, it } from 'node:test'
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { buildConnector } from 'undici'
import type { EngineSettings } from '../src/engine/settings.ts'
import { isProblem, startHosted } from './hosted.ts'
import { returnsTo, startSigningIn } from './signing-in.ts'

/** What the official client keeps, with the browser's address where a person would be sent. */
function program(document?: string) {
  const kept: Record<string, unknown> = {}
  let sentTo: URL | undefined
  const provider: OAuthClientProvider = {
    redirectUrl: returnsTo,
    clientMetadata: { client_name: 'Test Desk', redirect_uris: [returnsTo], token_endpoint_auth_method: 'none' },
    ...(document !== undefined && { clientMetadataUrl: document }),
    state: () => 'state-of-the-program',
    clientInformation: () => kept.client as never,
    saveClientInformation: (client) => {
      kept.client = client
    },
    tokens: () => kept.tokens as never,
    saveTokens: (tokens) => {
      kept.tokens = tokens
    },
    redirectToAuthorization: (url) => {
      sentTo = url
    },
    saveCodeVerifier: (verifier) => {
      kept.verifier = verifier
    },
    codeVerifier: () => kept.verifier as string,
  }
  return { provider, kept, sentTo: () => sentTo! }
}

/** A host in the internet that publishes the document about a program; everything else is where it always is. */
const desk = { host: 'desk.example', port: 0 }
const network: EngineSettings['network'] = {
  resolve: (hostname, options, callback) =>
    hostname === desk.host
      ? callback(null, [{ address: '127.0.0.1', family: 4 }])
      : lookup(hostname, { ...options, all: true }, callback),
  open(options) {
    const usual = buildConnector(options)
    return (target, callback) => {
      if (target.hostname !== desk.host) return usual(target, callback)
      const socket = connect(desk.port, '127.0.0.1', () => callback(null, socket as never))
      socket.once('error', (error) => callback(error, null))
    }
  },
}

const closing = (server: Server) => ({
  close() {
    server.closeAllConnections()
    server.close()
  },
})

describe('signing in for an agent', async () => {
  const opened: { close(): unknown }[] = []
  const { hosted, at, signInCode, get, post, signedIn, allow, register, authorizeAddress, authorizationCode, redeem } =
    await startSigningIn({ serve: { network } })
  after(async () => {
    for (const one of opened) await one.close()
    await hosted.close()
  })
  beforeEach(() => hosted.calm())

  async function walk(document?: string): Promise<{ sentTo: URL }> {
    const { provider, kept, sentTo } = program(document)
    const transport = () => {
      const made = new StreamableHTTPClientTransport(new URL(at('/mcp')), { authProvider: provider })
      opened.push(made)
      return made
    }
    const first = transport()
    await assert.rejects(new Client({ name: 'test', version: '1' }).connect(first), UnauthorizedError)
    const back = await allow(sentTo(), await signInCode())
    assert.equal(back.origin + back.pathname, returnsTo)
    assert.equal(back.searchParams.get('state'), 'state-of-the-program')
    assert.equal(back.searchParams.get('iss'), hosted.server.publicUrl)
    await first.finishAuth(back.searchParams)

    const client = new Client({ name: 'test', version: '1' })
    await client.connect(transport())
    const result = await client.callTool({ name: 'list_connectors', arguments: {} })
    assert.match(JSON.stringify(result), new RegExp(hosted.connector))
    const before = kept.tokens as { access_token: string; refresh_token: string }
    // The token ends, and the client renews it by itself.
    hosted.clock.advance(21 * 60_000)
    assert.match(
      JSON.stringify(await client.callTool({ name: 'list_connectors', arguments: {} })),
      new RegExp(hosted.connector),
    )
    const renewed = kept.tokens as typeof before
    assert.notEqual(renewed.access_token, before.access_token)
    assert.notEqual(renewed.refresh_token, before.refresh_token)
    await client.close()
    return { sentTo: sentTo() }
  }

  it('works for the official client that registers: discovery, page, code, call, renewal', async () => {
    await walk()
  })

  it('works for the official client that publishes a document about itself, and registers nowhere', async () => {
    const client_id = `https://${desk.host}/program.json`
    const server = createServer(({ url, headers }, answer) => {
      const found = `https://${headers.host}${url}`
      const document = { client_id: found, client_name: 'Example Desk', redirect_uris: [returnsTo] }
      answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document))
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    opened.push(closing(server))
    desk.port = (server.address() as AddressInfo).port
    const { sentTo } = await walk(client_id)
    assert.equal(sentTo.searchParams.get('client_id'), client_id)
    assert.match(await (await get(sentTo)).text(), /<dt>Program<\/dt><dd>desk\.example<\/dd>/)
    const token = (await hosted.server.issueToken()).token
    const { agents } = (await hosted.call('GET', '/v1/integrations/end-users/ann/agents', { token })).body
    assert.deepEqual([agents[0].name, agents[0].client_id], ['Example Desk', client_id])
  })

  it('works for a client that is known by a document about it, which is read anew and checked', async () => {
    let document: unknown
    let status = 200
    const server = createServer((_, answer) =>
      answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(document)),
    )
    await once(server.listen(0, '127.0.0.1'), 'listening')
    opened.push(closing(server))
    const client_id = `http://127.0.0.1:${(server.address() as AddressInfo).port}/program.json`
    const good = { client_id, client_name: 'Test Desk', redirect_uris: [returnsTo], token_endpoint_auth_method: 'none' }
    document = good
    const code = await authorizationCode(client_id)
    assert.equal((await redeem(client_id, code)).status, 200)
    assert.match(await (await get(authorizeAddress(client_id))).text(), /<dt>Program<\/dt><dd>127\.0\.0\.1:/)

    for (const bad of [
      { ...good, client_id: `${client_id}?x=1` },
      { ...good, client_name: undefined },
      { ...good, redirect_uris: [] },
      { ...good, redirect_uris: ['http://evil.example/'] },
      { ...good, token_endpoint_auth_method: 'client_secret_basic' },
      'text',
      { ...good, padding: 'x'.repeat(100_000) },
    ]) {
      document = bad
      assert.equal((await get(authorizeAddress(client_id))).status, 422, JSON.stringify(bad).slice(0, 200))
    }
    document = good
    status = 302
    assert.equal((await get(authorizeAddress(client_id))).status, 422)
    for (const other of [
      'https://127.0.0.1/../x',
      'http://127.0.0.1/',
      'http://user@127.0.0.1/x',
      'http://127.0.0.1/x#y',
    ])
      assert.equal((await get(authorizeAddress(other))).status, 422, other)
  })

  it('reads no document in a private network, unless the operator allows it', async () => {
    let asked = 0
    const server = createServer((_, answer) => {
      asked++
      answer.end('{}')
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    opened.push(closing(server))
    const { port } = server.address() as AddressInfo
    const guarded = await startHosted({ settings: { allowPrivateNetwork: false } })
    opened.push(guarded)
    for (const client_id of [
      `http://127.0.0.1:${port}/x`,
      `https://127.0.0.1:${port}/x`,
      `https://localhost:${port}/x`,
    ]) {
      const url = authorizeAddress(client_id)
      const answer = await get(new URL(url.pathname + url.search, guarded.server.origin))
      assert.equal(answer.status, 422)
      assert.match(await answer.text(), /could not be read/)
    }
    assert.equal(asked, 0)
  })

  it('tells programs what it can', async () => {
    const { body } = await hosted.call('GET', '/.well-known/oauth-authorization-server')
    assert.equal(body.issuer, hosted.server.publicUrl)
    assert.deepEqual(body.code_challenge_methods_supported, ['S256'])
    const { body: resource } = await hosted.call('GET', '/.well-known/oauth-protected-resource')
    assert.deepEqual(resource.authorization_servers, [body.issuer])
    const refused = await hosted.call('POST', '/mcp', { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } })
    assert.match(refused.headers.get('www-authenticate')!, /^Bearer resource_metadata="[^"]+", scope="read"$/)
  })

  it('tells the program when its user refuses', async () => {
    const request = signedIn(await (await get(authorizeAddress(await register()))).text())
    const refused = await post('/oauth/authorize', { request, decision: 'refuse' })
    const back = new URL(refused.headers.get('location')!)
    assert.equal(back.origin + back.pathname, returnsTo)
    const { error, state, iss } = Object.fromEntries(back.searchParams)
    assert.deepEqual({ error, state, iss }, { error: 'access_denied', state: 'xyz', iss: hosted.server.publicUrl })
  })

  it('refuses requests that are not whole, to the program where it is on the user’s machine', async () => {
    const client = await register()
    for (const [changes, error] of [
      [{ code_challenge_method: 'plain' }, 'invalid_request'],
      [{ code_challenge_method: undefined }, 'invalid_request'],
      [{ code_challenge: undefined }, 'invalid_request'],
      [{ code_challenge: 'short' }, 'invalid_request'],
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ resource: 'https://other.example/mcp' }, 'invalid_target'],
      [{ resource: at('/') }, 'invalid_target'],
    ] as const) {
      const answer = await get(authorizeAddress(client, changes))
      assert.equal(answer.status, 302)
      const back = new URL(answer.headers.get('location')!)
      assert.equal(back.origin + back.pathname, returnsTo)
      assert.equal(back.searchParams.get('error'), error)
      assert.equal(back.searchParams.get('iss'), hosted.server.publicUrl)
    }
  })

  it('sends no browser to an address that the program has not listed, nor anywhere unasked', async () => {
    const client = await register([returnsTo, 'https://app.example/back'])
    for (const redirect_uri of [
      'https://evil.example/',
      'https://app.example/back/',
      'https://app.example/back?x=1',
      'https://app.example:8443/back',
      'https://app.example@evil.example/back',
      'https://APP.example/back',
      'http://app.example/back',
      'http://127.0.0.1:43210/other',
      'http://127.0.0.1:43210@evil.example/callback',
      'http://localhost:43210/callback',
      'javascript:alert(1)',
      '//evil.example/callback',
    ]) {
      const answer = await get(authorizeAddress(client, { redirect_uri }))
      assert.equal(answer.status, 422, redirect_uri)
      assert.equal(answer.headers.get('location'), null)
    }
    assert.equal((await get(authorizeAddress(client, { redirect_uri: 'http://127.0.0.1:50000/callback' }))).status, 200)
    // Anybody can register, so an error does not send browsers to another site by itself.
    const site = { redirect_uri: 'https://app.example/back', response_type: 'token' }
    const answer = await get(authorizeAddress(client, site))
    assert.deepEqual([answer.status, answer.headers.get('location')], [400, null])
    assert.match(await answer.text(), /href="https:\/\/app\.example\/back\?error=unsupported_response_type/)
  })

  it('registers no program with an address to which browsers must not go', async () => {
    for (const uri of [
      'http://app.example/',
      'javascript:alert(1)',
      'cursor://x/y',
      'https://a@b.example/',
      'https://a.example/#x',
      'x',
    ]) {
      const answer = await hosted.call('POST', '/oauth/register', { body: { redirect_uris: [uri] } })
      assert.deepEqual([answer.status, answer.body.error], [400, 'invalid_redirect_uri'], uri)
    }
    for (const body of [
      {},
      { redirect_uris: 'https://a.example/' },
      { redirect_uris: [] },
      { redirect_uris: [returnsTo], client_name: 7 },
      '[]',
    ]) {
      const answer = await hosted.call('POST', '/oauth/register', { body })
      assert.equal(answer.status, 400, JSON.stringify(body))
      assert.match(answer.body.error_description, /^\S.*\.$/)
    }
  })

  it('shows a page that cannot be framed, runs nothing, and shows names as text', async () => {
    const registered = await hosted.call('POST', '/oauth/register', {
      body: { client_name: '<script>alert(1)</script>\u202e', redirect_uris: ['https://app.example/back'] },
    })
    const page = await get(authorizeAddress(registered.body.client_id, { redirect_uri: 'https://app.example/back' }))
    const policy = page.headers.get('content-security-policy')!
    assert.match(
      policy,
      /default-src 'none'; .*frame-ancestors 'none'; base-uri 'none'; form-action 'self' https:\/\/app\.example$/,
    )
    assert.equal(page.headers.get('x-frame-options'), 'DENY')
    assert.equal(page.headers.get('cache-control'), 'no-store')
    const text = await page.text()
    assert.doesNotMatch(text, /<script|\u202e/)
    assert.match(text, /<dt>Returns to<\/dt><dd>app\.example<\/dd>/)
  })

  it('grants nothing to a form that another page sends, or that was changed', async () => {
    const client = await register()
    const request = signedIn(await (await get(authorizeAddress(client))).text())
    const form = { request, decision: 'allow', sign_in_code: await signInCode() }
    assert.equal((await post('/oauth/authorize', form, { 'sec-fetch-site': 'cross-site' })).status, 403)
    assert.equal((await post('/oauth/authorize', { ...form, request: `${request}x` })).status, 422)
    assert.equal((await post('/oauth/authorize', { ...form, request: client })).status, 422)
    hosted.clock.advance(16 * 60_000)
    const late = await post('/oauth/authorize', form)
    assert.equal(late.status, 422)
    assert.match(await late.text(), /This page has expired/)
  })

  it('takes forms where forms belong, and JSON where JSON does', async () => {
    isProblem(await hosted.call('POST', '/oauth/token', { body: {} }), 'unsupported_media_type')
    assert.equal((await post('/oauth/register', { redirect_uris: returnsTo })).status, 415)
    const twice = 'grant_type=refresh_token&grant_type=refresh_token&client_id=x'
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    assert.equal((await fetch(at('/oauth/token'), { method: 'POST', headers, body: twice })).status, 422)
  })

  it('is off where browsers could not come safely, or the operator says so', async () => {
    for (const settings of [{ publicUrl: 'http://conex.example' }, { mcpSignIn: false }]) {
      const off = await startHosted({ settings })
      opened.push(off)
      for (const path of [
        '/.well-known/oauth-authorization-server',
        '/.well-known/oauth-protected-resource',
        '/oauth/authorize?client_id=x&redirect_uri=y',
      ])
        assert.equal((await off.call('GET', path)).status, 404, path)
      const refused = await off.call('POST', '/mcp', { body: {} })
      assert.equal(refused.headers.get('www-authenticate'), 'Bearer')
    }
  })
})
