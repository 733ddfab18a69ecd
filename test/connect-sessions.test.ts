/** Sessions of the connect page: who makes them, for whom, and what may be asked of them. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createClient, createOrganization } from '../src/service/administer.ts'
import { startPostgres, type TestServer } from '../src/store/postgres/server.suite.ts'
import { type Hosted, isFine, isProblem, startHosted } from './hosted.ts'

const path = '/v1/integrations/connect-sessions'
const origin = 'https://app.example'

function suite(database: string, url: () => Promise<string | undefined>): void {
  describe(`sessions of the connect page on ${database}`, () => {
    let hosted: Hosted
    let bearer: string

    before(async () => {
      const databaseUrl = await url()
      hosted = await startHosted(databaseUrl === undefined ? {} : { settings: { databaseUrl } })
      bearer = (await hosted.server.issueToken()).token
    })
    after(() => hosted?.close())

    const make = (body: object, token = bearer) =>
      hosted.call('POST', path, { token, body: { external_user_id: 'ann', origin, ...body } })

    it('gives a token and an address, and keeps neither as it is', async () => {
      const made = await make({ external_user_name: 'Ann Unmistakable' })
      assert.equal(made.status, 201, made.text)
      const { session_token, url: address, expires_in } = made.body
      assert.equal(address, `${hosted.server.publicUrl}/connect?session=${session_token}`)
      assert.equal(expires_in, 600)
      const [, at] = session_token.split('.')
      assert.equal(Buffer.from(at, 'base64url').toString(), hosted.server.publicUrl)
      assert.ok(!hosted.log().includes(session_token))
      assert.ok(!hosted.log().includes('Unmistakable'))
    })

    it('is noted in the audit log, without the name of the end user', async () => {
      await make({ external_user_id: 'noted', external_user_name: 'Ann Unmistakable' })
      const query = 'event=connect_session.created&external_user_id=noted'
      const audit = isFine(await hosted.call('GET', `/v1/integrations/audit?${query}`, { token: bearer }))
      assert.deepEqual(
        audit.entries.map(({ details }: { details: object }) => details),
        [{ origin }],
      )
    })

    it('is made by the program’s server alone', async () => {
      isProblem(await make({}, hosted.ann), 'forbidden')
    })

    it('does not renew a connector of another organization or end user', async () => {
      const { organization_id } = await createOrganization(hosted.server.service, `others ${database}`)
      const other = await createClient(hosted.server.service, organization_id, 'first')
      const token = isFine(
        await hosted.call('POST', '/api/v1/account/applications/token', { body: other }),
      ).access_token
      isProblem(await make({ connector_id: hosted.connector }, token), 'not_found')
      isProblem(await make({ connector_id: hosted.connector, external_user_id: 'bob' }), 'invalid_request')
      assert.equal((await make({ connector_id: hosted.connector })).status, 201)
      const body = { origin, connector_id: hosted.connector }
      assert.equal((await hosted.call('POST', path, { token: bearer, body })).status, 201)
    })

    for (const [given, why] of [
      ['https://app.example/page', 'a path'],
      ['https://app.example?x=1', 'a query'],
      ['https://user@app.example', 'a user'],
      ['https://app.example https://evil.example', 'two origins'],
      ["https://app.example; script-src 'unsafe-inline'", 'more than an origin'],
      ['https://*.app.example', 'a pattern'],
      ['https://app.example;x', 'the end of a rule'],
      ['http://app.example', 'plain http'],
      ['http://[::1]:3000', 'what no policy can say'],
      ['null', 'no origin'],
      ['*', 'all origins'],
      ['javascript:alert(1)', 'a script'],
    ] as const)
      it(`refuses ${why} as the origin`, async () => {
        isProblem(await make({ origin: given }), 'invalid_request')
      })

    for (const given of ['http://localhost:3000', 'http://127.0.0.1:5173', 'https://app.example:8443'])
      it(`takes ${given} as the origin`, async () => {
        assert.equal((await make({ origin: given })).status, 201)
      })

    for (const [why, body] of Object.entries({
      'an unknown connector type': { connector_types: ['asanaa'] },
      'no connector type': { connector_types: [] },
      'a connector type without the settings that it needs': { connector_types: ['slack'] },
      'settings of an unknown connector type': { replication_configs: { constructor: {} } },
      'settings that are wrong': { replication_configs: { slack: { lookback_window: -1 } } },
      'connector types beside a connector': { connector_id: 'x', connector_types: ['asana'] },
      'an unknown language': { language: 'xx' },
      'a colour that leaves its place': { theme: { accent: 'red;} body{display:none' } },
      'a font that leaves its place': { theme: { font: 'Inter; } * { color: red' } },
      'a logo of another host': { theme: { logo: 'https://cdn.example/logo.png' } },
      'a logo that is no image': { theme: { logo: 'data:text/html;base64,PGI+' } },
      'a text that nobody can read': { theme: { background: '#777777', text: '#888888' } },
      'a text that nobody can read in the dark': { theme: { dark: { text: '#222222' } } },
      'an unknown field': { redirect: 'https://app.example' },
    }))
      it(`refuses ${why}`, async () => {
        const answer = await make(body)
        isProblem(answer, why.includes('beside a connector') ? 'not_found' : 'invalid_request')
      })

    it('takes the looks, settings and language of a program', async () => {
      const theme = {
        accent: '#5b3df5',
        background: '#ffffff',
        text: '#111111',
        dark: { background: '#101010', text: '#fafafa' },
        radius: 4,
        font: 'Inter, system-ui, sans-serif',
        logo: 'data:image/png;base64,iVBORw0KGgo=',
      }
      const { replication_config } = hosted.systems.tour('slack')
      const replication_configs = { slack: replication_config }
      const body = { connector_types: ['slack', 'asana'], replication_configs, theme, language: 'ja' }
      assert.equal((await make(body)).status, 201)
    })
  })
}

suite('SQLite', async () => undefined)

describe('on PostgreSQL', () => {
  let postgres: TestServer
  before(async () => {
    postgres = await startPostgres()
  })
  after(() => postgres.stop())
  suite('PostgreSQL', () => postgres.freshDatabase())
})
