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
