/** Consents from beginning to end: who begins them, where they lead, and what comes of them. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { appUrl, type Consenting, callbackPath, consentKinds, initiatePath, startConsenting } from './consenting.ts'
import { connectors, type Hosted, isFine, isProblem, keptIn, startHosted } from './hosted.ts'

describe('consents', () => {
  let hosted: Hosted
  let consenting: Consenting
  const asana = { connector_type: 'asana' }

  before(async () => {
    hosted = await startHosted()
    consenting = await startConsenting(hosted)
  })
  beforeEach(() => hosted.calm())
  after(() => hosted.close())

  const check = (id: string) => hosted.call('POST', `${connectors}/${id}/check`, { token: consenting.bearer, body: {} })

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
      assert.deepEqual([...end.searchParams.keys()], ['from', 'secret_id', 'server_side_oauth_secret_id'])
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
    '/cb': /complete address/,
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
      const added = `secret_id=${secret}&server_side_oauth_secret_id=${secret}`
      assert.equal(end.href, `${redirect_url}${redirect_url.includes('?') ? '&' : '?'}${added}`)
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
