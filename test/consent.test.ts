import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, it } from 'node:test'
import fc from 'fast-check'
import {
  appUrl,
  type Begin,
  type Consenting,
  callbackPath,
  consentKinds,
  initiatePath,
  startConsenting,
} from './consenting.ts'
import { type Answer, connectors, type Hosted, isFine, isProblem, keptIn, startHosted } from './hosted.ts'

describe('consents', () => {
  let hosted: Hosted
  let consenting: Consenting
  const asana = { connector_type: 'asana' }

  before(async () => {
    hosted = await startHosted({ settings: { upstreamTimeoutSeconds: 2 } })
    consenting = await startConsenting(hosted)
  })
  beforeEach(() => hosted.calm())
  after(() => hosted.close())

  const check = (id: string) => hosted.call('POST', `${connectors}/${id}/check`, { token: consenting.bearer, body: {} })

  /** The error with which a browser is sent on. */
  function sentOnWith(answer: Answer): { error: string | null; words: string; url: URL } {
    assert.equal(answer.status, 302, answer.text)
    const url = new URL(answer.headers.get('location')!)
    assert.equal(url.origin + url.pathname, 'https://app.example/connected')
    assert.equal(url.searchParams.get('from'), 'settings')
    assert.equal(url.searchParams.get('secret_id'), null)
    return { error: url.searchParams.get('error'), words: url.searchParams.get('error_description') ?? '', url }
  }

  for (const [kind, more] of Object.entries(consentKinds))
    it(`of ${kind}: initiate, allow, callback, create, check`, async () => {
      const consentUrl = await consenting.consentUrl({ connector_type: kind })
      const callback = await consenting.press(consentUrl, 'allow')
      assert.equal(callback.origin + callback.pathname, hosted.server.origin + callbackPath)
      const answer = await consenting.visit(callback)
      assert.equal(answer.status, 302, answer.text)
      assert.equal(answer.headers.get('cache-control'), 'no-store')
      assert.equal(answer.headers.get('referrer-policy'), 'no-referrer')
      const end = new URL(answer.headers.get('location')!)
      assert.deepEqual([...end.searchParams.keys()], ['from', 'secret_id'])
      const made = await consenting.create({
        connector_type: kind,
        server_side_oauth_secret_id: end.searchParams.get('secret_id'),
        ...more,
      })
      assert.equal(made.status, 201, made.text)
      assert.deepEqual([made.body.auth_method, made.body.status], ['oauth', 'active'])
      assert.equal(isFine(await check(made.body.id)).status, 'healthy')
    })

  it('give credentials that execute, and are renewed with the application they were made with', async () => {
    const secret = await consenting.secretId(asana)
    const { body } = await consenting.create({ ...asana, server_side_oauth_secret_id: secret })
    const run = async () =>
      isFine(await hosted.execute('workspaces', 'list', {}, { connector: body.id, token: consenting.bearer }))
    assert.ok((await run()).result.length > 0)
    hosted.systems.change('asana', { change: 'expire_access_tokens' })
    assert.ok((await run()).result.length > 0)
  })

  it('of call analytics go on at the customer’s own address, which comes with the token', async () => {
    const secret = await consenting.secretId({ connector_type: 'gong' })
    const { body } = await consenting.create({ connector_type: 'gong', server_side_oauth_secret_id: secret })
    hosted.calm()
    isFine(await hosted.execute('workspaces', 'list', {}, { connector: body.id, token: consenting.bearer }))
    assert.deepEqual(
      hosted.received().map(({ path }) => path),
      ['/gong/company-17/v2/workspaces'],
    )
    // Each refresh token is good once: three renewals in a row show that the newest is kept.
    for (let round = 0; round < 3; round++) {
      hosted.systems.change('gong', { change: 'expire_access_tokens' })
      isFine(await hosted.execute('workspaces', 'list', {}, { connector: body.id, token: consenting.bearer }))
    }
  })

  it('of advertising give a token that lasts, and calls are signed with the platform’s secret', async () => {
    const secret = await consenting.secretId({ connector_type: 'facebook-marketing' })
    const forms = hosted
      .received()
      .filter(({ path }) => path.endsWith('/oauth/access_token'))
      .map(({ body, query }) => [new URLSearchParams(body).get('grant_type'), query])
    assert.deepEqual(forms, [
      ['authorization_code', ''],
      ['fb_exchange_token', ''],
    ])
    const asked = { connector_type: 'facebook-marketing', server_side_oauth_secret_id: secret }
    const { body } = await consenting.create(asked)
    hosted.calm()
    assert.equal(isFine(await check(body.id)).status, 'healthy')
    assert.match(hosted.received()[0]!.query, /appsecret_proof=[0-9a-f]{64}/)

    // Fifty-one days on it is exchanged again while it still works, once.
    const day = 86_400_000
    hosted.clock.advance(51 * day)
    const { token } = await hosted.server.issueToken()
    const later = () => hosted.call('POST', `${connectors}/${body.id}/check`, { token, body: {} })
    const paths = () => hosted.received().map(({ path }) => path.replace('/facebook-marketing/v26.0', ''))
    hosted.calm()
    // A refusal of that is no reason to stop using it.
    hosted.systems.faults.add({
      kind: 'facebook-marketing',
      path: '/oauth/access_token',
      effect: { type: 'status', status: 400, body: { error: { code: 190, message: 'No.' } } },
    })
    assert.equal(isFine(await later()).status, 'healthy')
    assert.deepEqual(paths(), ['/oauth/access_token', '/me'])
    hosted.calm()
    assert.equal(isFine(await later()).status, 'healthy')
    assert.equal(isFine(await later()).status, 'healthy')
    assert.deepEqual(paths(), ['/oauth/access_token', '/me', '/me'])
    hosted.clock.advance(-51 * day)
  })

  it('prove to the system who began, where it checks that, and never show the proof to the browser', async () => {
    const consentUrl = new URL(await consenting.consentUrl(asana))
    assert.equal(consentUrl.searchParams.get('code_challenge_method'), 'S256')
    const callback = await consenting.press(consentUrl.href, 'allow')
    await consenting.visit(callback)
    const [, exchange] = hosted.received().filter(({ method }) => method === 'POST')
    const verifier = new URLSearchParams(exchange!.body).get('code_verifier')!
    assert.ok(verifier.length >= 43)
    assert.ok(!consentUrl.href.includes(verifier))
    for (const kind of ['slack', 'hubspot'])
      assert.ok(!(await consenting.consentUrl({ connector_type: kind })).includes('code_challenge'))
  })

  it('are asked for by the names that existing programs use, at either address', async () => {
    for (const asked of [
      { connector_type: 'As Ana', workspace_name: 'ann', external_user_id: undefined },
      { definition_id: 'd0243522-dccf-4978-8ba0-37ed47a0bdbf', customer_name: 'ann' },
    ]) {
      const body = { redirect_url: appUrl, ...asked }
      isFine(await hosted.call('POST', `/api${initiatePath}`, { token: consenting.bearer, body }))
    }
  })

  it('are begun with a bearer token alone', async () => {
    isProblem(await consenting.begin(asana, hosted.ann), 'forbidden')
    isProblem(await consenting.begin(asana, 'forged'), 'unauthenticated')
  })

  it('need an end user, a kind and an address', async () => {
    const token = consenting.bearer
    const whole: Record<string, string> = { external_user_id: 'ann', connector_type: 'asana', redirect_url: appUrl }
    for (const name of Object.keys(whole)) {
      const { [name]: _, ...body } = whole
      isProblem(await hosted.call('POST', initiatePath, { token, body }), 'invalid_request', `/${name}`)
    }
    isProblem(await consenting.begin({ connector_type: 'asanna' }), 'invalid_request', '/connector_type')
  })

  const bad = {
    'https://ok.example:443@evil.example/cb': /user|password/,
    'http://127.0.0.1:80@evil.example/': /https/,
    'http://localhost.evil.example/': /https/,
    'https://ok.example/cb#f': /fragment/,
    'http://ok.example/cb': /https/,
    'javascript:alert(1)': /https/,
    '/cb': /whole address/,
    '': /address/,
  }
  for (const [redirect_url, reason] of Object.entries(bad))
    it(`never send a browser to "${redirect_url}"`, async () => {
      const answer = await consenting.begin({ ...asana, redirect_url })
      isProblem(answer, 'invalid_request', '/redirect_url')
      assert.match(answer.body.errors[0].message, reason)
    })

  for (const redirect_url of [
    'https://ok.example/cb?x=1',
    'http://127.0.0.1:5173/cb',
    'http://[::1]:5173/cb',
    'http://localhost:5173/cb',
  ])
    it(`end at ${redirect_url}, with what it held before`, async () => {
      const end = await consenting.consent({ ...asana, redirect_url })
      const secret = end.searchParams.get('secret_id')
      assert.equal(end.href, `${redirect_url}${redirect_url.includes('?') ? '&' : '?'}secret_id=${secret}`)
    })

  it('end at the addresses that the organization lists, where it lists any', async () => {
    const { store } = hosted.server.service
    const tenant = { organizationId: hosted.server.organizationId, externalUserId: null }
    await store.organizations.setRedirectUrls(tenant, ['https://app.example/connected'])
    isFine(await consenting.begin(asana))
    const answer = await consenting.begin({ ...asana, redirect_url: 'https://app.example/elsewhere' })
    isProblem(answer, 'invalid_request', '/redirect_url')
    await store.organizations.setRedirectUrls(tenant, null)
    isFine(await consenting.begin({ ...asana, redirect_url: 'https://app.example/elsewhere' }))
  })

  it('that are denied send the browser on with the system’s own word', async () => {
    const callback = await consenting.press(await consenting.consentUrl(asana), 'deny')
    assert.equal(sentOnWith(await consenting.visit(callback)).error, 'access_denied')
    // The state is used up by a denial as well.
    isProblem(await consenting.visit(callback), 'not_found')
  })

  it('with a state that is missing, unknown, used or too old end here', async () => {
    const at = (query: string) => consenting.visit(`${hosted.server.origin}${callbackPath}${query}`)
    isProblem(await at(''), 'invalid_request', '/state')
    isProblem(await at('?state=a&state=b&code=c'), 'invalid_request', '/state')
    isProblem(await at('?state=unknown&code=c'), 'not_found')

    const used = await consenting.press(await consenting.consentUrl(asana), 'allow')
    assert.equal((await consenting.visit(used)).status, 302)
    isProblem(await consenting.visit(used), 'not_found')

    const late = await consenting.press(await consenting.consentUrl(asana), 'allow')
    hosted.clock.advance(600_000)
    isProblem(await consenting.visit(late), 'not_found')
    hosted.clock.advance(-600_000)
  })

  it('answer a callback that nobody sent on purpose with a problem, whatever it holds', async () => {
    const odd = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom('__proto__', 'state', 'code', 'error', '%', '%00', '%ff', 'a'.repeat(5000), '[]', '\u0000'),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(odd, odd), { maxLength: 4 }), fc.boolean(), async (pairs, escaped) => {
        const text = (part: string) =>
          escaped ? encodeURIComponent(part.toWellFormed()) : encodeURI(part.toWellFormed())
        const query = pairs.map(([name, value]) => `${text(name)}=${text(value)}`).join('&')
        const answer = await fetch(`${hosted.server.origin}${callbackPath}?${query}`, { redirect: 'manual' })
        const body = await answer.text()
        assert.ok([404, 422].includes(answer.status), `${answer.status} ${query} ${body}`)
        assert.match(answer.headers.get('content-type')!, /^application\/problem\+json/)
      }),
      { numRuns: 200 },
    )
  })

  it('are not used up by a HEAD', async () => {
    const callback = await consenting.press(await consenting.consentUrl(asana), 'allow')
    assert.equal((await fetch(callback, { method: 'HEAD', redirect: 'manual' })).status, 404)
    assert.equal((await consenting.visit(callback)).status, 302)
  })

  it('visited twice at once are redeemed once', async () => {
    const callback = await consenting.press(await consenting.consentUrl(asana), 'allow')
    const answers = await Promise.all(Array.from({ length: 5 }, () => consenting.visit(callback)))
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [302, 404, 404, 404, 404])
  })

  it('whose code is refused, or that come back without one, send the browser on with the reason', async () => {
    for (const [kind, words] of [
      ['asana', 'Asana does not accept the code'],
      ['slack', 'Slack does not accept the code'],
      ['hubspot', 'HubSpot does not accept the code'],
    ] as const) {
      const callback = await consenting.press(await consenting.consentUrl({ connector_type: kind }), 'allow')
      callback.searchParams.set('code', 'forged-by-somebody')
      const sent = sentOnWith(await consenting.visit(callback))
      assert.equal(sent.error, 'upstream_refused')
      assert.ok(sent.words.startsWith(words), sent.words)
    }
    const callback = await consenting.press(await consenting.consentUrl(asana), 'allow')
    callback.searchParams.delete('code')
    assert.equal(sentOnWith(await consenting.visit(callback)).error, 'invalid_request')
  })

  it('that the system cannot redeem now are tried again, and then send the browser on', async () => {
    const once = await consenting.press(await consenting.consentUrl(asana), 'allow')
    hosted.fault({ type: 'status', status: 503 }, { path: '/-/oauth_token' })
    assert.equal((await consenting.visit(once)).status, 302)
    const callback = await consenting.press(await consenting.consentUrl(asana), 'allow')
    hosted.fault({ type: 'reset' }, { path: '/-/oauth_token', times: null })
    assert.equal(sentOnWith(await consenting.visit(callback)).error, 'upstream_error')
  })

  it('that never get an answer send the browser on in time', async () => {
    const callback = await consenting.press(await consenting.consentUrl(asana), 'allow')
    hosted.fault({ type: 'never' }, { path: '/-/oauth_token', times: null })
    assert.equal(sentOnWith(await consenting.visit(callback)).error, 'upstream_timeout')
  })

  it('pass on no more of a system’s words than a program can take', async () => {
    const state = new URL(await consenting.consentUrl(asana)).searchParams.get('state')!
    const query = new URLSearchParams({ state, error: `x\r\n${'é'.repeat(500)}`, error_description: 'y'.repeat(4000) })
    const { error, words } = sentOnWith(await consenting.visit(`${hosted.server.origin}${callbackPath}?${query}`))
    assert.match(error!, /^[\x20-\x7e]{1,100}$/)
    assert.equal(words.length, 500)
  })

  describe('give a secret_id', () => {
    const withSecret = async (asked: Begin = asana) => ({
      connector_type: asked.connector_type,
      server_side_oauth_secret_id: await consenting.secretId(asked),
    })

    it('that makes one connector', async () => {
      const body = await withSecret()
      const answers = await Promise.all(Array.from({ length: 5 }, () => consenting.create(body)))
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 409, 409, 409, 409])
      isProblem(await consenting.create(body), 'conflict')
    })

    it('that is still good after a creation that failed', async () => {
      const body = await withSecret()
      const name = randomUUID()
      assert.equal((await consenting.create({ ...asana, name, credentials: hosted.credentials('one') })).status, 201)
      const taken = await consenting.create({ ...body, name })
      assert.equal(taken.body.code, 'conflict')
      assert.ok(taken.body.existing_id)
      isProblem(await consenting.create({ ...body, replication_config: {} }), 'invalid_request', '/replication_config')
      assert.equal((await consenting.create(body)).status, 201)
    })

    it('that gives a repeated creation its first answer', async () => {
      const body = { ...(await withSecret()), name: randomUUID() }
      const headers = { 'idempotency-key': randomUUID() }
      const [first, ...others] = await Promise.all(
        Array.from({ length: 5 }, () => consenting.create(body, { headers })),
      )
      assert.equal(first!.status, 201)
      for (const other of others) assert.deepEqual([other.status, other.body], [201, first!.body])
      const again = await consenting.create(body, { headers })
      assert.deepEqual([again.status, again.body], [201, first!.body])
      isProblem(await consenting.create({ ...body, name: randomUUID() }, { headers }), 'conflict')
    })

    it('that is unknown to another organization, end user or kind, and to anybody after an hour', async () => {
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

    it('that the end user’s own scoped token may use', async () => {
      const made = await consenting.create(await withSecret(), { token: hosted.ann })
      assert.equal(made.status, 201, made.text)
    })

    it('that goes in place of credentials, not beside them', async () => {
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

    it('that mends a connector whose grant has ended', async () => {
      const { body } = await consenting.create(await withSecret())
      const path = `${connectors}/${body.id}`
      const token = consenting.bearer
      hosted.fault({ type: 'status', status: 400 }, { path: '/-/oauth_token', times: null })
      hosted.systems.change('asana', { change: 'expire_access_tokens' })
      isProblem(
        await hosted.execute('workspaces', 'list', {}, { connector: body.id, token }),
        'reauthorization_required',
      )
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

  it('leave no secret in the log or the database', async () => {
    const consentUrl = await consenting.consentUrl(asana)
    const callback = await consenting.press(consentUrl, 'allow')
    const secret = new URL((await consenting.visit(callback)).headers.get('location')!).searchParams.get('secret_id')!
    const exchange = hosted.received().findLast(({ path }) => path.endsWith('/-/oauth_token'))!
    const secrets = [
      secret,
      new URL(consentUrl).searchParams.get('state')!,
      callback.searchParams.get('code')!,
      new URLSearchParams(exchange.body).get('code_verifier')!,
      hosted.systems.describe().asana!.application!.client_secret,
    ]
    const kept = keptIn(hosted.folder)
    for (const one of secrets) {
      assert.ok(!hosted.log().includes(one))
      assert.ok(!kept.includes(one))
    }
  })
})

describe('a platform', () => {
  it('without an application for a kind says so, and takes credentials all the same', async () => {
    const hosted = await startHosted({ settings: { applications: {} } })
    const consenting = await startConsenting(hosted)
    const answer = await consenting.begin({ connector_type: 'slack' })
    isProblem(answer, 'invalid_request', '/connector_type')
    assert.match(answer.body.detail, /CONEX_SLACK_OAUTH_CLIENT_ID/)
    const [credentials] = hosted.systems.describe().hubspot!.credentials
    assert.equal((await consenting.create({ connector_type: 'hubspot', credentials })).status, 201)
    await hosted.close()
  })

  it('whose application has changed meanwhile does not redeem with the new one', async () => {
    const first = await startHosted()
    const consenting = await startConsenting(first)
    const callback = await consenting.press(await consenting.consentUrl({ connector_type: 'hubspot' }), 'allow')
    const secret = await consenting.secretId({ connector_type: 'hubspot' })
    const { body } = await consenting.create({ connector_type: 'hubspot', server_side_oauth_secret_id: secret })
    await first.server.close()

    const second = await startHosted({
      folder: first.folder,
      settings: { applications: { hubspot: { clientId: 'another', clientSecret: 'another-secret' } } },
    })
    const answer = await fetch(`${second.server.origin}${callback.pathname}${callback.search}`, { redirect: 'manual' })
    assert.equal(new URL(answer.headers.get('location')!).searchParams.get('error'), 'invalid_request')
    const { token } = await second.server.issueToken()
    const checked = isFine(await second.call('POST', `${connectors}/${body.id}/check`, { token, body: {} }))
    assert.equal(checked.status, 'unhealthy')
    assert.equal(checked.error.code, 'reauthorization_required')
    assert.match(checked.error.detail, /another application/)
    assert.equal(second.received().filter(({ path }) => path.includes('/oauth/')).length, 0)
    await second.close()
    await first.systems.close()
  })

  it('sends systems to its public address', async () => {
    const hosted = await startHosted({ settings: { publicUrl: 'https://conex.example/base' } })
    const consenting = await startConsenting(hosted)
    const consentUrl = new URL(await consenting.consentUrl({ connector_type: 'slack' }))
    assert.equal(consentUrl.searchParams.get('redirect_uri'), `https://conex.example/base${callbackPath}`)
    await hosted.close()
  })

  it('whose own secret a system refuses is told from a grant that has ended', async () => {
    const hosted = await startHosted()
    const { application } = hosted.systems.describe().hubspot!
    await hosted.close()
    const wrong = await startHosted({
      settings: { applications: { hubspot: { clientId: application!.client_id, clientSecret: 'wrong' } } },
    })
    const consenting = await startConsenting(wrong)
    const end = await consenting.consent({ connector_type: 'hubspot' })
    assert.equal(end.searchParams.get('error'), 'upstream_refused')
    assert.match(end.searchParams.get('error_description')!, /operator/)
    const { refresh_token } = wrong.systems.describe().hubspot!.credentials[0]!
    const { body } = await consenting.create({ connector_type: 'hubspot', credentials: { refresh_token } })
    const path = `${connectors}/${body.id}`
    const checked = isFine(await wrong.call('POST', `${path}/check`, { token: consenting.bearer, body: {} }))
    assert.equal(checked.error.code, 'upstream_refused')
    assert.equal(isFine(await wrong.call('GET', path, { token: consenting.bearer })).status, 'active')
    await wrong.close()
  })
})
