import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkOf } from '../../catalog/check.ts'
import { checkCredentials, describeConnector, requiredFields } from '../../kit/connector.ts'
import { slack } from './connector.ts'

/** The specification's rows for the messaging connector. */
const methods = {
  oauth: { required: ['access_token'], optional: ['client_id', 'client_secret'] },
  token: { required: ['api_token'], optional: [] },
}

describe('the messaging connector', () => {
  it('takes the credentials of the specification and no others', () => {
    const declared = Object.fromEntries(
      slack.authMethods.map((method) => {
        const required = requiredFields(method)
        const names = Object.keys(method.credentials.properties)
        return [method.name, { required, optional: names.filter((name) => !required.includes(name)) }]
      }),
    )
    assert.deepEqual(declared, methods)
    for (const credentials of [
      { access_token: 'xoxb-1' },
      { access_token: 'xoxe.xoxb-1', client_id: 'a', client_secret: 'b' },
      { api_token: 'xoxb-1' },
      { api_token: 'xoxp-1' },
      { api_token: 'of-a-form-that-nobody-knows-yet' },
    ])
      checkCredentials(slack, credentials)
  })

  it('takes no token that is good for no call, half an application, nor what only a consent gives', () => {
    for (const [credentials, path] of [
      [{ api_token: 'xapp-1' }, '/credentials/api_token'],
      [{ access_token: 'xoxe-1-refresh' }, '/credentials/access_token'],
      [{ access_token: 'xoxb-1', client_id: 'a' }, '/credentials/client_secret'],
      [{ access_token: 'xoxb-1', refresh_token: 'xoxe-1' }, '/credentials/refresh_token'],
      [{}, '/credentials/access_token'],
    ] as const)
      assert.throws(
        () => checkCredentials(slack, credentials),
        (error: { code: string; issues: { path: string; message: string }[] }) => {
          assert.equal(error.code, 'invalid_credentials')
          assert.ok(
            error.issues.some((issue) => issue.path === path),
            JSON.stringify(error.issues),
          )
          return !JSON.stringify(error.issues).includes('-1')
        },
      )
  })

  it('has no entities yet, and says how it is checked', () => {
    const { connector_type, definition_id, title, entities } = describeConnector(slack)
    assert.deepEqual(
      [connector_type, definition_id, title, entities],
      ['slack', 'c2281cee-86f9-4a86-bb48-d23286b4c7bd', 'Slack', []],
    )
    assert.deepEqual([slack.check.entity, slack.check.action], ['auth_identity', 'get'])
  })
})

describe('its replication_config', () => {
  const good = { start_date: '2024-02-29T23:59:59Z', lookback_window: 30, join_channels: true }
  const faults = (config: object): string[] =>
    checkOf(slack.replicationConfig, '/replication_config')(config).map(({ path }) => path)

  for (const [field, values] of Object.entries({
    start_date: ['2024-01-01T00:00:00Z', '2000-02-29T12:30:00Z', '2099-12-31T23:59:59Z'],
    lookback_window: [0, 1, 365],
    join_channels: [true, false],
  }))
    for (const value of values)
      it(`takes ${field} ${JSON.stringify(value)}`, () => assert.deepEqual(faults({ ...good, [field]: value }), []))

  for (const [field, values] of Object.entries({
    start_date: [
      '2024-02-30T00:00:00Z',
      '2023-02-29T00:00:00Z',
      '1900-02-29T00:00:00Z',
      '2024-13-01T00:00:00Z',
      '2024-00-10T00:00:00Z',
      '2024-01-01T24:00:00Z',
      '2024-01-01T23:59:60Z',
      '2024-01-01',
      '2024-01-01T00:00Z',
      '2024-01-01T00:00:00+00:00',
      '2024-01-01T00:00:00.000Z',
      '2024-01-01T00:00:00z',
      '2024-01-01 00:00:00Z',
      '2024-01-01T00:00:00Z\n',
      '2024-1-1T0:0:0Z',
      '',
      'yesterday',
      1704067200,
      null,
    ],
    lookback_window: [-1, 366, 1.5, '30', null, true],
    join_channels: ['true', 1, 0, null],
  }))
    for (const value of values)
      it(`refuses ${field} ${JSON.stringify(value)}`, () =>
        assert.deepEqual(faults({ ...good, [field]: value }), [`/replication_config/${field}`]))

  it('needs all three fields and knows no other', () => {
    assert.deepEqual(faults({}).toSorted(), [
      '/replication_config/join_channels',
      '/replication_config/lookback_window',
      '/replication_config/start_date',
    ])
    assert.deepEqual(faults({ ...good, include_archived: true }), ['/replication_config/include_archived'])
  })

  it('says in which form a time is wanted', () => {
    const [issue] = checkOf(slack.replicationConfig, '')({ ...good, start_date: '2024-02-30T00:00:00Z' })
    assert.match(issue!.message, /a time that exists, in UTC, as YYYY-MM-DDTHH:mm:ssZ/)
  })
})
