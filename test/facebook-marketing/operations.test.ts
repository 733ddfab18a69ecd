import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, beforeEach, describe, it } from 'node:test'
import { conforms } from '../../src/conformance/conforms.ts'
import { facebookMarketing } from '../../src/connectors/facebook-marketing/connector.ts'
import { failure, type Simulated, startSimulated } from './simulated.ts'

type Row = Readonly<Record<string, unknown>>
const entities: Readonly<Record<string, { list?: { record: object }; get?: { record: object } }>> =
  facebookMarketing.entities

describe('every operation of the advertising connector', () => {
  let simulated: Simulated
  let call: (entity: string, action: string, params?: object) => Promise<{ result: unknown; connector_metadata: Row }>

  before(async () => {
    simulated = await startSimulated()
    call = (entity, action, params) => simulated.facebook.execute(entity as 'ads', action, params)
  })
  beforeEach(() => simulated.calm())
  after(() => simulated.close())

  const fits = (entity: string, action: 'list' | 'get', record: unknown): void =>
    conforms(record, entities[entity]![action]!.record, `${entity} ${action}`)

  const ofAccount = [
    'campaigns',
    'ad_sets',
    'ads',
    'ad_creatives',
    'ads_insights',
    'custom_conversions',
    'images',
    'videos',
  ]

  for (const entity of ofAccount)
    it(`${entity} lists records of the declared shape, in every account`, async () => {
      for (const account of ['account', 'account_euro', 'account_yen', 'account_disabled']) {
        const { result, connector_metadata } = await call(entity, 'list', {
          account_id: simulated.at[account],
          limit: 40,
        })
        const records = result as Row[]
        if (account !== 'account_disabled' || entity !== 'ads_insights') assert.ok(records.length > 0, account)
        for (const record of records) fits(entity, 'list', record)
        assert.equal(connector_metadata.warnings, undefined)
        assert.ok(Object.hasOwn(connector_metadata, 'after'))
      }
    })

  for (const entity of ofAccount)
    it(`${entity} of an account without anything is an empty list`, async () => {
      const answer = await call(entity, 'list', { account_id: simulated.at.account_empty })
      assert.deepEqual(answer, { result: [], connector_metadata: { after: null } })
    })

  it('ad_accounts lists all that the user reaches, page by page', async () => {
    const { ad_accounts } = simulated.facebook
    const ids: string[] = []
    for await (const account of ad_accounts.list.all()) {
      fits('ad_accounts', 'list', account)
      ids.push(account.id)
    }
    assert.equal(simulated.sent().length, 2)
    assert.ok(ids.length > 25)
    assert.equal(new Set(ids).size, ids.length)
    assert.ok(ids.every((id) => /^act_\d+$/.test(id)))
  })

  for (const [entity, param, landmark] of [
    ['campaigns', 'campaign_id', 'campaign'],
    ['ad_sets', 'adset_id', 'ad_set'],
    ['ads', 'ad_id', 'ad'],
    ['ad_account', 'account_id', 'account'],
  ] as const)
    it(`${entity} gets one record of the declared shape`, async () => {
      const id = simulated.at[landmark]
      const { result, connector_metadata } = await call(entity, 'get', { [param]: id })
      fits(entity, 'get', result)
      assert.equal((result as Row).id, entity === 'ad_account' ? `act_${id}` : id)
      assert.deepEqual(connector_metadata, {})
    })

  it('current_user tells whose token it is', async () => {
    assert.deepEqual((await call('current_user', 'get')).result, { id: '10223344556677889', name: 'Mara Lindqvist' })
  })

  it('campaigns and their parts are read to the end, each once', async () => {
    for (const entity of ['campaigns', 'ad_sets', 'ads', 'ad_creatives', 'images', 'videos'] as const) {
      const { list } = simulated.facebook[entity]
      const walk = async (limit: number): Promise<string[]> => {
        const ids: string[] = []
        for await (const record of list.all({ account_id: simulated.at.account!, limit })) ids.push(String(record.id))
        return ids
      }
      const small = await walk(7)
      assert.ok(small.length > 7, entity)
      assert.equal(new Set(small).size, small.length)
      assert.deepEqual(await walk(500), small)
    }
  })

  it('after is null on the last page although Graph sends a cursor', async () => {
    const { connector_metadata } = await call('custom_conversions', 'list', {
      account_id: simulated.at.account,
      limit: 100,
    })
    assert.deepEqual(connector_metadata, { after: null })
  })

  it('a page that is empty but not the last is passed on with its cursor (F10)', async () => {
    simulated.fault({
      type: 'body',
      body: { data: [], paging: { cursors: { before: 'A', after: 'MQZDZD' }, next: 'https://x/?after=MQZDZD' } },
    })
    const first = await call('campaigns', 'list', { account_id: simulated.at.account, limit: 2 })
    assert.deepEqual(first, { result: [], connector_metadata: { after: 'MQZDZD' } })
    const second = await call('campaigns', 'list', { account_id: simulated.at.account, limit: 2, after: 'MQZDZD' })
    assert.equal((second.result as Row[]).length, 2)
  })

  it('pages shorter than asked for are followed to the end (F12)', async () => {
    const account_id = simulated.at.account!
    const ids = async (): Promise<string[]> => {
      const found: string[] = []
      for await (const { id } of simulated.facebook.campaigns.list.all({ account_id, limit: 10 })) found.push(id)
      return found
    }
    const whole = await ids()
    simulated.systems.change('facebook-marketing', { change: 'pages', short: true })
    try {
      assert.deepEqual(await ids(), whole)
    } finally {
      simulated.systems.change('facebook-marketing', { change: 'pages', short: false })
    }
  })

  it('takes the token from the address of the next page where cursors are missing', async () => {
    simulated.fault({
      type: 'body',
      body: { data: [], paging: { next: 'https://graph.facebook.com/v26.0/1?limit=2&after=QVFI%3D%3D' } },
    })
    const { connector_metadata } = await call('ads', 'list', { account_id: simulated.at.account })
    assert.deepEqual(connector_metadata, { after: 'QVFI==' })
  })

  it('asks for smaller pages when one is too much', async () => {
    simulated.systems.change('facebook-marketing', { change: 'pages', weight: 5000 })
    const { result } = await call('campaigns', 'list', { account_id: simulated.at.account, limit: 500 })
    simulated.systems.change('facebook-marketing', { change: 'pages', weight: 20_000 })
    assert.ok((result as Row[]).length > 10)
    assert.deepEqual(
      simulated.sent().map(({ query, status }) => [query.limit, status]),
      [
        ['500', 500],
        ['250', 500],
        ['125', 200],
      ],
    )
  })

  it('asks for no more than 500 records at once, whatever the limit', async () => {
    for (const limit of [501, 5000, Number.MAX_SAFE_INTEGER]) {
      simulated.calm()
      await call('campaigns', 'list', { account_id: simulated.at.account, limit })
      await call('ad_accounts', 'list', { limit })
      assert.deepEqual(
        simulated.sent().map(({ query, status }) => [query.limit, status]),
        Array(2).fill(['500', 200]),
      )
    }
  })

  it('an account is known with and without act_, which is never doubled (F40)', async () => {
    const account = simulated.at.account!
    for (const account_id of [account, `act_${account}`]) {
      await call('ad_account', 'get', { account_id, fields: 'id' })
      await call('videos', 'list', { account_id, fields: 'account_id' })
    }
    const paths = new Set(simulated.sent().map(({ path }) => path))
    assert.deepEqual([...paths], [`/act_${account}`, `/act_${account}/advideos`])
  })

  for (const bad of [
    '../me',
    '1/../../me',
    'act_act_1',
    'act_',
    '',
    '1?fields=x',
    '1#x',
    '1;a=b',
    '1%2F..',
    'a b',
    '1\u0000',
    '９',
    '1'.repeat(10_000),
  ])
    it(`the id ${JSON.stringify(bad.slice(0, 20))} is refused before anything is sent (F40)`, async () => {
      for (const [entity, action, param] of [
        ['campaigns', 'get', 'campaign_id'],
        ['ad_sets', 'get', 'adset_id'],
        ['ads', 'get', 'ad_id'],
        ['campaigns', 'list', 'account_id'],
        ['ad_account', 'get', 'account_id'],
      ] as const) {
        const error = await failure(call(entity, action, { [param]: bad }), 'invalid_params')
        assert.equal(error.issues?.[0]?.path, `/params/${param}`)
      }
      assert.equal(simulated.sent().length, 0)
    })

  it('campaign, ad set and ad ids take no prefix', async () => {
    await failure(call('campaigns', 'get', { campaign_id: `act_${simulated.at.account}` }), 'invalid_params')
    assert.equal(simulated.sent().length, 0)
  })

  it('lists leave archived and deleted objects out, a get still finds them', async () => {
    const campaign_id = simulated.systems.change('facebook-marketing', {
      change: 'create',
      kind: 'campaign',
      account_id: simulated.at.account,
      fields: { name: 'Short-lived' },
    }).id as string
    const listed = async () => {
      const { result } = await call('campaigns', 'list', { account_id: simulated.at.account, limit: 5, fields: 'name' })
      return (result as Row[]).some(({ id }) => id === campaign_id)
    }
    assert.equal(await listed(), true)
    simulated.systems.change('facebook-marketing', { change: 'delete', id: campaign_id })
    assert.equal(await listed(), false)
    const { result } = await call('campaigns', 'get', { campaign_id, fields: 'status' })
    assert.deepEqual(result, { id: campaign_id, status: 'DELETED' })
  })

  it('the token goes in a header, never in the query, with the proof of its application', async () => {
    await call('current_user', 'get')
    const { query, headers } = simulated.sent()[0]!
    const { access_token, client_secret } = simulated.credentials[0]!
    assert.equal(headers.authorization, `Bearer ${access_token}`)
    assert.equal(query.access_token, undefined)
    assert.equal(query.appsecret_proof, createHmac('sha256', client_secret!).update(access_token!).digest('hex'))
  })

  it('an application that demands the proof gets it; without the secret the caller is told', async () => {
    const [, , strict] = simulated.credentials
    assert.ok((await simulated.connectWith(strict!).current_user.get()).result.id)
    const bare = simulated.connectWith({ access_token: strict!.access_token! })
    const error = await failure(bare.current_user.get(), 'reauthorization_required')
    assert.match(error.message, /client_secret/)
  })

  it('an account key is enough, and no proof is sent with it', async () => {
    const { result } = await simulated.connectWith(simulated.credentials[1]!).current_user.get()
    assert.equal(result.name, 'Mara Lindqvist')
    assert.equal(simulated.sent()[0]!.query.appsecret_proof, undefined)
  })

  it('the operator hears once that a version ends, or that another one is served', async () => {
    simulated.fault({ type: 'delay', headers: { 'x-ad-api-version-warning': 'v26.0 will be deprecated.' } }, 2)
    for (let calls = 0; calls < 3; calls++) await call('current_user', 'get')
    assert.deepEqual(simulated.warnings, ['Meta warns of its version: v26.0 will be deprecated.'])
    simulated.fault({ type: 'delay', headers: { 'facebook-api-version': 'v27.0' } }, null)
    for (let calls = 0; calls < 2; calls++) await call('current_user', 'get')
    assert.equal(simulated.warnings.length, 2)
    assert.match(simulated.warnings[1]!, /^Meta serves v27\.0 although v26\.0 is asked for/)
  })

  it('half an application is refused', async () => {
    for (const halves of [
      { access_token: 'x', client_id: '1' },
      { account_key: 'x', client_secret: 's' },
    ])
      await failure(simulated.connectWith(halves).check(), 'invalid_credentials')
  })
})
