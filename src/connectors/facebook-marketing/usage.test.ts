import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readUsage } from './usage.ts'

describe('what Meta tells of its count', () => {
  it('is nothing while no header comes, or none that can be read', () => {
    assert.equal(readUsage({}), null)
    assert.equal(readUsage({ 'x-app-usage': 'soon' }), null)
    assert.equal(readUsage({ 'x-business-use-case-usage': '{"1":[null,7]}', 'x-app-usage': '[]' }), null)
  })

  it('is that of the fullest figure of all headers', () => {
    const usage = readUsage({
      'x-app-usage': '{"call_count":28,"total_time":25,"total_cputime":25}',
      'x-business-use-case-usage':
        '{"1":[{"call_count":3,"total_time":61}],"2":[{"type":"ads_insights","total_cputime":2}]}',
      'x-ad-account-usage': '{"acc_id_util_pct":9.67,"reset_time_duration":100}',
      'x-fb-ads-insights-throttle': '{"app_id_util_pct":10,"acc_id_util_pct":60}',
    })
    assert.deepEqual(usage, { calls: 100_000, remaining: 39_000, seconds: 120 })
  })

  it('stands for longer close to the end, and until access comes back', () => {
    assert.equal(readUsage({ 'x-app-usage': '{"call_count":95}' })?.seconds, 600)
    const regain =
      '{"1":[{"call_count":100,"estimated_time_to_regain_access":19,"ads_api_access_tier":"standard_access"}]}'
    assert.deepEqual(readUsage({ 'x-business-use-case-usage': regain }), {
      calls: 100_000,
      remaining: 0,
      seconds: 1140,
    })
  })

  it('is nothing where the figures are no numbers, however they are written', () => {
    for (const figure of ['{"toString":null,"valueOf":null}', '['.repeat(10_000) + ']'.repeat(10_000), '"much"', '""'])
      assert.equal(readUsage({ 'x-app-usage': `{"call_count":${figure}}` }), null)
  })

  it('is of fewer calls for applications with limited access', () => {
    const header = '{"acc_id_util_pct":50,"ads_api_access_tier":"development_access"}'
    assert.deepEqual(readUsage({ 'x-ad-account-usage': header }), { calls: 300, remaining: 150, seconds: 120 })
  })
})
