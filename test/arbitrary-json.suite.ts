/** Whatever JSON is sent to whichever route: the answer is a problem or a success, never a defect. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { errorKinds } from '../src/errors.ts'
import { routes } from '../src/server/routes.ts'
import { type Hosted, startHosted } from './hosted.ts'

/** Names that the routes know, so that values come to the places where they matter. */
const names = [
  'external_user_id',
  'workspace_name',
  'connector_type',
  'definition_id',
  'name',
  'credentials',
  'server_side_oauth_secret_id',
  'replication_config',
  'sync',
  'redirect_url',
  'client_id',
  'client_secret',
  'grant_type',
  'entity',
  'action',
  'params',
  'query',
  'filter',
  'enabled',
  'interval_seconds',
  'token',
  'refresh_token',
  'limit',
  'project',
  'constructor',
  'toString',
  '',
]
const words = [
  'asana',
  'slack',
  'tasks',
  'workspaces',
  'list',
  'get',
  'search',
  'sql',
  'select 1',
  'download',
  'ann',
  '\u0000',
  '../..',
  '%00',
]

const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { maxDepth: 4, depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(null, true, false, 0, -1, 1e308, 0.1, 2 ** 53, ...words),
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.array(tie('json'), { maxLength: 5 }),
    tie('object'),
  ),
  object: fc.dictionary(
    fc.oneof(
      fc.constantFrom(...names),
      fc.string({ maxLength: 8 }).filter((name) => name !== '__proto__'),
    ),
    tie('json'),
    { maxKeys: 6 },
  ),
}))

/** So many bodies for each route that writes. */
export function arbitraryJsonSuite(rounds: number): void {
  describe('arbitrary JSON', () => {
    let hosted: Hosted
    let bearer: string

    before(async () => {
      hosted = await startHosted({
        settings: {
          rateLimitPerMinute: 0,
          endUserRateLimitPerMinute: 0,
          tokenRateLimitPerMinute: 0,
          logLevel: 'error',
        },
      })
      bearer = (await hosted.server.issueToken()).token
    })
    after(() => hosted.close())

    async function judged(method: string, path: string, body: unknown): Promise<void> {
      const answer = await hosted.call(method, path, { token: bearer, body })
      assert.ok(answer.status < 500 || answer.body?.code?.startsWith('upstream_'), `${method} ${path}: ${answer.text}`)
      if (answer.status < 400) return
      // What MCP says of a message that is none has the form of its own protocol.
      if (path.startsWith('/mcp') && answer.body.jsonrpc === '2.0') {
        assert.equal(typeof answer.body.error.code, 'number')
        return
      }
      // And OAuth has a form of its own for what it refuses.
      if (path === '/oauth/register' && answer.status === 400 && typeof answer.body.error === 'string') return
      assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/)
      assert.ok(Object.hasOwn(errorKinds, answer.body.code), answer.text)
      assert.ok(answer.text.length < 100_000, 'an answer grows with what is sent')
    }

    const writing = routes.filter(({ method }) => method === 'POST' || method === 'PATCH')
    for (const { method, path } of writing)
      it(`${method} ${path} answers all of it`, async () => {
        await fc.assert(
          fc.asyncProperty(json!, async (body) => {
            await judged(method, placed(path, hosted.connector), JSON.stringify(body))
          }),
          { numRuns: rounds },
        )
      })

    it('no text in a path or a query is too much for a route that reads', async () => {
      const text = fc.string({ unit: 'binary', maxLength: 20 }).map(encodable)
      const reading = routes.filter(({ method }) => method === 'GET' || method === 'DELETE')
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...reading),
          text,
          fc.dictionary(fc.oneof(fc.constantFrom(...names, 'cursor', 'since', 'state', 'code'), text), text, {
            maxKeys: 4,
          }),
          async ({ method, path }, part, query) => {
            const at = placed(path, encodeURIComponent(part) || 'x')
            await judged(method, `${at}?${new URLSearchParams(query)}`, undefined)
          },
        ),
        { numRuns: 5 * rounds },
      )
      // Nobody's connector went with it.
      assert.equal(
        (await hosted.call('GET', `/v1/integrations/connectors/${hosted.connector}`, { token: bearer })).status,
        200,
      )
    })
  })
}

const placed = (path: string, value: string): string => path.replaceAll(/:\w+/g, value)

/** Half surrogates cannot be written in an address. */
const encodable = (text: string): string => text.toWellFormed()
