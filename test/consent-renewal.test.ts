/** Consents that end in a connector: one that is renewed, or one that is made. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, it } from 'node:test'
import { connect } from '../src/index.ts'
import { appUrl, type Begin, type Consenting, consentKinds, startConsenting } from './consenting.ts'
import { connectors, type Hosted, isFine, isProblem, startHosted } from './hosted.ts'

describe('a consent that is begun for a connector', () => {
  let hosted: Hosted
  let consenting: Consenting
  let users = 0

  before(async () => {
    hosted = await startHosted()
    consenting = await startConsenting(hosted)
  })
  beforeEach(() => hosted.calm())
  after(() => hosted.close())

  const connected = async (external_user_id: string): Promise<string> => {
    const server_side_oauth_secret_id = await consenting.secretId({ connector_type: 'asana', external_user_id })
    const made = await consenting.create({ connector_type: 'asana', external_user_id, server_side_oauth_secret_id })
    assert.equal(made.status, 201, made.text)
    return made.body.id
  }
  const list = async (external_user_id: string) =>
    isFine(await hosted.call('GET', `${connectors}?external_user_id=${external_user_id}`, { token: consenting.bearer }))
      .connectors
  const end = (asked: object) => consenting.consent(asked as Begin)

  it('renews it: it is active again, keeps its id, and the way back names it', async () => {
    const user = `user ${++users}`
    const id = await connected(user)
    const token = consenting.bearer
    hosted.fault({ type: 'status', status: 400 }, { path: '/-/oauth_token', times: null })
    hosted.systems.change('asana', { change: 'expire_access_tokens' })
    isProblem(await hosted.execute('workspaces', 'list', {}, { connector: id, token }), 'reauthorization_required')
    hosted.calm()

    const { searchParams } = await end({ connector_type: 'asana', external_user_id: user, connector_id: id })
    assert.equal(searchParams.get('connector_id'), id)
    const secret = searchParams.get('secret_id')
    assert.equal(searchParams.get('server_side_oauth_secret_id'), secret)
    const [only, ...others] = await list(user)
    assert.deepEqual([only.id, only.status, others], [id, 'active', []])
    isFine(await hosted.execute('workspaces', 'list', {}, { connector: id, token }))
    isProblem(
      await consenting.create({
        connector_type: 'asana',
        external_user_id: user,
        server_side_oauth_secret_id: secret,
      }),
      'conflict',
    )

    await using asana = connect('asana', { baseUrl: hosted.server.origin, token, externalUserId: user })
    assert.ok((await asana.workspaces.list()).result.length > 0)
  })

  it('may leave it to the connector who the end user is and which kind', async () => {
    const id = await connected(`user ${++users}`)
    const begun = await hosted.call('POST', `${connectors}/oauth/initiate`, {
      token: consenting.bearer,
      body: { connector_id: id.toUpperCase(), redirect_url: appUrl },
    })
    const callback = await consenting.press(isFine(begun).consent_url, 'allow')
    const { headers } = await consenting.visit(callback)
    assert.equal(new URL(headers.get('location')!).searchParams.get('connector_id'), id)
  })

  it('is not begun for a connector of another end user or kind, or for none', async () => {
    const id = await connected(`user ${++users}`)
    for (const asked of [
      { connector_type: 'asana', external_user_id: 'somebody else', connector_id: id },
      { connector_type: 'hubspot', external_user_id: `user ${users}`, connector_id: id },
      { connector_type: 'asana', external_user_id: `user ${users}`, connector_id: randomUUID() },
      { connector_type: 'asana', external_user_id: `user ${users}`, connector_id: 'x' },
    ])
      isProblem(await consenting.begin(asked), 'not_found')
    const both = { connector_type: 'asana', external_user_id: `user ${users}`, connector_id: id, name: 'x' }
    isProblem(await consenting.begin(both as Begin), 'invalid_request', '/name')
  })

  it('tells the browser when the connector is gone meanwhile', async () => {
    const user = `user ${++users}`
    const id = await connected(user)
    const asked = { connector_type: 'asana', external_user_id: user, connector_id: id }
    const callback = await consenting.press(await consenting.consentUrl(asked), 'allow')
    await hosted.call('DELETE', `${connectors}/${id}`, { token: consenting.bearer })
    const { headers } = await consenting.visit(callback)
    const { searchParams } = new URL(headers.get('location')!)
    assert.deepEqual([searchParams.get('error'), searchParams.has('secret_id')], ['not_found', false])
    assert.deepEqual(await list(user), [])
  })

  for (const [kind, more] of Object.entries(consentKinds))
    it(`makes the connector of a name of ${kind}, and renews it the next time`, async () => {
      const user = `user ${++users}`
      const asked = { connector_type: kind, external_user_id: user, name: 'Work', ...more }
      const first = (await end(asked)).searchParams.get('connector_id')
      const second = (await end(asked)).searchParams.get('connector_id')
      assert.ok(first)
      assert.equal(second, first)
      const [only, ...others] = await list(user)
      assert.deepEqual([only.id, only.name, only.connector_type, others], [first, 'Work', kind, []])
    })

  it('refuses beforehand what no connector can be made with, and tells what is not used', async () => {
    isProblem(
      await consenting.begin({ connector_type: 'slack', name: 'Work' } as Begin),
      'invalid_request',
      '/replication_config',
    )
    const begun = await consenting.begin({
      connector_type: 'asana',
      replication_config: {},
      source_template_id: 'x',
    } as Begin)
    assert.deepEqual(
      isFine(begun).warnings.map(({ path }: { path: string }) => path),
      ['/source_template_id', '/replication_config'],
    )
  })
})
