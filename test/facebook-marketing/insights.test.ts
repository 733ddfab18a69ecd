import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { failure, type Simulated, startSimulated } from './simulated.ts'

describe('insights of the advertising connector', () => {
  let simulated: Simulated
  let account_id: string
  const insights = (params: object = {}) => simulated.facebook.ads_insights.list({ account_id, ...params })
  const manner = (manner: string) => simulated.systems.change('facebook-marketing', { change: 'report_runs', manner })
  /** More than is worked out at once: needs a report run. */
  const heavy = { level: 'ad', date_preset: 'last_90d' } as const

  before(async () => {
    simulated = await startSimulated({ now: () => Date.UTC(2026, 10, 20, 20) })
    account_id = simulated.at.account!
  })
  beforeEach(() => {
    simulated.calm()
    manner('complete')
  })
  after(() => simulated.close())

  it('are one row for the account over 30 days when nothing is said', async () => {
    const { result } = await insights()
    assert.equal(result.length, 1)
    const [row] = result
    assert.equal(row!.account_id, account_id)
    assert.equal(row!.campaign_id, null)
    assert.equal(row!.date_start, '2026-10-21')
    assert.equal(row!.date_stop, '2026-11-19')
  })

  it('have numbers where Graph writes text (F01)', async () => {
    const row = {
      clicks: '382',
      impressions: '0',
      spend: '8.02625',
      ctr: '1.675043',
      actions: [{ action_type: 'link_click', value: '12', '7d_click': '11' }],
      date_start: '2024-05-01',
      date_stop: '2024-05-01',
    }
    simulated.fault({ type: 'body', body: { data: [row] } })
    const { result, connector_metadata } = await insights()
    const [found] = result
    assert.deepEqual([found!.clicks, found!.impressions, found!.spend, found!.ctr], [382, 0, 8.02625, 1.675043])
    assert.deepEqual(found!.actions, [
      {
        action_type: 'link_click',
        value: 12,
        '7d_click': 11,
        action_destination: null,
        action_target_id: null,
        '1d_click': null,
        '28d_click': null,
        '1d_view': null,
        '7d_view': null,
        '28d_view': null,
      },
    ])
    assert.equal(found!.cpc, null)
    assert.equal(found!.action_values, null)
    assert.equal(connector_metadata.warnings, undefined)
  })

  const numbers: readonly (readonly [wire: string, number: unknown, integer: unknown, told: number])[] = [
    ['"0"', 0, 0, 0],
    ['0', 0, 0, 0],
    ['null', null, null, 0],
    ['""', null, null, 0],
    ['"12.50"', 12.5, null, 1],
    ['"12.0"', 12, 12, 0],
    ['"1e3"', 1000, 1000, 0],
    ['"-3"', -3, -3, 0],
    ['"9007199254740993"', 9007199254740993n, 9007199254740993n, 0],
    ['9007199254740993', 9007199254740993n, 9007199254740993n, 0],
    ['"1e999"', null, null, 2],
    ['1e999', null, null, 2],
    ['"NaN"', null, null, 2],
    ['"1,5"', null, null, 2],
    ['"1234;5678"', null, null, 2],
    ['{"x":1}', null, null, 2],
    ['true', null, null, 2],
  ]
  for (const [wire, number, integer, told] of numbers)
    it(`read ${wire} as the number ${number} and the whole number ${integer}`, async () => {
      const body = `{"data":[{"spend":${wire},"clicks":${wire},"actions":[{"value":${wire}}]}]}`
      simulated.fault({ type: 'body', body })
      const { result, connector_metadata } = await insights({ fields: 'spend,clicks,actions' })
      const [row] = result
      assert.deepEqual([row!.spend, row!.clicks, row!.actions?.[0]?.value], [number, integer, number])
      const warned = (connector_metadata.warnings ?? []).map(({ path }) => path)
      const expected = ['/result/0/spend', '/result/0/clicks', '/result/0/actions/0/value']
      assert.deepEqual([...warned].sort(), (told === 2 ? expected : told === 1 ? ['/result/0/clicks'] : []).sort())
    })

  it('read an absent number as null without a warning', async () => {
    simulated.fault({ type: 'body', body: { data: [{ date_start: '2024-05-01' }] } })
    const { result, connector_metadata } = await insights()
    assert.deepEqual([result[0]!.spend, result[0]!.clicks, result[0]!.actions], [null, null, null])
    assert.equal(connector_metadata.warnings, undefined)
  })

  it('have ids and names down to their level, null below', async () => {
    for (const [level, named] of [
      ['campaign', ['campaign_id', 'campaign_name']],
      ['adset', ['campaign_id', 'campaign_name', 'adset_id', 'adset_name']],
      ['ad', ['campaign_id', 'campaign_name', 'adset_id', 'adset_name', 'ad_id', 'ad_name']],
    ] as const) {
      const { result } = await insights({ level, limit: 3 })
      for (const row of result)
        for (const field of ['campaign_id', 'campaign_name', 'adset_id', 'adset_name', 'ad_id', 'ad_name'] as const)
          assert.equal(row[field] !== null, (named as readonly string[]).includes(field), `${level} ${field}`)
    }
  })

  it('of all levels add up to the same', async () => {
    const totals: number[][] = []
    for (const level of ['account', 'campaign', 'adset', 'ad']) {
      let [clicks, impressions, spend] = [0, 0, 0]
      for await (const row of simulated.facebook.ads_insights.list.all({
        account_id,
        level: level as 'ad',
        limit: 100,
      })) {
        clicks += row.clicks!
        impressions += row.impressions!
        spend += row.spend!
      }
      totals.push([clicks, impressions, Math.round(spend * 100)])
    }
    assert.ok(totals[0]![0]! > 0)
    for (const total of totals) assert.deepEqual(total, totals[0])
  })

  it('ask for the windows whose figures the record has', async () => {
    const { result } = await insights()
    assert.deepEqual(JSON.parse(simulated.sent()[0]!.query.action_attribution_windows!), [
      '1d_click',
      '7d_click',
      '28d_click',
      '1d_view',
    ])
    const [click] = result[0]!.actions!
    assert.ok(click!['1d_click']! > 0 && click!['28d_click']! >= click!['1d_click']!)
    assert.equal(click!['7d_view'], null)
  })

  it('take every preset of the specification', async () => {
    const presets =
      'today yesterday this_month last_month this_quarter maximum last_3d last_7d last_14d last_28d last_30d last_90d last_week_mon_sun last_week_sun_sat last_quarter last_year this_week_mon_today this_week_sun_today this_year'
    for (const date_preset of presets.split(' ')) await insights({ date_preset, fields: 'spend' })
    assert.ok(simulated.sent().every(({ status }) => status === 200))
  })

  it('take a range, blanks in it or not, and send it plain', async () => {
    const { result } = await insights({ time_range: ' { "until": "2026-11-10",\n"since":"2026-11-01" } ' })
    assert.equal(simulated.sent()[0]!.query.time_range, '{"since":"2026-11-01","until":"2026-11-10"}')
    assert.deepEqual([result[0]!.date_start, result[0]!.date_stop], ['2026-11-01', '2026-11-10'])
  })

  for (const time_range of [
    'last week',
    '',
    '[]',
    'null',
    '{}',
    '{"since":"2026-11-01"}',
    '{"since":"2026-02-30","until":"2026-03-01"}',
    '{"since":"2026-11-02","until":"2026-11-01"}',
    '{"since":"2026-1-1","until":"2026-11-01"}',
    '{"since":"2026-11-01T00:00:00Z","until":"2026-11-02"}',
    '{"since":20261101,"until":20261102}',
    '{"since":"2026-11-01","until":"2026-11-02","zone":"x"}',
    { since: '2026-11-01', until: '2026-11-02' },
  ])
    it(`the range ${JSON.stringify(time_range)} is refused before anything is sent`, async () => {
      const error = await failure(insights({ time_range }), 'invalid_params')
      assert.equal(error.issues?.[0]?.path, '/params/time_range')
      assert.equal(simulated.sent().length, 0)
    })

  it('of a preset and a range together are those of the range, which alone is sent', async () => {
    const time_range = '{"since":"2026-05-01","until":"2026-05-02"}'
    const { result } = await insights({ date_preset: 'last_year', time_range })
    assert.deepEqual([result[0]!.date_start, result[0]!.date_stop], ['2026-05-01', '2026-05-02'])
    const { query } = simulated.sent()[0]!
    assert.deepEqual([query.time_range, query.date_preset], [time_range, undefined])
  })

  for (const params of [{ level: 'AD' }, { level: '' }, { date_preset: 'last_2d' }, { date_preset: 'lifetime' }])
    it(`${JSON.stringify(params)} is refused before anything is sent (F52)`, async () => {
      const error = await failure(insights(params), 'invalid_params')
      assert.match(error.message, /must be one of/)
      assert.equal(simulated.sent().length, 0)
    })

  it('a start more than 37 months ago is refused in Meta’s words', async () => {
    const error = await failure(
      insights({ time_range: '{"since":"2020-01-01","until":"2020-01-31"}' }),
      'upstream_refused',
    )
    assert.equal(error.upstream?.code, '3018')
  })

  it('that are too much at once come as smaller pages, then by a report run', async () => {
    const { result, connector_metadata } = await insights({ ...heavy, limit: 40 })
    assert.equal(result.length, 40)
    assert.match(String(connector_metadata.after), /^report:\d+:/)
    const steps = simulated
      .sent()
      .map(
        ({ method, path, query, status }) => `${method} ${path.replace(/\d{9,}/, 'N')} ${query.limit ?? ''} ${status}`,
      )
    assert.deepEqual(steps, [
      'GET /act_N/insights 40 400',
      'GET /act_N/insights 20 400',
      'GET /act_N/insights 10 400',
      'POST /act_N/insights  200',
      'GET /N  200',
      'GET /N  200',
      'GET /N  200',
      'GET /N/insights 40 200',
    ])
    const form = new URLSearchParams(simulated.sent()[3]!.body)
    assert.equal(form.get('level'), 'ad')
    assert.equal(form.get('date_preset'), 'last_90d')
    assert.ok(form.get('fields')!.includes('action_values') && form.get('action_attribution_windows'))
    assert.equal(form.get('limit'), null)
  })

  it('of a report run are paged to the end, each once, with one run', async () => {
    const ids: (string | null)[] = []
    for await (const row of simulated.facebook.ads_insights.list.all({ account_id, ...heavy, limit: 60 }))
      ids.push(row.ad_id)
    assert.ok(ids.length > 120)
    assert.equal(new Set(ids).size, ids.length)
    assert.equal(simulated.sent().filter(({ method }) => method === 'POST').length, 1)
  })

  for (const kind of ['unseen', 'running_at_100', 'completed_below_100'])
    it(`wait for a report run that is ${kind} at first`, async () => {
      manner(kind)
      assert.equal((await insights({ ...heavy, limit: 5 })).result.length, 5)
    })

  it('of a run that takes longer than the call are an empty page that can be continued', async () => {
    manner('stuck')
    const slow = await insights({ ...heavy, limit: 5 })
    assert.deepEqual(slow.result, [])
    const { after } = slow.connector_metadata
    assert.match(String(after), /^report:\d+:$/)
    const again = await insights({ ...heavy, limit: 5, after })
    assert.equal(again.connector_metadata.after, after)
    assert.equal(simulated.sent().filter(({ method }) => method === 'POST').length, 1)
  })

  for (const [kind, code] of [
    ['failed', 'upstream_error'],
    ['skipped', 'upstream_error'],
    ['too_large', 'upstream_refused'],
  ] as const)
    it(`end with ${code} when the report run is ${kind}`, async () => {
      manner(kind)
      await failure(insights({ ...heavy, limit: 5 }), code)
    })

  it('of a report that nobody knows are an invalid page token', async () => {
    await failure(insights({ ...heavy, after: 'report:120800000000000000:' }), 'invalid_cursor')
    await failure(insights({ ...heavy, after: 'report:120800000000000000:MQZDZD' }), 'invalid_cursor')
  })

  it('keep the digits of a run id that comes as a bare number', async () => {
    simulated.systems.faults.add({
      method: 'POST',
      effect: { type: 'body', body: '{"report_run_id":120800448105913999}' },
    })
    await failure(insights({ ...heavy, limit: 5 }), 'invalid_cursor')
    assert.ok(simulated.sent().some(({ path }) => path === '/120800448105913999'))
  })

  it('of a page token that is none are an invalid page token', async () => {
    await failure(insights({ level: 'ad', after: 'garbage' }), 'invalid_cursor')
    await failure(simulated.facebook.ads.list({ account_id, after: 'garbage' }), 'invalid_cursor')
  })
})
