/** How often a client may ask. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startFixture } from './fixture.suite.ts'

const connectors = '/v1/integrations/connectors'

describe('the rate limit', () => {
  it('is per client, told in every answer, and says how long to wait', async () => {
    const fixture = await startFixture({ rateLimitPerMinute: 5 })
    const token = await fixture.bearer()
    for (let left = 4; left >= 0; left--) {
      const answer = await fixture.call('GET', connectors, { token })
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('ratelimit-remaining'), String(left))
    }
    const limited = await fixture.call('GET', connectors, { token: await fixture.scoped('ann') })
    assert.equal(limited.status, 429)
    assert.equal(limited.body.code, 'rate_limited')
    assert.ok(limited.body.retry_after >= 1 && limited.body.retry_after <= 60)
    assert.equal(limited.headers.get('retry-after'), String(limited.body.retry_after))
    assert.equal((await fixture.call('GET', connectors)).status, 401)
    assert.equal((await fixture.call('GET', '/healthz')).status, 200)
    await fixture.close()
  })

  it('goes by the address that the outermost proxy saw, whatever a caller writes beside it', async () => {
    const statuses = async (trustedProxies: number, forwarded: (guess: number) => string) => {
      const fixture = await startFixture({ tokenRateLimitPerMinute: 2, trustedProxies })
      const body = { client_id: 'x', client_secret: 'y' }
      const answers: number[] = []
      for (let guess = 0; guess < 3; guess++) {
        const headers = { 'x-forwarded-for': forwarded(guess) }
        answers.push((await fixture.call('POST', '/api/v1/account/applications/token', { body, headers })).status)
      }
      await fixture.close()
      return answers
    }
    assert.deepEqual(await statuses(0, (guess) => `203.0.113.${guess}`), [401, 401, 429])
    assert.deepEqual(await statuses(1, (guess) => `203.0.113.${guess}`), [401, 401, 401])
    assert.deepEqual(await statuses(1, (guess) => `203.0.113.${guess}, 198.51.100.7`), [401, 401, 429])
    assert.deepEqual(await statuses(2, (guess) => `198.51.100.7, 203.0.113.${guess}, 192.0.2.1`), [401, 401, 401])
    assert.deepEqual(await statuses(2, (guess) => `198.51.100.${guess}, 203.0.113.7, 192.0.2.1`), [401, 401, 429])
  })

  it('takes all addresses of one IPv6 network for one', async () => {
    const fixture = await startFixture({ tokenRateLimitPerMinute: 2, trustedProxies: 1 })
    const from = async (address: string) => {
      const body = { client_id: 'x', client_secret: 'y' }
      const headers = { 'x-forwarded-for': address }
      return (await fixture.call('POST', '/api/v1/account/applications/token', { body, headers })).status
    }
    assert.deepEqual(
      [await from('2001:db8:1:2::1'), await from('2001:DB8:1:2:ffff::'), await from('2001:db8:1:2:3:4:5:6')],
      [401, 401, 429],
    )
    assert.equal(await from('2001:db8:1:3::1'), 401)
    assert.deepEqual(
      [await from('192.0.2.1'), await from('::ffff:192.0.2.1'), await from('192.0.2.1')],
      [401, 401, 429],
    )
    await fixture.close()
  })

  it('has windows that end in time, whatever is done to the clock meanwhile', async (t) => {
    const fixture = await startFixture({
      rateLimitPerMinute: 1,
      endUserRateLimitPerMinute: 1,
      tokenRateLimitPerMinute: 1,
    })
    const token = await fixture.scoped('ann')
    const body = { client_id: 'x', client_secret: 'y' }
    const ask = () => fixture.call('GET', connectors, { token })
    const guess = () => fixture.call('POST', '/api/v1/account/applications/token', { body })
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 3_600_000 })
    assert.deepEqual([(await ask()).status, (await guess()).status], [200, 401])
    t.mock.timers.reset()
    for (const limited of [await ask(), await guess()]) {
      assert.equal(limited.status, 429)
      assert.ok(limited.body.retry_after <= 60)
    }
    await fixture.close()
  })

  it('holds requests for tokens tighter, and can be switched off', async () => {
    const guarded = await startFixture({ rateLimitPerMinute: 0, tokenRateLimitPerMinute: 2 })
    const body = { client_id: 'x', client_secret: 'y' }
    const guess = () => guarded.call('POST', '/api/v1/account/applications/token', { body })
    assert.deepEqual([(await guess()).status, (await guess()).status, (await guess()).status], [401, 401, 429])
    const token = await guarded.bearer()
    assert.equal((await guarded.call('GET', connectors, { token })).headers.get('ratelimit-limit'), null)
    await guarded.close()
    const open = await startFixture({ rateLimitPerMinute: 0, tokenRateLimitPerMinute: 0 })
    assert.equal((await open.call('POST', '/api/v1/account/applications/token', { body })).status, 401)
    await open.close()
  })
})
