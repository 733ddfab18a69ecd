import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { failure, type Simulated, startSimulated } from './simulated.ts'

describe('the advertising connector, typed', () => {
  let simulated: Simulated
  before(async () => {
    simulated = await startSimulated()
  })
  after(() => simulated.close())

  it('knows params and records by their types, and what does not compile is refused when it runs', async () => {
    const { facebook } = simulated
    const account_id = simulated.at.account!
    const { result: rows } = await facebook.ads_insights.list({ account_id, level: 'ad', date_preset: 'last_7d' })
    const clicks: number | null = rows[0]!.clicks
    const clicked: number | null | undefined = rows[0]!.actions?.[0]?.['7d_click']
    assert.ok(typeof clicks === 'number' && typeof clicked === 'number')
    const { result: adset } = await facebook.ad_sets.get({ adset_id: simulated.at.ad_set! })
    const budget: number | null = adset.daily_budget
    const id: string = adset.id
    assert.deepEqual([typeof budget, typeof id], ['number', 'string'])

    // @ts-expect-error levels are written in small letters
    await failure(facebook.ads_insights.list({ account_id, level: 'AD' }), 'invalid_params')
    // @ts-expect-error the account is needed
    await failure(facebook.ads_insights.list({}), 'invalid_params')
    // @ts-expect-error ids are text
    await failure(facebook.campaigns.get({ campaign_id: 7 }), 'invalid_params')
    // @ts-expect-error a single account is read with get
    await failure(facebook.ad_account.list(), 'unknown_action')
    // @ts-expect-error images have no get
    await failure(facebook.images.get(), 'unknown_action')
  })

  it('has no copy to search', async () => {
    await failure(simulated.facebook.campaigns.search({ query: {} }), 'search_unavailable')
  })
})
