import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { connect } from '../../src/client/connect.ts'
import { connectors, type Hosted, isFine, isProblem, startHosted } from '../hosted.ts'

describe('the advertising connector, hosted', () => {
  let hosted: Hosted
  let at: Readonly<Record<string, string>>
  let credentials: readonly Readonly<Record<string, string>>[]
  let connector: string

  const create = async (given: object, type = 'facebook-marketing', name = crypto.randomUUID()) =>
    hosted.call('POST', connectors, { token: hosted.ann, body: { connector_type: type, name, credentials: given } })
  const execute = (entity: string, action: string, params?: object, on = connector) =>
    hosted.execute(entity, action, params, { connector: on })
  const record = async (id: string) => isFine(await hosted.call('GET', `${connectors}/${id}`, { token: hosted.ann }))
  const check = async (id: string) =>
    isFine(await hosted.call('POST', `${connectors}/${id}/check`, { token: hosted.ann }))

  before(async () => {
    hosted = await startHosted()
    at = hosted.systems.landmarks('facebook-marketing')
    credentials = hosted.systems.describe()['facebook-marketing']!.credentials
    connector = (await create(credentials[0]!)).body.id
  })
  beforeEach(() => hosted.calm())
  after(() => hosted.close())

  it('is made with a token, a token and its application, or an account key, under any spelling of its kind', async () => {
    const made = [
      await create(credentials[0]!, 'Facebook-Marketing'),
      await create({ access_token: credentials[0]!.access_token }, 'facebook_marketing'),
      await create(credentials[1]!, 'e7778cfc-e97c-4458-9ecb-b4f2bba8946c'),
    ]
    assert.deepEqual(
      made.map(({ status, body }) => [status, body.connector_type, body.auth_method]),
      [
        [201, 'facebook-marketing', 'oauth'],
        [201, 'facebook-marketing', 'oauth'],
        [201, 'facebook-marketing', 'token'],
      ],
    )
    for (const { text } of made) assert.ok(!text.includes(credentials[0]!.access_token!))
  })

  it('is not made with half an application or with other fields', async () => {
    isProblem(await create({ access_token: 'x', client_id: '1' }), 'invalid_credentials')
    isProblem(await create({ access_token: 'x', account_key: 'y' }), 'invalid_credentials')
    isProblem(await create({}), 'invalid_credentials')
  })

  it('is checked by asking for the user', async () => {
    const checked = await check(connector)
    assert.deepEqual([checked.status, checked.checked], ['healthy', { entity: 'current_user', action: 'get' }])
    assert.deepEqual(
      hosted.received().map(({ path }) => path),
      ['/facebook-marketing/v26.0/me'],
    )
  })

  it('answers lists with their records and after, gets with the record', async () => {
    const { body } = await execute('campaigns', 'list', { account_id: at.account, limit: 2 })
    assert.deepEqual(Object.keys(body), ['result', 'connector_metadata'])
    assert.equal(body.result.length, 2)
    assert.equal(typeof body.connector_metadata.after, 'string')
    const one = await execute('campaigns', 'get', { campaign_id: body.result[0].id })
    assert.deepEqual(one.body, { result: body.result[0], connector_metadata: {} })
  })

  it('gives in hosted mode exactly what local mode gives (F01)', async () => {
    const local = connect('facebook-marketing', {
      credentials: credentials[0] as { access_token: string },
      baseUrl: hosted.systems.describe()['facebook-marketing']!.base_url,
      allowPrivateNetwork: true,
    })
    try {
      for (const entity of ['ads_insights', 'ads', 'ad_sets', 'custom_conversions', 'images', 'videos'] as const) {
        const params = { account_id: at.account!, limit: 5 }
        assert.deepEqual(isFine(await execute(entity, 'list', params)), await local.execute(entity, 'list', params))
      }
    } finally {
      await local.close()
    }
  })

  it('shows with its status that a token is no longer good, until it gets another one (F37)', async () => {
    const access_token = credentials[0]!.access_token!
    const { id } = (await create({ access_token })).body
    hosted.systems.change('facebook-marketing', { change: 'break_token', token: access_token, subcode: 460 })
    try {
      hosted.calm()
      const refused = await execute('current_user', 'get', {}, id)
      isProblem(refused, 'reauthorization_required')
      assert.match(refused.body.detail, /password/)
      assert.deepEqual(refused.body.upstream.code, '190')
      assert.equal(hosted.received().length, 1)
      assert.equal((await record(id)).status, 'reauthorization_required')
      assert.equal((await check(id)).status, 'unhealthy')
    } finally {
      hosted.systems.change('facebook-marketing', { change: 'mend_token', token: access_token })
    }
    isFine(
      await hosted.call('PATCH', `${connectors}/${id}`, { token: hosted.ann, body: { credentials: credentials[1] } }),
    )
    isFine(await execute('current_user', 'get', {}, id))
    assert.equal((await record(id)).status, 'active')
  })

  it('stays active when a permission is missing (F36), and hands on how long to wait (F20)', async () => {
    isProblem(await execute('campaigns', 'list', { account_id: at.account_closed }), 'upstream_forbidden')
    assert.equal((await record(connector)).status, 'active')
    const usage = JSON.stringify({ '1': [{ estimated_time_to_regain_access: 7 }] })
    const body = { error: { code: 80004, error_subcode: 2446079, message: 'There have been too many calls' } }
    const effect = { type: 'status', status: 400, body, headers: { 'x-business-use-case-usage': usage } } as const
    hosted.systems.faults.add({ kind: 'facebook-marketing', effect, times: null })
    const throttled = await execute('campaigns', 'list', { account_id: at.account })
    isProblem(throttled, 'upstream_rate_limited')
    assert.equal(throttled.headers.get('retry-after'), '420')
  })

  it('is a problem of params when they do not fit, with nothing sent (F52)', async () => {
    for (const [entity, action, params] of [
      ['ads_insights', 'list', { account_id: at.account, level: 'AD' }],
      ['ads_insights', 'list', { account_id: at.account, date_preset: 'last_2d' }],
      ['ads_insights', 'list', {}],
      ['campaigns', 'get', {}],
      ['campaigns', 'get', { campaign_id: 7 }],
      ['ad_account', 'get', { account_id: '1/../2' }],
    ] as const)
      isProblem(await execute(entity, action, params), 'invalid_params')
    assert.equal(hosted.received().length, 0)
  })
})
