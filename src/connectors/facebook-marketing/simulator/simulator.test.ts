import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, beforeEach, describe, it } from 'node:test'
import { type RunningSimulators, type SimulatorOptions, startSimulators } from '../../../kit/simulator.ts'
import { pressButton } from '../../../simulator/allow.suite.ts'
import { facebookMarketingSimulator } from './simulator.ts'

interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any
}

const start = (options: SimulatorOptions = {}) =>
  startSimulators([facebookMarketingSimulator], { scale: 600, now: () => Date.UTC(2026, 10, 20, 20), ...options })

const tokenOf = (systems: RunningSimulators): string =>
  systems.describe()['facebook-marketing']!.credentials[0]!.access_token!

async function ask(
  systems: RunningSimulators,
  path: string,
  query: Record<string, string> = {},
  token: string | null = tokenOf(systems),
): Promise<Answer> {
  const url = `${systems.origin}/facebook-marketing${path}?${new URLSearchParams(query)}`
  const answer = await fetch(url, token === null ? {} : { headers: { authorization: `Bearer ${token}` } })
  return { status: answer.status, headers: answer.headers, body: await answer.json() }
}

describe('the simulated Marketing API', () => {
  let systems: RunningSimulators
  let at: Readonly<Record<string, string>>
  let account: string
  const get = (path: string, query?: Record<string, string>, token?: string | null) =>
    ask(systems, `/v26.0${path}`, query, token)
  const change = (change: { change: string; [field: string]: unknown }) => systems.change('facebook-marketing', change)

  async function refused(answer: Promise<Answer>, status: number, code: number, subcode?: number): Promise<string> {
    const { body, ...head } = await answer
    assert.deepEqual(
      [head.status, body.error?.code, body.error?.error_subcode],
      [status, code, subcode],
      JSON.stringify(body),
    )
    assert.match(body.error.fbtrace_id, /^[\w-]{11,24}$/)
    return body.error.message
  }

  before(async () => {
    systems = await start()
    at = systems.landmarks('facebook-marketing')
    account = `/act_${at.account}`
  })
  beforeEach(() => systems.faults.clear())
  after(() => systems.close())

  it('gives almost nothing without fields', async () => {
    assert.deepEqual(Object.keys((await get(account)).body).sort(), ['account_id', 'id'])
    assert.deepEqual(Object.keys((await get(`/${at.campaign}`)).body), ['id'])
    assert.deepEqual(Object.keys((await get(`${account}/adimages`)).body.data[0]).sort(), ['hash', 'id'])
    assert.deepEqual(Object.keys((await get('/me')).body).sort(), ['id', 'name'])
    const [row] = (await get(`${account}/insights`)).body.data
    assert.deepEqual(Object.keys(row).sort(), ['account_id', 'date_start', 'date_stop', 'impressions', 'spend'])
  })

  it('gives the fields asked for and the id, and leaves empty ones out', async () => {
    const { body } = await get(`/${at.campaign}`, { fields: 'name,boosted_object_id' })
    assert.deepEqual(Object.keys(body).sort(), ['id', 'name'])
  })

  it('writes budgets and counts as text, bids as numbers, times with an offset', async () => {
    const { body } = await get(`${account}/adsets`, { fields: 'bid_amount,daily_budget,created_time', limit: '3' })
    assert.deepEqual(
      body.data.map((one: { bid_amount?: number }) => one.bid_amount),
      [1, 2, undefined],
    )
    for (const { daily_budget, created_time } of body.data) {
      assert.equal(typeof daily_budget, 'string')
      assert.match(created_time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d-0800$/)
    }
  })

  it('shows other nodes inside fields', async () => {
    const { body } = await get(`/${at.ad}`, {
      fields: 'creative,campaign{name,account{currency}},adset{ads.limit(2){id}}',
    })
    assert.deepEqual(Object.keys(body.creative), ['id'])
    assert.equal(body.campaign.account.currency, 'USD')
    assert.equal(body.adset.ads.data.length, 2)
  })

  it('refuses fields that a node has not', async () => {
    const message = await refused(get(account, { fields: 'foo' }), 400, 100)
    assert.equal(message, '(#100) Tried accessing nonexisting field (foo) on node type (AdAccount)')
    await refused(get(`${account}/advideos`, { fields: 'account_id' }), 400, 100)
    await refused(get(`${account}/adimages`, { fields: 'filename' }), 400, 100)
    await refused(get(`/act_${at.account_empty}/ads`, { fields: 'foo' }), 400, 100)
    await refused(get(`/${at.ad}`, { fields: 'objective' }), 400, 100)
    await refused(get(account, { fields: 'id{' }), 400, 2500)
  })

  it('pages with a cursor on every page that holds something, and next only where there is more', async () => {
    const seen: string[] = []
    let pages = 0
    let path: string | undefined = `${systems.origin}/facebook-marketing/v26.0${account}/ads?limit=50&fields=id`
    let last: { paging?: { next?: string; cursors?: object; previous?: string } } = {}
    while (path !== undefined) {
      const answer = await fetch(path, { headers: { authorization: `Bearer ${tokenOf(systems)}` } })
      last = (await answer.json()) as typeof last
      seen.push(...(last as { data: { id: string }[] }).data.map(({ id }) => id))
      assert.ok(last.paging!.cursors)
      pages += 1
      assert.equal(last.paging!.previous !== undefined, pages > 1)
      path = last.paging!.next
    }
    assert.ok(pages > 3)
    assert.equal(new Set(seen).size, seen.length)
    assert.deepEqual((await get(`/act_${at.account_empty}/ads`)).body, { data: [] })
    assert.deepEqual((await get(`${account}/campaigns`, { limit: '1' })).body.paging.cursors, {
      before: 'MAZDZD',
      after: 'MAZDZD',
    })
  })

  it('repeats a token in next only when it came in the query', async () => {
    const inQuery = await get(`${account}/ads`, { limit: '1', access_token: tokenOf(systems) }, null)
    assert.match(inQuery.body.paging.next, /access_token=/)
    assert.doesNotMatch((await get(`${account}/ads`, { limit: '1' })).body.paging.next, /access_token/)
  })

  it('refuses cursors that are none', async () => {
    await refused(get(`${account}/ads`, { after: 'garbage' }), 400, 100)
    await refused(get(`${account}/insights`, { after: 'garbage' }), 400, 2642)
  })

  it('finds pages that are too much', async () => {
    assert.match(await refused(get(`${account}/ads`, { limit: '50000' }), 500, 1), /reduce the amount of data/)
    await refused(get(`${account}/insights`, { level: 'ad', date_preset: 'maximum' }), 400, 100, 1487534)
  })

  it('hides archived and deleted objects unless they are asked for', async () => {
    const statuses = async (query: Record<string, string>): Promise<Set<string>> => {
      const { body } = await get(`${account}/ads`, { fields: 'effective_status', limit: '1000', ...query })
      return new Set(body.data.map((ad: { effective_status: string }) => ad.effective_status))
    }
    assert.ok(![...(await statuses({}))].some((status) => status === 'ARCHIVED' || status === 'DELETED'))
    assert.deepEqual(await statuses({ effective_status: '["DELETED"]' }), new Set(['DELETED']))
    const filtering = JSON.stringify([{ field: 'ad.effective_status', operator: 'IN', value: ['ARCHIVED', 'DELETED'] }])
    assert.deepEqual([...(await statuses({ filtering }))].sort(), ['ARCHIVED', 'DELETED'])
    await refused(get(`${account}/campaigns`, { effective_status: '["ADSET_PAUSED"]' }), 400, 100, 1487561)
  })

  it('filters by updated_time, except videos', async () => {
    const mark = Date.UTC(2027, 0, 1) / 1000
    const filtering = JSON.stringify([{ field: 'campaign.updated_time', operator: 'GREATER_THAN', value: mark }])
    assert.deepEqual((await get(`${account}/campaigns`, { filtering })).body.data, [])
    assert.ok((await get(`${account}/advideos`, { filtering })).body.data.length > 0)
  })

  it('reads deleted objects by id, several at once, all or nothing', async () => {
    const { id } = change({ change: 'create', kind: 'ad', account_id: at.account, fields: { name: 'Gone soon' } })
    change({ change: 'delete', id })
    assert.equal((await get(`/${id}`, { fields: 'status' })).body.status, 'DELETED')
    const both = await get('/', { ids: `${id},${at.campaign}`, fields: 'name' })
    assert.equal(both.body[String(id)].name, 'Gone soon')
    await refused(get('/', { ids: `${at.campaign},1` }), 400, 100, 33)
  })

  it('moves updated_time when something is changed', async () => {
    change({ change: 'update', id: at.ad_set, fields: { name: 'Renamed' } })
    const { body } = await get(`/${at.ad_set}`, { fields: 'name,updated_time' })
    assert.equal(body.name, 'Renamed')
    assert.match(body.updated_time, /^2026-11-20T12:/)
  })

  it('tells missing objects, missing accounts and missing prefixes as Graph does', async () => {
    await refused(get('/1'), 400, 100, 33)
    await refused(get(`/act_${at.account_hidden}/ads`), 400, 100, 33)
    await refused(get(`/act_${at.account_closed}/ads`), 403, 200)
    assert.match(await refused(get(`/${at.account}/campaigns`), 400, 100), /nonexisting field \(campaigns\)/)
    assert.match(await refused(get('/nowhere/at/all'), 400, 2500), /Unknown path components/)
  })

  it('refuses restricted fields of an account that the token does not manage', async () => {
    const path = `/act_${at.account_unmanaged}`
    await refused(get(path, { fields: 'id,funding_source_details' }), 400, 100)
    await refused(get(path, { fields: 'owner' }), 403, 200)
    assert.equal((await get(path, { fields: 'name' })).status, 200)
  })

  it('serves the versions of its day, and no path without one', async () => {
    for (const version of ['v24.0', 'v26.0']) {
      const answer = await ask(systems, `/${version}/me`)
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('facebook-api-version'), version)
    }
    for (const path of ['/v23.0/me', '/me', account]) await refused(ask(systems, path), 400, 2635)
  })

  it('checks tokens wherever they come from', async () => {
    assert.equal((await get('/me', { access_token: tokenOf(systems) }, null)).status, 200)
    await refused(get('/me', {}, null), 400, 2500)
    await refused(get(account, {}, null), 400, 104)
    await refused(get('/me', {}, 'EAAnonsense'), 401, 190)
    await refused(get('/me', {}, at.token_expired), 400, 190, 463)
    await refused(get('/me', {}, at.token_password_changed), 400, 190, 460)
    await refused(get(`${account}/ads`, {}, at.token_without_ads_read), 403, 200)
  })

  it('checks the proof of the application, and demands it where that is switched on', async () => {
    const [user, , strict] = systems.describe()['facebook-marketing']!.credentials
    const proof = ({ access_token, client_secret }: Record<string, string> = {}): string =>
      createHmac('sha256', client_secret!).update(access_token!).digest('hex')
    assert.equal((await get('/me', { appsecret_proof: proof(user) })).status, 200)
    await refused(get('/me', { appsecret_proof: proof(user).toUpperCase() }), 400, 100)
    await refused(get('/me', { appsecret_proof: proof(strict) }), 400, 100)
    await refused(get('/me', {}, strict!.access_token!), 400, 100)
    assert.equal((await get('/me', { appsecret_proof: proof(strict) }, strict!.access_token!)).status, 200)
  })

  it('inspects tokens and exchanges them for longer ones', async () => {
    const [{ access_token, client_id, client_secret }] = systems.describe()['facebook-marketing']!.credentials as [
      Record<string, string>,
    ]
    const inspect = (input_token: string) =>
      get('/debug_token', { input_token, access_token: `${client_id}|${client_secret}` }, null)
    const { data } = (await inspect(access_token!)).body
    assert.deepEqual([data.is_valid, data.app_id, data.scopes], [true, client_id, ['ads_read', 'business_management']])
    assert.equal((await inspect(at.token_expired!)).body.data.error.subcode, 463)
    const fresh = await get(
      '/oauth/access_token',
      {
        grant_type: 'fb_exchange_token',
        client_id: client_id!,
        client_secret: client_secret!,
        fb_exchange_token: access_token!,
      },
      null,
    )
    assert.equal(fresh.body.expires_in, 5_183_944)
    assert.equal((await get('/me', {}, fresh.body.access_token)).status, 200)
    await refused(get('/oauth/access_token', { client_id: client_id!, client_secret: 'wrong' }, null), 400, 1)
  })

  it('gives a code for a consent and a token for the code, once', async () => {
    const [app] = systems.describe()['facebook-marketing']!.credentials as [Record<string, string>]
    const client = { client_id: app.client_id!, redirect_uri: 'https://conex.example/cb?x=1' }
    const page = `${systems.origin}/facebook-marketing/v26.0/dialog/oauth`
    const asked = { ...client, response_type: 'code', scope: 'ads_read,business_management', state: 'S' }
    const consent = (decision?: 'deny') => pressButton(page, asked, decision)
    const back = await consent()
    assert.deepEqual([back.get('x'), back.get('state')], ['1', 'S'])
    const query = { ...client, client_secret: app.client_secret!, code: back.get('code')! }
    await refused(
      get('/oauth/access_token', { ...query, redirect_uri: 'https://conex.example/' }, null),
      400,
      100,
      36008,
    )
    query.code = (await consent()).get('code')!
    const { body } = await get('/oauth/access_token', query, null)
    assert.equal((await get('/me', {}, body.access_token)).status, 200)
    await refused(get('/oauth/access_token', query, null), 400, 100, 36009)
    const denied = await consent('deny')
    assert.deepEqual([denied.get('error'), denied.get('error_reason')], ['access_denied', 'user_denied'])
  })

  it('tells how much of the quota is used, and refuses past it until time has gone by', async () => {
    const narrow = await start({ callsPerMinute: 0.05 })
    try {
      const call = () => ask(narrow, `/v26.0/act_${narrow.landmarks('facebook-marketing').account}/insights`)
      const first = await call()
      const [use] = JSON.parse(first.headers.get('x-business-use-case-usage')!)[at.account!]
      assert.deepEqual([use.type, use.call_count, use.estimated_time_to_regain_access], ['ads_insights', 33, 0])
      assert.ok(first.headers.get('x-fb-ads-insights-throttle'))
      await call()
      await call()
      const over = await call()
      assert.deepEqual([over.status, over.body.error.code], [400, 80000])
      const [told] = JSON.parse(over.headers.get('x-business-use-case-usage')!)[at.account!]
      narrow.advance(told.estimated_time_to_regain_access * 60_000)
      assert.equal((await call()).status, 200)
    } finally {
      await narrow.close()
    }
  })

  it('lets the figures of the last weeks grow with the days', async () => {
    const moving = await start()
    try {
      const purchases = async (): Promise<number> => {
        const query = { time_range: '{"since":"2026-11-10","until":"2026-11-15"}', fields: 'impressions,actions' }
        const { body } = await ask(moving, `/v26.0/act_${at.account}/insights`, query)
        return Number(
          body.data[0].actions.find((one: { action_type: string }) => one.action_type === 'omni_purchase').value,
        )
      }
      const before = await purchases()
      moving.advance(10 * 86_400_000)
      assert.ok((await purchases()) > before)
    } finally {
      await moving.close()
    }
  })

  it('never sends the windows that are no longer given', async () => {
    const windows = '["1d_click","7d_view","28d_view"]'
    const { body } = await get(`${account}/insights`, { fields: 'actions', action_attribution_windows: windows })
    assert.ok(body.data[0].actions.every((one: object) => !('7d_view' in one) && !('28d_view' in one)))
    assert.ok('1d_click' in body.data[0].actions[0])
    await refused(get(`${account}/insights`, { action_attribution_windows: '["7d_view_1d_click"]' }), 400, 100)
  })

  it('is the same for the same seed, and other for another', async () => {
    const names = async (options: SimulatorOptions): Promise<string> => {
      const other = await start(options)
      try {
        const { body } = await ask(other, `/v26.0/act_${at.account}/campaigns`, { fields: 'name,daily_budget' })
        return JSON.stringify(body.data)
      } finally {
        await other.close()
      }
    }
    assert.equal(await names({ seed: 7 }), await names({ seed: 7 }))
    assert.notEqual(await names({ seed: 7 }), await names({ seed: 8 }))
  })

  it('holds a million ads without making them beforehand', async () => {
    const large = await start({ scale: 1_000_000 })
    try {
      const middle = Buffer.from('400000').toString('base64')
      const { body } = await ask(large, `/v26.0/act_${at.account}/ads`, {
        fields: 'name,campaign_id',
        after: middle,
        limit: '100',
      })
      assert.equal(body.data.length, 100)
    } finally {
      await large.close()
    }
  })

  it('refuses on demand in its own words', async () => {
    systems.faults.add({ effect: { type: 'status', status: 429 } })
    await refused(get('/me'), 429, 80004, 2446079)
    systems.faults.add({ effect: { type: 'status', status: 503 } })
    await refused(get('/me'), 503, 2)
  })

  it('takes nothing but reads', async () => {
    const url = `${systems.origin}/facebook-marketing/v26.0${account}/campaigns`
    const answer = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokenOf(systems)}` },
      body: 'name=x',
    })
    assert.equal(answer.status, 400)
  })
})
