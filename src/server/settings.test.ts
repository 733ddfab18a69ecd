import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { defaultSettings, parseSettings, SettingsError, settingsTable } from './settings.ts'

const kinds = ['asana', 'facebook-marketing']
const keyText = (id: string) => `${id}:${randomBytes(32).toString('base64')}`

const faults = (env: Record<string, string>): readonly string[] => {
  try {
    parseSettings(kinds, env)
    return []
  } catch (error) {
    assert.ok(error instanceof SettingsError)
    return error.faults
  }
}

describe('settings', () => {
  it('are the defaults in an empty environment, and where a value is empty', () => {
    assert.deepEqual(parseSettings(kinds, {}), defaultSettings)
    assert.deepEqual(parseSettings(kinds, { CONEX_PORT: '', CONEX_HOST: ' ', PATH: '/bin' }), defaultSettings)
  })

  it('are read in the form that each has', () => {
    const settings = parseSettings(kinds, {
      CONEX_HOST: '0.0.0.0',
      CONEX_PORT: '0',
      CONEX_DATABASE_URL: 'sqlite:/var/lib/conex/conex.db',
      CONEX_PUBLIC_URL: 'https://conex.example/base/',
      CONEX_ALLOW_PRIVATE_NETWORK: 'yes',
      CONEX_RETRY_CEILING_SECONDS: '0.5',
      CONEX_LOG_LEVEL: 'WARN',
      CONEX_ENCRYPTION_KEYS: `${keyText('new')}, ${keyText('old')}`,
      CONEX_FACEBOOK_MARKETING_BASE_URL: 'http://127.0.0.1:9400/facebook-marketing',
      CONEX_ASANA_CALL_LIMITS: '10/1, 20000/86400',
      CONEX_FACEBOOK_MARKETING_CALL_LIMITS: 'none',
      CONEX_ASANA_OAUTH_CLIENT_ID: 'app',
      CONEX_ASANA_OAUTH_CLIENT_SECRET: 'app secret',
    })
    assert.equal(settings.port, 0)
    assert.equal(settings.publicUrl, 'https://conex.example/base')
    assert.equal(settings.allowPrivateNetwork, true)
    assert.equal(settings.retryCeilingSeconds, 0.5)
    assert.equal(settings.logLevel, 'warn')
    assert.deepEqual(
      settings.encryptionKeys?.map(({ id, secret }) => [id, secret.length]),
      [
        ['new', 32],
        ['old', 32],
      ],
    )
    assert.deepEqual(settings.callLimits, {
      asana: [
        { calls: 10, seconds: 1, reserve: 0.2 },
        { calls: 20_000, seconds: 86_400, reserve: 0.2 },
      ],
      'facebook-marketing': [],
    })
    assert.deepEqual(settings.baseUrls, { 'facebook-marketing': 'http://127.0.0.1:9400/facebook-marketing' })
    assert.deepEqual(settings.applications, { asana: { clientId: 'app', clientSecret: 'app secret' } })
  })

  it('let be what those have in their shell who call a service', () => {
    assert.deepEqual(faults({ CONEX_URL: 'https://conex.example', CONEX_TOKEN: 'x.y.z' }), [])
  })

  it('tell every fault at once, each with how to mend it', () => {
    assert.deepEqual(
      faults({
        CONEX_PORT: '70000',
        CONEX_DATABASE_URL: 'mariadb://user:hunter2@db/conex',
        CONEX_LOG_LEVEL: 'loud',
        CONEX_ASANA_CALL_LIMITS: '1500 a minute',
        CONEX_SYNC_ENABLED: 'maybe',
        CONEX_CLIENT_ID: 'me',
        CONEX_ASANA_BASE_URL: 'ftp://asana',
        CONEX_ASANA_BASE_ULR: 'x',
        CONEX_QWERTYUIOP: 'x',
        CONEX_MCP_AUDIENCE: 'x',
      }),
      [
        'CONEX_PORT must be a whole number from 0 to 65535',
        'CONEX_DATABASE_URL must be sqlite:<path of a file> or postgres://<user>:<password>@<host>/<database>',
        'CONEX_SYNC_ENABLED must be true or false',
        'CONEX_LOG_LEVEL must be one of debug, info, warn, error, silent',
        'CONEX_CLIENT_SECRET is missing; CONEX_CLIENT_ID has no effect without it',
        'CONEX_MCP_ISSUER is missing; CONEX_MCP_AUDIENCE has no effect without it',
        'CONEX_ASANA_BASE_URL must be an http or https address without user, query or fragment',
        'CONEX_ASANA_CALL_LIMITS must be none, or limits such as 1500/60 (calls/seconds), separated by commas',
        'CONEX_ASANA_BASE_ULR is not a setting; did you mean CONEX_ASANA_BASE_URL?',
        'CONEX_QWERTYUIOP is not a setting; remove it',
      ],
    )
  })

  it('never show a secret in a fault', () => {
    const secret = 'hunter2-hunter2'
    const told = faults({
      CONEX_CLIENT_ID: 'me',
      CONEX_CLIENT_SECRET: secret,
      CONEX_ENCRYPTION_KEYS: secret,
      CONEX_TOKEN_KEYS: `a:${secret}`,
    })
    assert.equal(told.length, 3)
    assert.ok(!told.join().includes('hunter2'))
  })

  it('refuse keys that are too short or named alike', () => {
    assert.match(faults({ CONEX_TOKEN_KEYS: `a:${randomBytes(31).toString('base64')}` })[0]!, /32 random bytes/)
    assert.match(faults({ CONEX_TOKEN_KEYS: `${keyText('a')},${keyText('a')}` })[0]!, /one id for two keys/)
  })

  it('take an identity provider only where nobody on the way can stand for it', () => {
    for (const issuer of ['https://login.example/tenant/', 'http://127.0.0.1:9/'])
      assert.equal(parseSettings([], { CONEX_MCP_ISSUER: issuer }).mcpIssuer, issuer)
    for (const issuer of ['http://login.example', 'https://a@login.example', 'https://login.example/?x', 'x'])
      assert.match(faults({ CONEX_MCP_ISSUER: issuer })[0]!, /^CONEX_MCP_ISSUER must be the issuer/)
  })

  it('each have one row in the table, with the secrets marked', () => {
    const table = settingsTable(kinds)
    assert.equal(new Set(table.map(({ name }) => name)).size, table.length)
    assert.ok(table.every(({ name, meaning }) => name.startsWith('CONEX_') && meaning.endsWith('.')))
    for (const { name, secret } of table)
      assert.equal(secret, /SECRET$|KEYS$|DATABASE_URL$|UPSTREAM_PROXY$/.test(name), name)
    assert.ok(table.some(({ name }) => name === 'CONEX_FACEBOOK_MARKETING_BASE_URL'))
  })

  it('read an address as browsers do, so that paths can be put behind it', () => {
    for (const given of [
      'https://conex.example/?',
      'https://conex.example/#',
      'https:conex.example',
      'https:\\\\conex.example',
    ])
      assert.equal(parseSettings([], { CONEX_PUBLIC_URL: given }).publicUrl, 'https://conex.example')
  })
})
