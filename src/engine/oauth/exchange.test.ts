import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { authMethod, type Credentials } from '../../catalog/authorization.ts'
import { connector } from '../../catalog/connector.ts'
import { optional, text } from '../../catalog/fields.ts'
import { scriptedEngine } from '../scripted-engine.suite.ts'
import { answerJson, type Script } from '../scripted-system.suite.ts'
import { expiryField } from './authorize.ts'

const bank = connector({
  kind: 'bank',
  definitionId: '00000000-0000-7000-8000-000000000005',
  title: 'Bank',
  baseUrl: 'https://bank.example/v1',
  authMethods: [
    authMethod({
      name: 'oauth',
      title: 'OAuth',
      credentials: { access_token: text(), client_id: optional(text()), client_secret: optional(text()) },
      authorization: {
        style: 'bearer',
        token: 'access_token',
        proof: 'proof',
      },
      consent: {
        consentAddress: { url: 'https://bank.example/authorize', relativeToBase: 'authorize' },
        tokenAddress: { url: 'https://bank.example/token', relativeToBase: 'token' },
        clientAuthentication: 'body',
        scopes: ['read'],
        scopeSeparator: ',',
        pkce: false,
        exchange: { grantType: 'exchange', token: 'exchange_token', seconds: 100, aheadSeconds: 10 },
      },
    }),
    authMethod({
      name: 'key',
      title: 'Key',
      credentials: { key: text() },
      authorization: { style: 'bearer', token: 'key' },
    }),
  ],
  replicationConfig: null,
  check: { entity: 'accounts', action: 'list', params: {} },
  readRefusal: () => null,
  entities: {},
})

async function given(script: Script = (_, __, response) => answerJson(response, { access_token: 'newer' })) {
  const platformApplications = { bank: { clientId: 'platform', clientSecret: 'platform-secret' } }
  const { system, clock, engine } = await scriptedEngine(script, { platformApplications })
  const soon = String(clock.now() + 5_000)
  const renew = (credentials: Credentials) => engine.renewCredentials(bank, `${system.origin}/v1`, credentials)
  return { system, clock, soon, renew }
}

describe('a token that still works is exchanged', () => {
  it('with the connector’s own application, or the platform’s when it was made for that', async () => {
    const { system, clock, soon, renew } = await given()
    const own = { access_token: 'old', client_id: 'own', client_secret: 'own-secret', [expiryField]: soon }
    const newer = { access_token: 'newer', [expiryField]: String(clock.now() + 100_000) }
    assert.deepEqual(await renew(own), { ...own, ...newer })
    const platforms = { access_token: 'old', client_id: 'platform', [expiryField]: soon }
    assert.deepEqual(await renew(platforms), { ...platforms, ...newer })
    assert.deepEqual(
      system.requests.map(({ body }) => Object.fromEntries(new URLSearchParams(body))),
      [
        { grant_type: 'exchange', exchange_token: 'old', client_id: 'own', client_secret: 'own-secret' },
        { grant_type: 'exchange', exchange_token: 'old', client_id: 'platform', client_secret: 'platform-secret' },
      ],
    )
  })

  it('but not once it has ended, without its application, or of another method', async () => {
    const { system, clock, soon, renew } = await given()
    for (const credentials of [
      { access_token: 'old', client_id: 'platform', [expiryField]: String(clock.now()) },
      { access_token: 'old', client_id: 'platform' },
      { access_token: 'old', [expiryField]: soon },
      { access_token: 'old', client_id: 'another', [expiryField]: soon },
      { key: 'k', [expiryField]: soon },
    ])
      assert.equal(await renew(credentials), null)
    assert.equal(system.requests.length, 0)
  })

  it('and a refusal of that says nothing of the credentials yet', async () => {
    const { system, soon, renew } = await given((_, __, response) =>
      answerJson(response, { error: 'invalid_grant' }, 400),
    )
    const refused = renew({ access_token: 'old', client_id: 'platform', [expiryField]: soon })
    await assert.rejects(refused, { code: 'upstream_error' })
    assert.equal(system.requests.length, 1)
  })
})
