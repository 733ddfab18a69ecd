/** What becomes of a grant when its connector goes, or the person behind it. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { type Consenting, consentKinds, startConsenting } from './consenting.ts'
import { connectors, type Hosted, isFine, isProblem, startHosted, until } from './hosted.ts'

/** Which kinds can take a grant back, and at which address. */
const revocable: Readonly<Record<string, string>> = {
  asana: '/-/oauth_revoke',
  slack: '/auth.revoke',
  hubspot: '/oauth/2026-03/token/revoke',
}

describe('a grant', () => {
  let hosted: Hosted
  let consenting: Consenting

  before(async () => {
    hosted = await startHosted()
    consenting = await startConsenting(hosted)
  })
  beforeEach(() => hosted.calm())
  after(() => hosted.close())

  async function consented(kind: string, external_user_id = 'ann'): Promise<string> {
    const server_side_oauth_secret_id = await consenting.secretId({ connector_type: kind, external_user_id })
    const asked = { connector_type: kind, external_user_id, server_side_oauth_secret_id, ...consentKinds[kind] }
    const made = await consenting.create(asked)
    assert.equal(made.status, 201, made.text)
    return made.body.id
  }
  const remove = (id: string) => hosted.call('DELETE', `${connectors}/${id}`, { token: consenting.bearer })
  const revocations = () => hosted.received().filter(({ path }) => /revoke/.test(path))
  const audited = async (id: string) =>
    isFine(await hosted.call('GET', `/v1/integrations/audit?connector_id=${id}`, { token: consenting.bearer })).entries

  for (const kind of Object.keys(consentKinds))
    it(`of ${kind} is given back when its connector is deleted, where the system takes it, and the answer says so`, async () => {
      const id = await consented(kind)
      hosted.calm()
      const deleted = await remove(id)
      assert.equal(deleted.status, 204)
      const can = Object.hasOwn(revocable, kind)
      assert.equal(deleted.headers.get('conex-grant-revoked'), can ? 'true' : 'unsupported')
      assert.equal(revocations().length, can ? 1 : 0)
      if (can) assert.ok(revocations()[0]!.path.endsWith(revocable[kind]!), revocations()[0]!.path)
      const [last] = await audited(id)
      assert.deepEqual([last.event, last.details.grant], ['connector.deleted', can ? 'revoked' : 'unsupported'])
    })

  it('that the system does not take back is told as such, and the connector is deleted all the same', async () => {
    for (const effect of [{ type: 'status', status: 500 }, { type: 'reset' }] as const) {
      const id = await consented('asana')
      hosted.fault(effect, { path: '/-/oauth_revoke', times: null })
      const deleted = await remove(id)
      assert.deepEqual([deleted.status, deleted.headers.get('conex-grant-revoked')], [204, 'false'])
      isProblem(await remove(id), 'not_found')
      hosted.calm()
    }
  })

  it('is no matter for a personal token', async () => {
    const deleted = await remove(await hosted.connect(hosted.credentials('one')))
    assert.equal(deleted.headers.get('conex-grant-revoked'), 'unsupported')
    assert.deepEqual(revocations(), [])
  })

  it('that is being renewed is given back as it is afterwards', async () => {
    hosted.systems.change('asana', { change: 'settings', rotate_refresh_tokens: true })
    const id = await consented('asana')
    hosted.systems.change('asana', { change: 'expire_access_tokens' })
    hosted.calm()
    hosted.fault({ type: 'delay', delay_ms: 300 }, { path: '/-/oauth_token' })
    const run = hosted.execute('workspaces', 'list', {}, { connector: id })
    await until(() => hosted.received().some(({ path }) => path.endsWith('/-/oauth_token')))
    const deleted = await remove(id)
    await run
    hosted.systems.change('asana', { change: 'settings', rotate_refresh_tokens: false })
    assert.equal(deleted.headers.get('conex-grant-revoked'), 'true')
    const [renewal, revocation] = hosted
      .received()
      .filter(({ method }) => method === 'POST')
      .map(({ body }) => new URLSearchParams(body))
    assert.ok(revocation!.get('token'))
    assert.notEqual(revocation!.get('token'), renewal!.get('refresh_token'))
  })

  it('is dead at the system afterwards', async () => {
    const id = await consented('asana')
    await hosted.execute('workspaces', 'list', {}, { connector: id })
    const token = String(hosted.received().at(-1)!.headers.authorization)
    await remove(id)
    const base = hosted.systems.describe().asana!.base_url
    assert.equal((await fetch(`${base}/workspaces`, { headers: { authorization: token } })).status, 401)
  })

  it('goes with its end user: connectors, consents under way and grants that nothing was made of', async () => {
    for (const kind of ['asana', 'slack']) await consented(kind, 'leaver')
    await hosted.connect(hosted.credentials('one'), (await hosted.server.issueToken('leaver')).token)
    const stays = await consented('asana', 'stayer')
    const unused = await consenting.secretId({ connector_type: 'hubspot', external_user_id: 'leaver' })
    const open = await consenting.press(
      await consenting.consentUrl({ connector_type: 'asana', external_user_id: 'leaver' }),
      'allow',
    )
    const path = '/v1/integrations/end-users/leaver'
    const token = consenting.bearer
    assert.deepEqual(isFine(await hosted.call('DELETE', path, { token })), {
      external_user_id: 'leaver',
      connectors_deleted: 3,
      grants: { revoked: 2, failed: 0, unsupported: 1 },
    })
    const left = isFine(await hosted.call('GET', `${connectors}?external_user_id=leaver`, { token }))
    assert.deepEqual(left.connectors, [])
    const late = await consenting.create({
      connector_type: 'hubspot',
      external_user_id: 'leaver',
      server_side_oauth_secret_id: unused,
    })
    isProblem(late, 'not_found')
    isProblem(await consenting.visit(open), 'not_found')
    isFine(await hosted.call('GET', `${connectors}/${stays}`, { token }))
    assert.equal(isFine(await hosted.call('DELETE', path, { token })).connectors_deleted, 0)
    const [again, first] = isFine(
      await hosted.call('GET', '/v1/integrations/audit?event=end_user.deleted', { token }),
    ).entries
    assert.deepEqual([again.details.connectors, first.details.connectors], [0, 3])
  })

  it('goes with an end user of any id that connectors can be made for', async () => {
    const token = consenting.bearer
    for (const id of ['a'.repeat(255), '😀'.repeat(255), 'Ann/../%2f ?#&;=+']) {
      await hosted.connect(hosted.credentials('one'), (await hosted.server.issueToken(id)).token)
      const path = `/v1/integrations/end-users/${encodeURIComponent(id)}`
      const deleted = isFine(await hosted.call('DELETE', path, { token }))
      assert.deepEqual([deleted.external_user_id, deleted.connectors_deleted], [id, 1])
    }
  })

  it('has no end user to go with where an id cannot be one', async () => {
    for (const id of ['', '%00', 'a%0Ab', 'a'.repeat(256)])
      isProblem(
        await hosted.call('DELETE', `/v1/integrations/end-users/${id}`, { token: consenting.bearer }),
        'invalid_request',
        '/external_user_id',
      )
  })
})
