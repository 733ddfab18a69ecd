/** A query parameter that a route does not know is refused, and never passed over. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { routes } from '../src/server/routes.ts'
import { connectors, executePath, type Hosted, isFine, isProblem, startHosted } from './hosted.ts'

/** Asked by systems and browsers that add parameters of their own. */
const open = [
  'GET /v1/integrations/connectors/oauth/callback',
  'GET /oauth/authorize',
  'GET /openapi.json',
  'GET /docs',
  'GET /healthz',
  'GET /readyz',
  'GET /metrics',
]

describe('an unknown query parameter', () => {
  let hosted: Hosted
  let bearer: string
  before(async () => {
    hosted = await startHosted()
    bearer = (await hosted.server.issueToken()).token
  })
  after(() => hosted.close())

  const pathOf = (template: string): string =>
    template
      .replace(':connector_id', hosted.connector)
      .replace(':connector_type', 'asana')
      .replace(':external_user_id', 'ann')

  for (const { method, path, aliases = [], endpoint } of routes)
    for (const template of [path, ...aliases]) {
      const ask = (query: string) => hosted.call(method, `${pathOf(template)}?${query}`, { token: bearer })

      if (open.includes(`${method} ${template}`))
        it(`is taken by ${method} ${template}`, async () =>
          assert.equal(
            (await ask('state=x&client_id=x&redirect_uri=x&added=1')).status,
            path.endsWith('callback') ? 404 : path.endsWith('authorize') ? 422 : 200,
          ))
      else {
        it(`is refused by ${method} ${template}`, async () => {
          for (const name of ['added', '__proto__', 'constructor', '%00'])
            isProblem(await ask(`${name}=1`), 'invalid_request', `/${decodeURIComponent(name)}`)
          isProblem(await ask('added'), 'invalid_request', '/added')
        })

        const known = Object.keys(endpoint.query?.properties ?? {})
        if (known.length > 0)
          it(`is told from the nearest that there is by ${method} ${template}`, async () => {
            for (const name of known) {
              const { errors } = (await ask(`${name}x=1`)).body
              const fault = errors.find(({ path }: { path: string }) => path === `/${name}x`)
              assert.match(fault.message, new RegExp(`did you mean "${name}"\\?$`))
            }
          })
      }
    }

  it('is no reason to do half of what was asked', async () => {
    isProblem(
      await hosted.call('DELETE', `${connectors}/${hosted.connector}?force=true`, { token: bearer }),
      'invalid_request',
    )
    isProblem(
      await hosted.call('DELETE', '/v1/integrations/end-users/ann?dry_run=true', { token: bearer }),
      'invalid_request',
    )
    const list = { entity: 'workspaces', action: 'list' }
    hosted.calm()
    const path = executePath(hosted.connector)
    isProblem(await hosted.call('POST', `${path}?limit=1`, { token: bearer, body: list }), 'invalid_request', '/limit')
    assert.equal(hosted.received().length, 0)
    isFine(await hosted.call('POST', path, { token: bearer, body: list }))
    isFine(await hosted.call('POST', `${path}?`, { token: bearer, body: list }))
  })

  it('is not told to callers without a token, who learn nothing', async () => {
    isProblem(await hosted.call('GET', `${connectors}/${hosted.connector}?added=1`), 'unauthenticated')
  })

  it('is repeated by name alone, never with what was in it', async () => {
    const { text } = await hosted.call('GET', `${connectors}/${hosted.connector}?api_key=canary`, { token: bearer })
    assert.ok(!text.includes('canary'))
    assert.ok(!hosted.log().includes('canary'))
  })
})
