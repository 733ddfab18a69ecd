import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { ErrorCode } from '../../src/errors.ts'
import { failure, type Simulated, startSimulated } from './simulated.ts'

describe('refusals of Meta', () => {
  let simulated: Simulated
  const list = () => simulated.facebook.campaigns.list({ account_id: simulated.at.account!, limit: 1 })
  const get = () => simulated.facebook.campaigns.get({ campaign_id: simulated.at.campaign! })

  before(async () => {
    simulated = await startSimulated()
  })
  beforeEach(() => simulated.calm())
  after(() => simulated.close())

  /** HTTP status, code, subcode, message; what comes of it, and how often it was asked for. */
  const table: readonly (readonly [number, number, number | null, string, ErrorCode, number])[] = [
    [500, 1, null, 'An unknown error has occurred.', 'upstream_error', 4],
    [400, 1, null, 'An unknown error has occurred.', 'upstream_error', 4],
    [500, 1, 99, 'An unknown error occurred', 'upstream_error', 4],
    [
      500,
      1,
      null,
      "Please reduce the amount of data you're asking for, then retry your request",
      'upstream_refused',
      1,
    ],
    [400, 1, 2853001, 'Your profile is not linked to a page', 'upstream_forbidden', 1],
    [503, 2, null, 'Service temporarily unavailable', 'upstream_error', 4],
    [400, 2, 1504041, 'Invalid breakdowns', 'upstream_refused', 1],
    [400, 3, null, '(#3) Application does not have the capability', 'upstream_forbidden', 1],
    [400, 4, null, '(#4) Application request limit reached', 'upstream_rate_limited', 4],
    [403, 4, 1504022, '(#4) Application request limit reached', 'upstream_rate_limited', 4],
    [403, 10, null, '(#10) Application does not have permission for this action', 'upstream_forbidden', 1],
    [400, 17, 2446079, '(#17) User request limit reached', 'upstream_rate_limited', 4],
    [400, 32, null, '(#32) Page request limit reached', 'upstream_rate_limited', 4],
    [400, 100, null, '(#100) Invalid parameter', 'upstream_refused', 1],
    [400, 100, null, '(#100) Missing permissions', 'upstream_forbidden', 1],
    [400, 100, 3191001, '(#100) Insufficient permissions', 'upstream_forbidden', 1],
    [400, 100, 1487561, 'Invalid parameter', 'upstream_refused', 1],
    [400, 100, 2446289, 'Ad Creative Is Incomplete', 'upstream_refused', 1],
    [400, 100, null, '(#100) Cannot include clicks in summary param because it was not there', 'upstream_error', 4],
    [
      400,
      100,
      null,
      'The After Cursor specified exceeds the max limit supported by this endpoint',
      'invalid_cursor',
      1,
    ],
    [401, 102, null, 'Session key invalid', 'reauthorization_required', 1],
    [400, 104, null, 'Incorrect signature', 'upstream_error', 4],
    [400, 190, null, 'Invalid OAuth access token.', 'reauthorization_required', 1],
    [400, 190, 458, 'Error validating access token', 'reauthorization_required', 1],
    [401, 190, 460, 'Error validating access token', 'reauthorization_required', 1],
    [400, 190, 463, 'Error validating access token', 'reauthorization_required', 1],
    [
      400,
      190,
      null,
      'pages_show_list permission(s) must be granted before impersonating a user’s page',
      'upstream_forbidden',
      1,
    ],
    [403, 200, null, '(#200) Requires ads_read permission to manage the object', 'upstream_forbidden', 1],
    [400, 294, null, '(#294) Managing advertisements requires ads_management', 'upstream_forbidden', 1],
    [400, 341, null, 'Application limit reached', 'upstream_rate_limited', 4],
    [400, 368, null, 'The action attempted has been deemed abusive', 'upstream_forbidden', 1],
    [400, 613, 1487742, 'Calls to this api have exceeded the rate limit.', 'upstream_rate_limited', 4],
    [400, 960, null, 'Batch failed', 'upstream_error', 4],
    [400, 2500, null, 'Unknown path components: /x', 'upstream_refused', 1],
    [
      400,
      2500,
      null,
      'An active access token must be used to query information about the current user.',
      'reauthorization_required',
      1,
    ],
    [400, 2635, null, '(#2635) You are calling a deprecated version of the Ads API.', 'upstream_error', 1],
    [400, 2642, null, '(#2642) Invalid cursors values', 'invalid_cursor', 1],
    [400, 3018, null, '(#3018) The start date of the time range cannot be beyond 37 months', 'upstream_refused', 1],
    [400, 80000, 2446079, '(#80000) There have been too many calls', 'upstream_rate_limited', 4],
    [400, 80004, 2446079, '(#80004) There have been too many calls', 'upstream_rate_limited', 4],
    [400, 80014, null, '(#80014) There have been too many calls', 'upstream_rate_limited', 4],
    [401, 987654, null, 'Something new', 'reauthorization_required', 1],
    [403, 987654, null, 'Something new', 'upstream_forbidden', 1],
    [404, 987654, null, 'Something new', 'upstream_refused', 1],
    [429, 987654, null, 'Something new', 'upstream_rate_limited', 4],
    [500, 987654, null, 'Something new', 'upstream_error', 4],
    [418, 987654, null, 'Something new', 'upstream_refused', 1],
    [200, 987654, null, 'Something new', 'upstream_error', 1],
  ]
  for (const [status, code, subcode, message, meaning, times] of table)
    it(`${status} with code ${code}${subcode === null ? '' : `/${subcode}`} ("${message.slice(0, 50)}") is ${meaning}`, async () => {
      const error = {
        message,
        type: 'OAuthException',
        code,
        ...(subcode === null ? {} : { error_subcode: subcode }),
        fbtrace_id: 'AbC-1',
      }
      simulated.refuse(error, { status })
      const thrown = await failure(list(), meaning)
      assert.equal(thrown.upstream?.code, String(code))
      assert.match(String(thrown.upstream?.message), /trace AbC-1/)
      assert.equal(simulated.sent().length, times)
    })

  it('mean the same under status 200 (F21)', async () => {
    simulated.refuse({ code: 190, message: 'Invalid OAuth access token.' }, { status: 200, times: 1 })
    await failure(list(), 'reauthorization_required')
    assert.equal(simulated.sent().length, 1)
    simulated.refuse(
      { code: 2, is_transient: true, message: 'Service temporarily unavailable' },
      { status: 200, times: 1 },
    )
    assert.equal((await list()).result.length, 1)
  })

  it('that say is_transient are repeated, whatever their code', async () => {
    simulated.refuse({ code: 987654, is_transient: true, message: 'Try again' }, { times: 2 })
    assert.equal((await list()).result.length, 1)
    assert.equal(simulated.sent().length, 3)
  })

  it('for too many calls come with the minutes of the usage header as seconds (F20)', async () => {
    const usage = { '123': [{ type: 'ads_management', call_count: 100, estimated_time_to_regain_access: 7 }] }
    simulated.refuse(
      { code: 80004, error_subcode: 2446079, message: 'too many' },
      { headers: { 'x-business-use-case-usage': JSON.stringify(usage) } },
    )
    const error = await failure(list(), 'upstream_rate_limited')
    assert.equal(error.retryAfter, 420)
    // Longer than anybody waits, and asking again would prolong it.
    assert.equal(simulated.sent().length, 1)
    assert.deepEqual(simulated.clock.slept, [])
  })

  it('for too many calls take the longest wait that any header tells', async () => {
    const usage = {
      '1': [{ estimated_time_to_regain_access: 0 }, { estimated_time_to_regain_access: 2 }],
      '2': [{ estimated_time_to_regain_access: 1 }],
    }
    const headers = {
      'x-business-use-case-usage': JSON.stringify(usage),
      'x-ad-account-usage': '{"acc_id_util_pct":100,"reset_time_duration":300}',
    }
    simulated.refuse({ code: 17, message: 'too many' }, { headers, times: 1 })
    assert.equal((await failure(list(), 'upstream_rate_limited')).retryAfter, 300)
    simulated.refuse(
      { code: 17, message: 'too many' },
      { headers: { 'x-ad-account-usage': '{"reset_time_duration":9}' }, times: 1 },
    )
    await list()
    assert.deepEqual(simulated.clock.slept, [9_000])
  })

  it('for too many calls without a header, or with a broken one, are repeated after a pause (F20)', async () => {
    simulated.refuse({ code: 17, message: 'too many' }, { times: 1 })
    simulated.refuse(
      { code: 613, message: 'too many' },
      { times: 1, headers: { 'x-business-use-case-usage': '{"1":[{' } },
    )
    assert.equal((await list()).result.length, 1)
    assert.equal(simulated.clock.slept.length, 2)
  })

  it('of the system’s own quotas are understood too', async () => {
    const strict = await startSimulated({ callsPerMinute: 0.05 })
    try {
      const call = () => strict.facebook.ads.list({ account_id: strict.at.account!, limit: 1 })
      for (let calls = 0; calls < 3; calls++) await call()
      const error = await failure(call(), 'upstream_rate_limited')
      assert.equal(error.upstream?.code, '80004')
      assert.ok(error.retryAfter! > 3_000 && error.retryAfter! <= 3_600)
    } finally {
      await strict.close()
    }
  })

  it('of a permission name it where Meta does (F36)', async () => {
    simulated.refuse(
      { code: 200, message: '(#200) Requires business_management permission to manage the object' },
      { status: 403 },
    )
    assert.match((await failure(list(), 'upstream_forbidden')).message, /^Meta requires business_management for this/)
    assert.equal(simulated.sent().length, 1)
  })

  it('of tokens say why they are no longer good (F37)', async () => {
    for (const [token, reason] of [
      ['token_expired', /expired/],
      ['token_password_changed', /password/],
      ['token_application_removed', /removed the application/],
    ] as const) {
      simulated.calm()
      const gone = simulated.connectWith({ access_token: simulated.at[token]! })
      const error = await failure(gone.ads.list({ account_id: simulated.at.account! }), 'reauthorization_required')
      assert.match(error.message, reason)
      assert.equal(simulated.sent().length, 1)
    }
  })

  it('of a token without ads_read are about permission, not about the token', async () => {
    const poor = simulated.connectWith({ access_token: simulated.at.token_without_ads_read! })
    assert.ok((await poor.current_user.get()).result.id)
    await failure(poor.ad_accounts.list({ fields: 'id' }), 'upstream_forbidden')
    await failure(poor.campaigns.list({ account_id: simulated.at.account! }), 'upstream_forbidden')
  })

  it('of objects that are not there are not found, of accounts not shown forbidden', async () => {
    const { campaigns, ad_account } = simulated.facebook
    await failure(campaigns.get({ campaign_id: '1' }), 'record_not_found')
    await failure(ad_account.get({ account_id: simulated.at.account_hidden! }), 'record_not_found')
    const hidden = await failure(campaigns.list({ account_id: simulated.at.account_hidden! }), 'upstream_forbidden')
    assert.match(hidden.message, /check account_id/)
    const closed = await failure(campaigns.list({ account_id: simulated.at.account_closed! }), 'upstream_forbidden')
    assert.match(closed.message, /ads_management and ads_read|ads_read/)
  })

  it('never repeat the token or the secret', async () => {
    const { access_token, client_secret } = simulated.credentials[0]!
    simulated.refuse({ code: 100, message: `(#100) bad token ${access_token} and ${client_secret}` })
    const error = await failure(list(), 'upstream_refused')
    const told = JSON.stringify([error.message, error.upstream, error.issues])
    assert.ok(!told.includes(access_token!) && !told.includes(client_secret!))
  })

  it('that are no JSON are unusable answers, not empty lists', async () => {
    simulated.fault({ type: 'html', status: 503 }, null)
    await failure(list(), 'upstream_error')
    simulated.calm()
    simulated.fault({ type: 'body', body: 'Service Unavailable' }, null)
    await failure(list(), 'upstream_invalid_response')
    simulated.calm()
    simulated.fault({ type: 'cut', as: 'json' }, 1)
    assert.equal((await list()).result.length, 1)
    simulated.calm()
    simulated.fault({ type: 'body', body: { paging: {} } }, null)
    await failure(list(), 'upstream_invalid_response')
    simulated.calm()
    simulated.fault({ type: 'body', body: {} }, null)
    await failure(get(), 'upstream_invalid_response')
  })

  it('values that do not fit are null and told, the records stay (F02)', async () => {
    const data = [
      { id: '1', bid_amount: 7 },
      { id: '2', bid_amount: '1234;5678', daily_budget: { x: 1 } },
      { id: '3', bid_amount: null },
    ]
    simulated.fault({ type: 'body', body: { data } })
    const { result, connector_metadata } = await simulated.facebook.ad_sets.list({ account_id: simulated.at.account! })
    assert.deepEqual(
      result.map(({ bid_amount, daily_budget }) => [bid_amount, daily_budget]),
      [
        [7, null],
        [null, null],
        [null, null],
      ],
    )
    const told = connector_metadata.warnings!
    assert.deepEqual(
      told.map(({ path }) => path),
      ['/result/1/bid_amount', '/result/1/daily_budget'],
    )
    assert.match(told[0]!.message, /record 2/)
    assert.ok(!JSON.stringify(told).includes('5678'))
  })

  it('ids that come as bare numbers keep their digits (F03)', async () => {
    simulated.fault({
      type: 'body',
      body: '{"data":[{"id":120200448105913207,"creative":{"id":"23"},"adset_id":7782342274025937895}]}',
    })
    const { result } = await simulated.facebook.ads.list({ account_id: simulated.at.account! })
    assert.deepEqual([result[0]!.id, result[0]!.adset_id], ['120200448105913207', '7782342274025937895'])
  })
})
