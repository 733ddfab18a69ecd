import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { connect } from '../src/client/connect.ts'
import { type Consenting, consentKinds, startConsenting } from './consenting.ts'
import { connectors, type Hosted, isFine, isProblem, startHosted } from './hosted.ts'

describe('the messaging and CRM kinds', () => {
  let hosted: Hosted
  let consenting: Consenting
  const config = { start_date: '2025-01-01T00:00:00Z', lookback_window: 7, join_channels: false }

  before(async () => {
    hosted = await startHosted()
    consenting = await startConsenting(hosted)
  })
  beforeEach(() => hosted.calm())
  after(() => hosted.close())

  const given = (kind: string, index = 0) => hosted.systems.describe()[kind]!.credentials[index]!
  const create = async (connector_type: string, credentials: object, more: object = consentKinds[connector_type]!) => {
    const made = await consenting.create({ connector_type, credentials, ...more })
    assert.equal(made.status, 201, made.text)
    return made.body
  }
  const check = async (id: string) =>
    isFine(await hosted.call('POST', `${connectors}/${id}/check`, { token: hosted.ann, body: {} }))
  const status = async (id: string) =>
    isFine(await hosted.call('GET', `${connectors}/${id}`, { token: hosted.ann })).status

  it('are shown by either name', async () => {
    for (const [kind, id, methods] of [
      ['slack', 'c2281cee-86f9-4a86-bb48-d23286b4c7bd', ['oauth', 'token']],
      ['hubspot', '36c891d9-4bd9-43ac-bad2-10e12756272c', ['oauth']],
    ] as const)
      for (const name of [kind, id, kind.toUpperCase()]) {
        const path = `/v1/integrations/connector-types/${name}`
        const type = isFine(await hosted.call('GET', path, { token: hosted.ann }))
        assert.deepEqual([type.connector_type, type.definition_id], [kind, id])
        assert.deepEqual(
          type.auth_methods.map((method: { name: string }) => method.name),
          methods,
        )
        assert.equal(type.replication_config === null, kind === 'hubspot')
      }
  })

  it('are made with each of their methods, and checked by the system’s own identity call', async () => {
    for (const [kind, index, method, checked, path] of [
      ['slack', 1, 'oauth', { entity: 'auth_identity', action: 'get' }, '/slack/api/auth.test'],
      ['slack', 0, 'token', { entity: 'auth_identity', action: 'get' }, '/slack/api/auth.test'],
      ['hubspot', 0, 'oauth', { entity: 'account', action: 'get' }, '/hubspot/account-info/v3/details'],
    ] as const) {
      const made = await create(kind, given(kind, index))
      assert.equal(made.auth_method, method)
      hosted.calm()
      assert.deepEqual(await check(made.id), { status: 'healthy', checked })
      assert.deepEqual(
        hosted.received().map((request) => request.path),
        [path],
      )
    }
  })

  it('messaging: replication_config is required, whole, and exactly in form', async () => {
    const asked = { connector_type: 'slack', credentials: given('slack') }
    isProblem(await consenting.create(asked), 'invalid_request', '/replication_config')
    for (const [field, values] of Object.entries({
      start_date: [
        '2024-02-30T00:00:00Z',
        '2024-01-01T24:00:00Z',
        '2024-01-01',
        '2024-01-01T00:00:00+00:00',
        '2024-01-01T00:00:00.000Z',
        '2024-1-1T0:0:0Z',
        '',
        undefined,
      ],
      lookback_window: [-1, 366, 1.5, '30', null, undefined],
      join_channels: ['true', null, undefined],
    }))
      for (const value of values) {
        const replication_config = { ...config, [field]: value }
        const path = `/replication_config/${field}`
        isProblem(await consenting.create({ ...asked, replication_config }), 'invalid_request', path)
      }
    for (const good of [{ lookback_window: 0 }, { lookback_window: 365 }, { start_date: '2999-01-01T00:00:00Z' }])
      await create('slack', given('slack'), { replication_config: { ...config, ...good } })
  })

  it('CRM: replication_config is not used, and there is no token method', async () => {
    const credentials = given('hubspot')
    const made = await consenting.create({ connector_type: 'hubspot', credentials, replication_config: config })
    assert.equal(made.status, 201, made.text)
    assert.deepEqual(
      made.body.warnings.map(({ path }: { path: string }) => path),
      ['/replication_config'],
    )
    for (const flat of [{ token: 'pat-na1-1' }, { api_token: 'x' }, { access_token: 'x' }])
      isProblem(await consenting.create({ connector_type: 'hubspot', credentials: flat }), 'invalid_credentials')
  })

  it('CRM: HubSpot’s own search is an action of what it searches as well, hosted and local', async () => {
    const { id: connector } = await create('hubspot', given('hubspot'))
    const params = { limit: 2, sorts: [{ propertyName: 'hs_object_id' }] }
    const { base_url: baseUrl } = hosted.systems.describe().hubspot!
    const local = connect('hubspot', { credentials: given('hubspot') as never, baseUrl, allowPrivateNetwork: true })
    for (const [entity, own] of [
      ['contacts', 'contact_search'],
      ['companies', 'company_search'],
      ['deals', 'deal_search'],
      ['tickets', 'ticket_search'],
    ] as const) {
      const wanted = isFine(await hosted.execute(own, 'list', params, { connector }))
      assert.equal(wanted.result.length, 2, entity)
      assert.deepEqual(isFine(await hosted.execute(entity, 'api_search', params, { connector })), wanted)
      assert.deepEqual(await local.execute(entity, 'api_search', params), wanted)
      isProblem(await hosted.execute(entity, 'api_search', { limit: 'x' }, { connector }), 'invalid_params')
    }
    isProblem(await hosted.execute('owners', 'api_search', {}, { connector }), 'unknown_action', '/action')
    await local.close()
  })

  it('CRM: a worn-out token is renewed before a call and after a refusal; a refused renewal marks the connector', async () => {
    const { refresh_token } = given('hubspot')
    const { id } = await create('hubspot', { refresh_token })
    const calls = () => hosted.received().map(({ path, status }) => `${status} ${path.replace('/hubspot', '')}`)
    assert.equal((await check(id)).status, 'healthy')
    const whole = ['200 /oauth/2026-03/token', '200 /account-info/v3/details']
    assert.deepEqual(calls(), whole)

    hosted.calm()
    hosted.systems.change('hubspot', { change: 'expire_access_tokens' })
    assert.equal((await check(id)).status, 'healthy')
    assert.deepEqual(calls(), ['401 /account-info/v3/details', ...whole])

    hosted.systems.change('hubspot', { change: 'expire_access_tokens' })
    hosted.systems.change('hubspot', { change: 'hub', is: 'uninstalled' })
    const unhealthy = await check(id)
    assert.deepEqual([unhealthy.status, unhealthy.error.code], ['unhealthy', 'reauthorization_required'])
    assert.equal(unhealthy.error.upstream.code, 'BAD_REFRESH_TOKEN')
    assert.equal(await status(id), 'reauthorization_required')
    hosted.systems.change('hubspot', { change: 'hub', is: 'installed' })
    assert.equal((await check(id)).status, 'healthy')
    assert.equal(await status(id), 'active')
  })

  it('messaging: tokens that rotate, which a consent alone gives, are renewed and the new pair is kept', async () => {
    hosted.systems.change('slack', { change: 'settings', rotate_tokens: true })
    const made = await consenting.create({
      connector_type: 'slack',
      server_side_oauth_secret_id: await consenting.secretId({ connector_type: 'slack' }),
      replication_config: config,
    })
    assert.equal(made.status, 201, made.text)
    for (let round = 0; round < 3; round++) {
      hosted.systems.change('slack', { change: 'expire_access_tokens' })
      assert.equal((await check(made.body.id)).status, 'healthy')
    }
    hosted.systems.change('slack', { change: 'settings', rotate_tokens: false })
  })

  it('messaging: a token that lasts and was revoked marks the connector; nothing is asked twice', async () => {
    const { id } = await create('slack', given('slack', 0))
    hosted.calm()
    hosted.systems.faults.add({ kind: 'slack', effect: { type: 'body', body: { ok: false, error: 'token_revoked' } } })
    const unhealthy = await check(id)
    assert.deepEqual([unhealthy.status, unhealthy.error.code], ['unhealthy', 'reauthorization_required'])
    assert.equal(hosted.received().length, 1)
    assert.equal(await status(id), 'reauthorization_required')
    const credentials = { body: { credentials: given('slack', 0) }, token: hosted.ann }
    assert.equal(isFine(await hosted.call('PATCH', `${connectors}/${id}`, credentials)).status, 'active')
    assert.equal((await check(id)).status, 'healthy')
  })
})
