/** Every route, asked by every sort of caller. A route without a row here fails the test. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { SignJWT } from 'jose'
import { routes } from '../src/server/routes.ts'
import { createClient, createOrganization } from '../src/service/administer.ts'
import { type Answer, type Hosted, isProblem, startHosted } from './hosted.ts'

/** Who asks. */
const callers = ['nobody', 'forger', 'latecomer', 'stranger', 'neighbour', 'organization', 'end user'] as const
type Caller = (typeof callers)[number]

/** What a route answers: a status, or the code of a problem. */
type Expected = number | 'unauthenticated' | 'forbidden' | 'not_found'

interface Row {
  readonly body?: () => unknown
  /** Other bodies, which are answered alike. */
  readonly others?: readonly (() => unknown)[]
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly params?: Readonly<Record<string, string>>
  readonly expected: Readonly<Record<Caller, Expected>>
  /** What an answer of 200 to a stranger or a neighbour must not hold. */
  readonly hides?: readonly string[]
}

const noToken = { nobody: 'unauthenticated', forger: 'unauthenticated', latecomer: 'unauthenticated' } as const
const everybody = (status: number) =>
  Object.fromEntries(callers.map((caller) => [caller, status])) as Record<Caller, number>
/** Routes about one connector: another's cannot be told from none. */
const ofConnector = (status: number) =>
  ({ ...noToken, stranger: 'not_found', neighbour: 'not_found', organization: status, 'end user': status }) as const
/** Routes for the whole organization. */
const ofOrganization = (status: number) =>
  ({ ...noToken, stranger: status, neighbour: 'forbidden', organization: status, 'end user': 'forbidden' }) as const
/** Routes about one webhook of the organization. */
const ofWebhook = (status: number) => ({ ...ofOrganization(status), stranger: 'not_found' }) as const
/** Routes at which everybody with a token sees their own. */
const ofAnybody = (status: number) =>
  ({ ...noToken, stranger: status, neighbour: status, organization: status, 'end user': status }) as const

const secret = { client_id: 'first', client_secret: 'a-secret-of-the-first-client-1234567890' }
const redirect_url = 'https://app.example/done'
const asana = () => ({ connector_type: 'asana', name: randomUUID(), credentials: { token: 'any' } })

/** By method and path, as the table of routes has them. */
const rows: Readonly<Record<string, Row>> = {
  'POST /api/v1/account/applications/token': { body: () => secret, expected: everybody(200) },
  'POST /api/v1/embedded/scoped-token': { body: () => ({ external_user_id: 'ann' }), expected: ofOrganization(200) },
  'POST /v1/integrations/connectors/oauth/initiate': {
    body: () => ({ external_user_id: 'ann', connector_type: 'asana', redirect_url }),
    expected: ofOrganization(200),
  },
  'GET /v1/integrations/connectors/oauth/callback': { query: 'state=unknown&code=any', expected: everybody(404) },
  'POST /v1/integrations/connectors/:connector_id/consent-links': { expected: ofConnector(200) },
  'GET /v1/integrations/connectors/oauth/consent': { query: 'link=unknown', expected: everybody(404) },
  'POST /v1/integrations/connectors/oauth/consent': { expected: everybody(404) },
  'POST /v1/integrations/connectors': {
    body: () => ({ ...asana(), external_user_id: 'ann' }),
    expected: { ...noToken, stranger: 201, neighbour: 'forbidden', organization: 201, 'end user': 201 },
  },
  'GET /v1/integrations/connectors': { expected: ofAnybody(200), hides: [':connector_id'] },
  'GET /v1/integrations/connectors/:connector_id': { expected: ofConnector(200) },
  'PATCH /v1/integrations/connectors/:connector_id': {
    body: () => ({ sync: { enabled: false } }),
    expected: ofConnector(200),
  },
  'DELETE /v1/integrations/connectors/:connector_id': { expected: ofConnector(204) },
  'POST /v1/integrations/connectors/:connector_id/check': { body: () => ({}), expected: ofConnector(200) },
  'POST /v1/integrations/connectors/:connector_id/request': {
    body: () => ({ path: '/users/me' }),
    expected: ofConnector(200),
  },
  'GET /v1/integrations/connectors/:connector_id/inspect': { expected: ofConnector(200) },
  'POST /v1/integrations/connectors/:connector_id/sync': { body: () => ({}), expected: ofConnector(202) },
  'GET /v1/integrations/connectors/:connector_id/sync': { expected: ofConnector(200) },
  'DELETE /v1/integrations/end-users/:external_user_id': {
    params: { external_user_id: 'carl' },
    expected: ofOrganization(200),
  },
  'GET /v1/integrations/audit': { expected: ofOrganization(200), hides: ['operator', ':connector_id'] },
  'GET /v1/integrations/events': { expected: ofOrganization(200), hides: [':connector_id'] },
  'POST /v1/integrations/webhooks': {
    body: () => ({ url: 'https://receiver.example/conex', types: ['sync.failed'] }),
    expected: ofOrganization(201),
  },
  'GET /v1/integrations/webhooks': { expected: ofOrganization(200), hides: ['only-ours'] },
  'GET /v1/integrations/webhooks/:webhook_id': { expected: ofWebhook(200) },
  'PATCH /v1/integrations/webhooks/:webhook_id': { body: () => ({ description: 'x' }), expected: ofWebhook(200) },
  'DELETE /v1/integrations/webhooks/:webhook_id': { expected: ofWebhook(204) },
  'POST /v1/integrations/webhooks/:webhook_id/rotate': { expected: ofWebhook(200) },
  'GET /v1/integrations/webhooks/:webhook_id/deliveries': { expected: ofWebhook(200) },
  'POST /v1/integrations/webhooks/:webhook_id/replay': { expected: ofWebhook(202) },
  'GET /api/v1/workspaces': { expected: ofAnybody(200), hides: ['only-here'] },
  'GET /api/v1/connectors/connectors_for_user': {
    query: 'external_user_id=ann',
    expected: ofAnybody(200),
    hides: [':connector_id'],
  },
  'POST /api/v1/connectors/sources/:connector_id/execute': {
    body: () => ({ entity: 'workspaces', action: 'list' }),
    others: [() => ({ entity: '*', action: 'sql', params: { sql: 'select 1 as one' } })],
    expected: ofConnector(200),
  },
  'GET /v1/integrations/files': { query: 'token=unknown', expected: everybody(404) },
  'POST /mcp': {
    body: () => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_connectors' } }),
    headers: { accept: 'application/json, text/event-stream' },
    expected: ofAnybody(200),
    hides: [':connector_id'],
  },
  'GET /.well-known/oauth-protected-resource/mcp': { expected: everybody(200) },
  'GET /.well-known/oauth-authorization-server': { expected: everybody(200) },
  'POST /oauth/register': { body: () => ({ redirect_uris: ['https://app.example/back'] }), expected: everybody(201) },
  'GET /oauth/authorize': { query: 'client_id=unknown&redirect_uri=x', expected: everybody(422) },
  'POST /oauth/authorize': { expected: everybody(422) },
  'POST /oauth/token': { expected: everybody(400) },
  'POST /oauth/revoke': { expected: everybody(400) },
  'GET /v1/integrations/end-users/:external_user_id/agents': {
    params: { external_user_id: 'ann' },
    expected: ofOrganization(200),
  },
  'DELETE /v1/integrations/end-users/:external_user_id/agents/:agent_id': {
    params: { external_user_id: 'ann', agent_id: 'unknown' },
    expected: { ...ofOrganization(404), stranger: 'not_found', organization: 'not_found' },
  },
  'POST /v1/integrations/end-users/:external_user_id/sign-in-codes': {
    params: { external_user_id: 'ann' },
    expected: ofOrganization(200),
  },
  'GET /v1/integrations/connector-types': { expected: ofAnybody(200) },
  'GET /v1/integrations/connector-types/:connector_type': {
    params: { connector_type: 'asana' },
    expected: ofAnybody(200),
  },
  'GET /api/v1/skills/docs': { query: 'id=asana&section=entity:tasks', expected: ofAnybody(200) },
  'GET /openapi.json': { expected: everybody(200) },
  'GET /docs': { expected: everybody(200) },
  'GET /healthz': { expected: everybody(200) },
  'GET /readyz': { expected: everybody(200) },
  'GET /metrics': { expected: everybody(200) },
}

describe('the tenant matrix', () => {
  let hosted: Hosted
  let tokens: Record<Caller, string | undefined>

  before(async () => {
    hosted = await startHosted({
      settings: {
        clientId: secret.client_id,
        clientSecret: secret.client_secret,
        rateLimitPerMinute: 0,
        rawRequests: true,
      },
    })
    const { service } = hosted.server
    const { organization_id } = await createOrganization(service, 'strangers')
    const foreign = { ...(await createClient(service, organization_id, 'foreign')), scope: 'raw_requests' }
    const issued = await hosted.call('POST', '/api/v1/account/applications/token', { body: foreign })
    const late = (await hosted.server.issueToken('ann')).token
    const [head, payload] = late.split('.') as [string, string]
    const forged = await new SignJWT(JSON.parse(Buffer.from(payload, 'base64url').toString()))
      .setProtectedHeader(JSON.parse(Buffer.from(head, 'base64url').toString()))
      .sign(new Uint8Array(32))
    hosted.clock.advance(25 * 60_000)
    tokens = {
      nobody: undefined,
      forger: forged,
      latecomer: late,
      stranger: issued.body.access_token,
      neighbour: (await hosted.server.issueToken('bob')).token,
      organization: (await hosted.server.issueToken()).token,
      'end user': (await hosted.server.issueToken('ann')).token,
    }
    await hosted.connect(hosted.credentials('one'), (await hosted.server.issueToken('only-here')).token)
    // Its token has been issued before the clock went on.
    const again = await hosted.call('POST', '/api/v1/account/applications/token', { body: foreign })
    tokens.stranger = again.body.access_token
  })
  after(() => hosted.close())

  it('has a row for every route, and no other', () => {
    const declared = routes.map(({ method, path }) => `${method} ${path}`)
    assert.deepEqual(Object.keys(rows).toSorted(), declared.toSorted(), 'Give every route one row in this matrix.')
  })

  for (const { method, path, aliases = [] } of routes)
    for (const url of [path, ...aliases])
      for (const caller of callers)
        it(`${method} ${url} by ${caller === 'end user' ? 'the end user' : `the ${caller}`}`, async () => {
          const row = rows[`${method} ${path}`]
          assert.ok(row !== undefined, 'This route has no row.')
          const connector = await hosted.connect(hosted.credentials('one'), tokens['end user'])
          const expected = row.expected[caller]
          for (const body of [row.body, ...(row.others ?? [])]) {
            const answer = await ask(method, url, { ...row, ...(body && { body }) }, caller, connector)
            if (typeof expected === 'number') assert.equal(answer.status, expected, answer.text)
            else isProblem(answer, expected)
            if (caller === 'stranger' || caller === 'neighbour')
              for (const hidden of row.hides ?? [])
                assert.ok(!answer.text.includes(hidden.replace(':connector_id', connector)), answer.text)
          }
          if (method === 'GET' && typeof expected === 'number') await sameForHead(url, row, caller, connector, expected)
        })

  /** A webhook of the organization, which may have only so many. */
  async function makeWebhook(): Promise<string> {
    const path = '/v1/integrations/webhooks'
    const token = tokens.organization
    const { webhooks } = (await hosted.call('GET', path, { token })).body
    for (const { id } of webhooks) await hosted.call('DELETE', `${path}/${id}`, { token })
    return (await hosted.call('POST', path, { token, body: { url: 'https://receiver.example/only-ours' } })).body.id
  }

  async function ask(method: string, url: string, row: Row, caller: Caller, connector: string): Promise<Answer> {
    const webhook_id = url.includes('webhook') ? await makeWebhook() : ''
    const params: Record<string, string> = { connector_id: connector, webhook_id, ...row.params }
    const path = url.replaceAll(/:(\w+)/g, (_, name: string) => params[name]!)
    return hosted.call(method, row.query === undefined ? path : `${path}?${row.query}`, {
      token: tokens[caller],
      body: row.body?.(),
      ...(row.headers && { headers: row.headers }),
    })
  }

  /** HEAD is the same without a body, save where looking is using up. */
  async function sameForHead(url: string, row: Row, caller: Caller, connector: string, expected: number) {
    const answer = await ask('HEAD', url, row, caller, connector)
    assert.ok([expected, 405].includes(answer.status), `HEAD: ${answer.status}`)
    assert.equal(answer.text, '')
  }
})
