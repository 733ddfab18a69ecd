/** Meta's own SDK reads the simulated system: an outside judge of whether it speaks as Meta does. */
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { after, before, describe, it } from 'node:test'
import { type Simulated, startSimulated } from './simulated.ts'

interface SdkObject {
  readonly id: string
  readonly _data: Readonly<Record<string, unknown>>
  get(fields: readonly string[], params?: object): Promise<SdkObject>
}
interface SdkCursor extends Array<SdkObject> {
  hasNext(): boolean
  next(): Promise<SdkCursor>
}
type Edge = (fields: readonly string[], params?: object) => Promise<SdkCursor>
type EdgeName =
  | 'getAdAccounts'
  | 'getCampaigns'
  | 'getAdSets'
  | 'getAds'
  | 'getAdCreatives'
  | 'getCustomConversions'
  | 'getAdImages'
  | 'getAdVideos'
  | 'getInsights'
interface SdkAccount extends SdkObject, Readonly<Record<EdgeName, Edge>> {
  getInsightsAsync(fields: readonly string[], params: object): Promise<SdkAccount>
}
interface Sdk {
  readonly FacebookAdsApi: {
    readonly GRAPH: string
    readonly VERSION: string
    init(token: string, locale: string, crashLog: boolean): unknown
  }
  readonly User: new (id: string) => SdkAccount
  readonly AdAccount: new (id: string) => SdkAccount
  readonly Campaign: new (id: string) => SdkAccount
  readonly AdSet: new (id: string) => SdkAccount
  readonly Ad: new (id: string) => SdkAccount
}

const sdk = createRequire(import.meta.url)('facebook-nodejs-business-sdk') as Sdk

describe("Meta's own SDK", () => {
  let simulated: Simulated
  let account: SdkAccount

  before(async () => {
    simulated = await startSimulated()
    // The SDK has its host and version in two getters of its class and no setting for them.
    const host = Object.getOwnPropertyDescriptor(sdk.FacebookAdsApi, 'GRAPH')
    assert.ok(host?.configurable)
    const [, base, version] = /^(.*)\/(v[\d.]+)$/.exec(simulated.baseUrl)!
    Object.defineProperty(sdk.FacebookAdsApi, 'GRAPH', { get: () => base })
    Object.defineProperty(sdk.FacebookAdsApi, 'VERSION', { get: () => version })
    sdk.FacebookAdsApi.init(simulated.credentials[0]!.access_token!, 'en_US', false)
    account = new sdk.AdAccount(`act_${simulated.at.account}`)
  })
  after(() => simulated.close())

  async function walk(first: Promise<SdkCursor>): Promise<SdkObject[]> {
    const found: SdkObject[] = []
    for (let page = await first; ; page = await page.next()) {
      found.push(...page)
      if (!page.hasNext()) return found
    }
  }

  it('reads the user and all their accounts', async () => {
    const me = await new sdk.User('me').get(['id', 'name'])
    assert.equal(me._data.name, 'Mara Lindqvist')
    const accounts = await walk(new sdk.User('me').getAdAccounts(['id', 'account_id', 'currency']))
    assert.ok(accounts.length > 25)
    assert.equal(new Set(accounts.map(({ id }) => id)).size, accounts.length)
    const read = await account.get(['name', 'amount_spent', 'min_daily_budget'])
    assert.equal(read._data.name, 'Northpass Outfitters')
    assert.equal(typeof read._data.amount_spent, 'string')
  })

  for (const [edge, fields] of [
    ['getCampaigns', ['id', 'name', 'daily_budget', 'effective_status', 'updated_time']],
    ['getAdSets', ['id', 'name', 'targeting', 'daily_budget', 'bid_amount']],
    ['getAds', ['id', 'name', 'creative', 'tracking_specs', 'adset_id']],
    ['getAdCreatives', ['id', 'name', 'object_story_spec', 'thumbnail_url']],
    ['getCustomConversions', ['id', 'name', 'rule', 'business']],
    ['getAdImages', ['id', 'hash', 'url', 'permalink_url']],
    ['getAdVideos', ['id', 'title', 'length', 'format', 'views']],
  ] as const)
    it(`walks ${edge.slice(3)} page by page to the end`, async () => {
      const found = await walk(account[edge](fields, { limit: 6 }))
      assert.ok(found.length > 6)
      assert.equal(new Set(found.map(({ _data }) => _data.id)).size, found.length)
      assert.ok(fields.every((field) => found.some(({ _data }) => _data[field] !== undefined)))
    })

  it('reads single campaigns, ad sets and ads', async () => {
    const { at } = simulated
    assert.equal((await new sdk.Campaign(at.campaign!).get(['objective']))._data.id, at.campaign)
    assert.equal((await new sdk.AdSet(at.ad_set!).get(['campaign_id']))._data.campaign_id, at.campaign)
    assert.equal((await new sdk.Ad(at.ad!).get(['adset_id']))._data.adset_id, at.ad_set)
    const below = await new sdk.Campaign(at.campaign!).getAdSets(['id', 'campaign_id'])
    assert.ok(below.every(({ _data }) => _data.campaign_id === at.campaign))
  })

  it('reads insights, at once and by a report run', async () => {
    const rows = await walk(account.getInsights(['ad_id', 'clicks', 'spend', 'actions'], { level: 'ad', limit: 50 }))
    assert.ok(rows.length > 50)
    const run = await account.getInsightsAsync(['ad_id', 'clicks', 'spend'], { level: 'ad', date_preset: 'last_90d' })
    const progress = ['async_status', 'async_percent_completion']
    for (let state: SdkObject = run; state._data.async_status !== 'Job Completed'; ) state = await run.get(progress)
    const reported = await run.getInsights([], { limit: 100 })
    assert.ok(reported.length > 50)
    assert.equal(typeof reported[0]!._data.clicks, 'string')
  })

  it('hears of refusals in Graph’s own words', async () => {
    await assert.rejects(
      account.getCampaigns(['id', 'shoes']),
      (error: { response?: { code?: unknown }; message: string }) => {
        assert.match(error.message, /nonexisting field \(shoes\)/)
        return true
      },
    )
  })
})
