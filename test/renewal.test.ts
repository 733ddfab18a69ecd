import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { Effect } from '../src/simulator/fault-effects.ts'
import { connectors, type Hosted, isFine, isProblem, startHosted } from './hosted.ts'

describe('renewing access tokens', () => {
  let hosted: Hosted
  let connector: string
  const run = () => hosted.execute('workspaces', 'list', {}, { connector })
  const renewals = () => hosted.received().filter(({ path }) => path.endsWith('/-/oauth_token'))
  const status = async () =>
    isFine(await hosted.call('GET', `${connectors}/${connector}`, { token: hosted.ann })).status
  const expire = () => hosted.systems.change('asana', { change: 'expire_access_tokens' })
  const atToken = (effect: Effect, times: number | null = 1) => hosted.fault(effect, { path: '/-/oauth_token', times })

  before(async () => {
    hosted = await startHosted()
  })
  beforeEach(async () => {
    connector = await hosted.connect(hosted.credentials('oauth'))
    hosted.calm()
  })
  after(() => hosted.close())

  it('a connector without an access token gets one before its first call', async () => {
    const { access_token: _, ...rest } = hosted.credentials('oauth')
    connector = await hosted.connect(rest)
    isFine(await run())
    isFine(await run())
    assert.equal(renewals().length, 1)
    assert.equal(hosted.received().length, 3)
    const form = new URLSearchParams(renewals()[0]!.body)
    assert.equal(form.get('grant_type'), 'refresh_token')
    assert.equal(renewals()[0]!.headers.authorization, undefined)
  })

  it('an access token that cannot be sent, or has no end, does not take the place of one that may come later', async () => {
    const { access_token: _, ...rest } = hosted.credentials('oauth')
    for (const token of ['a\r\nx: y', 'é', 'a'.repeat(100_000)]) {
      connector = await hosted.connect(rest)
      hosted.calm()
      atToken({ type: 'body', status: 200, body: JSON.stringify({ access_token: token, expires_in: 3600 }) }, null)
      isProblem(await run(), 'upstream_error')
      hosted.calm()
      isFine(await run())
    }
  })

  it('fifty callers with one expired token cause one renewal, and all succeed', async () => {
    expire()
    atToken({ type: 'delay', delay_ms: 50 })
    const answers = await Promise.all(Array.from({ length: 50 }, run))
    for (const answer of answers) isFine(answer)
    assert.equal(renewals().length, 1)
    isFine(await run())
    assert.equal(renewals().length, 1)
    assert.equal(await status(), 'active')
  })

  it('a token that is about to run out is renewed ahead', async () => {
    expire()
    isFine(await run())
    hosted.calm()
    hosted.clock.advance(3590_000)
    hosted.calm()
    // The callers' own tokens have run out meanwhile.
    const { token } = await hosted.server.issueToken('ann')
    isFine(await hosted.execute('workspaces', 'list', {}, { connector, token }))
    hosted.clock.advance(-3590_000)
    assert.deepEqual(
      hosted.received().map(({ status }) => status),
      [200, 200],
    )
  })

  it('rotated refresh tokens are kept, from one renewal to the next', async () => {
    hosted.systems.change('asana', { change: 'settings', rotate_refresh_tokens: true })
    for (let round = 0; round < 3; round++) {
      expire()
      for (const answer of await Promise.all(Array.from({ length: 5 }, run))) isFine(answer)
      assert.equal(renewals().length, round + 1)
    }
    const used = renewals().map(({ body }) => new URLSearchParams(body).get('refresh_token'))
    assert.equal(new Set(used).size, 3)
    hosted.systems.change('asana', { change: 'settings', rotate_refresh_tokens: false })
    await hosted.close()
    hosted = await startHosted()
  })

  for (const refresh_token of [undefined, '', null])
    it(`an answer whose refresh token is ${JSON.stringify(refresh_token)} leaves the old one good`, async () => {
      const { refresh_token: first, client_id, client_secret } = hosted.credentials('oauth')
      const form = {
        grant_type: 'refresh_token',
        refresh_token: first!,
        client_id: client_id!,
        client_secret: client_secret!,
      }
      for (let round = 0; round < 2; round++) {
        expire()
        const address = `${hosted.systems.origin}/asana/-/oauth_token`
        const fresh = await (await fetch(address, { method: 'POST', body: new URLSearchParams(form) })).json()
        hosted.calm()
        atToken({ type: 'body', body: { ...(fresh as object), refresh_token } })
        isFine(await run())
        assert.deepEqual(
          renewals().map(({ body }) => new URLSearchParams(body).get('refresh_token')),
          [first],
        )
      }
    })

  it('a second 401 right after a renewal ends it: no loop', async () => {
    hosted.fault({ type: 'status', status: 401 }, { path: '/workspaces', times: null })
    isProblem(await run(), 'reauthorization_required')
    assert.equal(renewals().length, 1)
    assert.equal(hosted.received().length, 3)
    assert.equal(await status(), 'reauthorization_required')
    hosted.calm()
    isFine(await run())
    assert.equal(await status(), 'active')
  })

  it('fifty callers whose renewed token is refused too leave the status telling it, and one success ends that', async () => {
    hosted.fault({ type: 'status', status: 401 }, { path: '/workspaces', times: null })
    for (const answer of await Promise.all(Array.from({ length: 50 }, run)))
      isProblem(answer, 'reauthorization_required')
    assert.equal(await status(), 'reauthorization_required')
    hosted.calm()
    expire()
    isFine(await run())
    assert.equal(await status(), 'active')
  })

  it('a renewal that is refused shows in the status, until new credentials are given', async () => {
    for (const refusal of [
      { status: 400, body: { error: 'invalid_grant', error_description: 'The `refresh_token` provided was invalid.' } },
      { status: 401, body: { error: 'invalid_client' } },
    ]) {
      hosted.calm()
      expire()
      atToken({ type: 'status', ...refusal }, null)
      const answer = await run()
      isProblem(answer, 'reauthorization_required')
      assert.equal(answer.body.upstream.code, refusal.body.error)
      assert.equal(renewals().length, 1)
      assert.equal(await status(), 'reauthorization_required')
      hosted.calm()
      const changed = await hosted.call('PATCH', `${connectors}/${connector}`, {
        token: hosted.ann,
        body: { credentials: hosted.credentials('oauth') },
      })
      assert.equal(isFine(changed).status, 'active')
      isFine(await run())
    }
  })

  it('a renewal that fails for now is tried again, and is no judgement of the credentials', async () => {
    for (const effect of [
      { type: 'status', status: 500 },
      { type: 'status', status: 429 },
      { type: 'html', status: 503 },
      { type: 'reset' },
      { type: 'cut' },
    ] as const) {
      hosted.calm()
      expire()
      atToken(effect, 1)
      isFine(await run())
      hosted.calm()
      expire()
      atToken(effect, null)
      const answer = await run()
      assert.equal(answer.status, effect.status === 429 ? 429 : 502, `${effect.type}: ${answer.text}`)
      assert.equal(renewals().length, 4)
      assert.equal(await status(), 'active')
    }
  })

  it('a renewal that never ends is a timeout', async (t) => {
    const hasty = await startHosted({ settings: { upstreamTimeoutSeconds: 0.4 } })
    t.after(() => hasty.close())
    const { access_token: _, ...grant } = hasty.credentials('oauth')
    const id = await hasty.connect(grant)
    hasty.fault({ type: 'never' }, { path: '/-/oauth_token', times: null })
    isProblem(await hasty.execute('workspaces', 'list', {}, { connector: id }), 'upstream_timeout')
    const record = isFine(await hasty.call('GET', `${connectors}/${id}`, { token: hasty.ann }))
    assert.equal(record.status, 'active')
  })

  it('a token is looked at again after each wait', async () => {
    hosted.systems.change('asana', { change: 'settings', access_token_seconds: 140 })
    expire()
    isFine(await run())
    hosted.calm()
    hosted.fault({ type: 'status', status: 429, headers: { 'retry-after': '25' } })
    isFine(await run())
    // Of 140 seconds 115 are left after the wait, which is too little to start with.
    assert.deepEqual(hosted.clock.waits, [25_000])
    assert.equal(renewals().length, 1)
    hosted.systems.change('asana', { change: 'settings', access_token_seconds: 3600 })
  })

  it('a grant that its user ended asks for consent again, and tries once per call', async (t) => {
    const own = await startHosted()
    t.after(() => own.close())
    connector = await own.connect(own.credentials('oauth'))
    own.systems.change('asana', { change: 'revoke_grant', refresh_token: own.credentials('oauth').refresh_token })
    for (let call = 1; call <= 2; call++) {
      const answer = await own.execute('workspaces', 'list', {}, { connector })
      isProblem(answer, 'reauthorization_required')
      assert.match(answer.body.detail, /consent/)
      assert.equal(own.received().filter(({ method }) => method === 'POST').length, call)
    }
  })

  it('an expired token in the middle of a walk is renewed without a gap', async () => {
    isFine(await run())
    hosted.calm()
    const gids: string[] = []
    let offset: string | undefined
    do {
      const page = isFine(
        await hosted.execute('project_tasks', 'list', { project_gid: hosted.at.project_bulk, offset }, { connector }),
      )
      gids.push(...page.result.map(({ gid }: { gid: string }) => gid))
      offset = page.connector_metadata.next_page?.offset
      if (gids.length === 300 || gids.length === 700) expire()
    } while (offset !== undefined)
    assert.equal(new Set(gids).size, 1050)
    assert.equal(renewals().length, 2)
  })
})
