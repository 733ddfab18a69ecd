import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { failure, type Simulated, startSimulated } from './simulated.ts'

type Row = Record<string, unknown>

describe('fields of the advertising connector', () => {
  let simulated: Simulated
  let account: string
  const fieldsSent = (): string | undefined => simulated.sent().at(-1)?.query.fields
  const list = async (entity: string, params: object): Promise<Row[]> =>
    (await simulated.facebook.execute(entity as 'ads', 'list', { account_id: account, limit: 2, ...params }))
      .result as Row[]

  before(async () => {
    simulated = await startSimulated()
    account = simulated.at.account!
  })
  beforeEach(() => simulated.calm())
  after(() => simulated.close())

  it('are all asked for when none are given, blank ones too', async () => {
    for (const params of [{}, { fields: '' }, { fields: '  ' }]) {
      const [image] = await list('images', params)
      assert.equal(Object.keys(image!).length, 17)
      assert.equal(
        fieldsSent(),
        'id,name,account_id,created_time,creatives,hash,height,is_associated_creatives_in_adgroups,original_height,original_width,permalink_url,status,updated_time,url,url_128,width',
      )
    }
  })

  it('are narrowed to those given, and null where they are empty', async () => {
    const [campaign] = await list('campaigns', { fields: ' name , boosted_object_id,name,, stop_time' })
    assert.equal(fieldsSent(), 'name,boosted_object_id,stop_time')
    assert.deepEqual(Object.keys(campaign!).sort(), ['boosted_object_id', 'id', 'name', 'stop_time'])
    assert.equal(campaign!.boosted_object_id, null)
  })

  it('may have sub-selections and modifiers, which are not cut at their commas', async () => {
    const ads = await list('ads', {
      fields: 'creative{id,name,image_hash},campaign{id,adsets.limit(1){id,name}},bid_type',
    })
    assert.equal(fieldsSent(), 'creative{id,name,image_hash},campaign{id,adsets.limit(1){id,name}},bid_type')
    assert.deepEqual(Object.keys(ads[0]!).sort(), ['bid_type', 'campaign', 'creative', 'id'])
    assert.ok((ads[0]!.creative as Row).name)
    assert.equal(((ads[0]!.campaign as Row).adsets as { data: unknown[] }).data.length, 1)
  })

  it('that the specification does not list are kept as they come', async () => {
    const [adset] = await list('ad_sets', { fields: 'optimization_goal,daily_budget' })
    assert.equal(typeof adset!.optimization_goal, 'string')
    assert.equal(typeof adset!.daily_budget, 'number')
  })

  it('that Graph does not know are refused in its own words', async () => {
    const error = await failure(list('campaigns', { fields: 'id,nmae' }), 'upstream_refused')
    assert.equal(error.upstream?.code, '100')
    assert.match(String(error.upstream?.message), /nonexisting field \(nmae\) on node type \(AdCampaignGroup\)/)
    assert.equal(simulated.sent().length, 1)
    const insights = await failure(list('ads_insights', { fields: 'clicks,shoes' }), 'upstream_refused')
    assert.match(insights.message, /shoes is not valid for fields param/)
  })

  for (const fields of ['id{', 'id}', 'a(b{c)}', 'id;name', 'id&x=1', 'id\u0000', 'ид', 7, ['id']])
    it(`${JSON.stringify(fields)} is refused before anything is sent`, async () => {
      const error = await failure(list('campaigns', { fields }), 'invalid_params')
      assert.equal(error.issues?.[0]?.path, '/params/fields')
      assert.equal(simulated.sent().length, 0)
    })

  it('of videos have other names at Meta, and account_id comes from the param', async () => {
    const [video] = await list('videos', {})
    assert.equal(video!.account_id, account)
    assert.equal(video!.is_partner_eligible, true)
    assert.equal(video!.is_instagram_eligible, true)
    assert.match(fieldsSent()!, /,is_instagram_eligible,/)
    assert.doesNotMatch(fieldsSent()!, /account_id|is_partner_eligible/)

    const [narrow] = await list('videos', { fields: 'is_partner_eligible' })
    assert.deepEqual(Object.keys(narrow!).sort(), ['id', 'is_instagram_eligible', 'is_partner_eligible'])
    const [owner] = await list('videos', { fields: 'account_id' })
    assert.equal(fieldsSent(), 'id')
    assert.deepEqual(Object.keys(owner!).sort(), ['account_id', 'id'])
    const [own] = await list('videos', { fields: 'is_instagram_eligible' })
    assert.deepEqual(Object.keys(own!).sort(), ['id', 'is_instagram_eligible'])
  })

  it('of videos with text where true is declared', async () => {
    const [first, second] = await list('videos', { fields: 'premiere_living_room_status' })
    assert.equal(first!.premiere_living_room_status, null)
    assert.equal(second!.premiere_living_room_status, true)
  })

  it('of images that cannot be read are null', async () => {
    const [image] = await list('images', { fields: 'filename' })
    assert.equal(fieldsSent(), 'id')
    assert.equal(image!.filename, null)
  })

  it('of conversions that are objects at Meta are their ids', async () => {
    const [conversion] = await list('custom_conversions', { fields: 'business,offline_conversion_data_set' })
    assert.equal(conversion!.business, '402177316530812')
    assert.equal(conversion!.offline_conversion_data_set, '774411990022556')
    simulated.fault({
      type: 'body',
      body: {
        data: [
          { id: '1', business: '77', offline_conversion_data_set: null },
          { id: '2', business: { name: 'x' } },
        ],
      },
    })
    const { result, connector_metadata } = await simulated.facebook.custom_conversions.list({ account_id: account })
    assert.deepEqual(
      result.map(({ business }) => business),
      ['77', null],
    )
    assert.equal(connector_metadata.warnings![0]!.path, '/result/1/business')
  })

  it('that need rights on the account are left out with a warning (ad_account, default fields)', async () => {
    const account_id = simulated.at.account_unmanaged!
    const { result, connector_metadata } = await simulated.facebook.ad_account.get({ account_id })
    assert.equal(result.name, 'Northpass via Kestrel Agency')
    for (const field of ['funding_source_details', 'is_prepay_account', 'owner', 'business'] as const)
      assert.equal(result[field], null)
    assert.deepEqual(
      connector_metadata.warnings!.map(({ path }) => path),
      ['/result/business', '/result/funding_source_details', '/result/is_prepay_account', '/result/owner'],
    )
    assert.equal(simulated.sent().length, 2)
  })

  it('that need rights are refused when the caller asked for them', async () => {
    const account_id = simulated.at.account_unmanaged!
    await failure(simulated.facebook.ad_account.get({ account_id, fields: 'owner' }), 'upstream_forbidden')
    await failure(simulated.facebook.ad_account.get({ account_id, fields: 'is_prepay_account' }), 'upstream_refused')
    assert.equal(simulated.sent().length, 2)
  })

  it('that need rights are left out of ad_accounts too, once', async () => {
    simulated.refuse(
      { code: 200, message: '(#200) Requires business_management permission to manage the object' },
      { status: 403, times: 1 },
    )
    const { result, connector_metadata } = await simulated.facebook.ad_accounts.list({ limit: 1 })
    assert.equal(result[0]!.business, null)
    assert.equal(connector_metadata.warnings!.length, 1)
    simulated.calm()
    simulated.refuse({ code: 10, message: '(#10) Application does not have permission for this action' })
    await failure(simulated.facebook.ad_accounts.list(), 'upstream_forbidden')
    assert.equal(simulated.sent().length, 2)
  })

  it('that a newer version no longer knows are null with a warning', async () => {
    simulated.refuse(
      {
        code: 100,
        message: '(#100) Tried accessing nonexisting field (smart_promotion_type) on node type (AdCampaignGroup)',
      },
      { times: 1 },
    )
    const { result, connector_metadata } = await simulated.facebook.campaigns.list({ account_id: account, limit: 1 })
    assert.equal(result[0]!.smart_promotion_type, null)
    assert.equal(connector_metadata.warnings![0]!.path, '/result/smart_promotion_type')
    assert.doesNotMatch(fieldsSent()!, /smart_promotion_type/)
  })

  for (const message of [
    '(#12) smart_promotion_type field is deprecated for versions v19.0 and higher',
    '(#12) The field smart_promotion_type is deprecated',
    '(#12) Deprecated field: smart_promotion_type',
  ])
    it(`that a newer version has given up are null with a warning: ${message}`, async () => {
      simulated.refuse({ code: 12, message }, { times: 1 })
      const { result, connector_metadata } = await simulated.facebook.campaigns.list({ account_id: account, limit: 1 })
      assert.equal(result[0]!.smart_promotion_type, null)
      assert.deepEqual(
        connector_metadata.warnings!.map(({ path }) => path),
        ['/result/smart_promotion_type'],
      )
    })

  it('of another kind of object are refused, not made up', async () => {
    const error = await failure(simulated.facebook.campaigns.get({ campaign_id: simulated.at.ad! }), 'upstream_refused')
    assert.match(error.message, /nonexisting field \(bid_strategy\) on node type \(AdGroup\)/)
    assert.equal(simulated.sent().length, 3)
    await failure(
      simulated.facebook.campaigns.get({ campaign_id: simulated.at.ad!, fields: 'objective' }),
      'upstream_refused',
    )
  })
})
