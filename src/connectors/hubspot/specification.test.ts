import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkCredentials, describeConnector, requiredFields } from '../../kit/connector.ts'
import { hubspot } from './connector.ts'

describe('the CRM connector', () => {
  it('takes OAuth credentials alone, with the fields of the specification', () => {
    assert.deepEqual(
      hubspot.authMethods.map((method) => [
        method.name,
        requiredFields(method),
        Object.keys(method.credentials.properties).toSorted(),
      ]),
      [['oauth', ['refresh_token'], ['access_token', 'client_id', 'client_secret', 'refresh_token']]],
    )
    for (const credentials of [
      { refresh_token: 'r' },
      { refresh_token: 'r', access_token: 'a' },
      { refresh_token: 'r', client_id: 'a', client_secret: 'b' },
    ])
      checkCredentials(hubspot, credentials)
  })

  it('takes no token of a private application, and no access token alone', () => {
    for (const credentials of [
      { access_token: 'a' },
      { token: 'pat-na1-1' },
      { api_token: 'pat-na1-1' },
      { api_key: 'k' },
      { refresh_token: 'r', token: 'pat-na1-1' },
      { refresh_token: 'r', client_id: 'a' },
      { refresh_token: '' },
      { refresh_token: null },
      {},
    ])
      assert.throws(() => checkCredentials(hubspot, credentials), { code: 'invalid_credentials' })
  })

  it('has no replication_config and no entities yet', () => {
    const { connector_type, definition_id, title, replication_config, entities } = describeConnector(hubspot)
    assert.deepEqual(
      [connector_type, definition_id, title, replication_config, entities],
      ['hubspot', '36c891d9-4bd9-43ac-bad2-10e12756272c', 'HubSpot', null, []],
    )
    assert.deepEqual([hubspot.check.entity, hubspot.check.action], ['account', 'get'])
  })
})
