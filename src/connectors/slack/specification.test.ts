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

/** Every live operation with its params; the required ones have a star. */
const operations: Readonly<Record<string, string>> = {
  'users list': 'cursor limit include_locale team_id',
  'users get': 'user* include_locale',
  'user_by_email get': 'email*',
  'user_profiles get': 'user include_labels',
  'user_presence get': 'user',
  'user_channels list': 'user types exclude_archived cursor limit team_id',
  'channels list': 'cursor limit types exclude_archived team_id',
  'channels get': 'channel* include_locale include_num_members',
  'channel_members list': 'channel* cursor limit',
  'channel_messages list': 'channel* cursor limit oldest latest inclusive include_all_metadata',
  'channel_messages get': 'channel* ts*',
  'threads list': 'channel* ts* cursor limit oldest latest inclusive include_all_metadata',
  'message_permalinks get': 'channel* message_ts*',
  'message_search list': 'query* sort sort_dir highlight count page team_id',
  'file_search list': 'query* sort sort_dir highlight count page team_id',
  'files list': 'channel user ts_from ts_to types count page show_files_hidden_by_limit team_id',
  'files get': 'file*',
  'files download': 'file* range_header',
  'usergroups list': 'include_users include_count include_disabled team_id',
  'usergroup_members list': 'usergroup* include_disabled team_id',
  'pins list': 'channel*',
  'bookmarks list': 'channel_id*',
  'reactions get': 'channel timestamp file file_comment full',
  'reactions list': 'user full cursor limit team_id',
  'emoji list': 'include_categories',
  'team get': 'team domain',
  'team_profile_fields list': 'visibility',
  'bots get': 'bot team_id',
  'auth_identity get': '',
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

  it('has its ids, and says how it is checked', () => {
    const { connector_type, definition_id, title } = describeConnector(slack)
    assert.deepEqual([connector_type, definition_id, title], ['slack', 'c2281cee-86f9-4a86-bb48-d23286b4c7bd', 'Slack'])
    assert.deepEqual([slack.check.entity, slack.check.action], ['auth_identity', 'get'])
  })

  for (const [name, params] of Object.entries(operations))
    it(`${name} takes ${params || 'no params'}`, () => {
      const [entity = '', action = ''] = name.split(' ')
      const declared = (slack.entities as unknown as Record<string, Record<string, { params: object }>>)[entity]![
        action
      ]!
      const { properties, required = [] } = declared.params as { properties: object; required?: string[] }
      const names = Object.keys(properties).map((param) => (required.includes(param) ? `${param}*` : param))
      assert.deepEqual(names.toSorted(), params.split(' ').filter(Boolean).toSorted())
    })

  it('has no other live operations', () => {
    const declared = Object.entries(slack.entities as unknown as Record<string, object>).flatMap(([entity, one]) =>
      ['list', 'get', 'download'].filter((action) => action in one).map((action) => `${entity} ${action}`),
    )
    assert.deepEqual(declared.toSorted(), Object.keys(operations).toSorted())
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

  it('can choose channels, by name or id', () => {
    for (const chosen of [[], ['#general'], ['C0123456789', '#büro-7']])
      assert.deepEqual(faults({ ...good, channel_filter: chosen }), [])
    for (const wrong of ['general', '#', 'C1', 'D0123456789', 7])
      assert.deepEqual(faults({ ...good, channel_filter: [wrong] }), ['/replication_config/channel_filter/0'])
  })

  it('needs the three fields of the specification, and knows no others', () => {
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
