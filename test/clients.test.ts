/** Organizations and their clients from the command line, beside a running server. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { conex } from './conex.ts'
import { connectors, type Hosted, isFine, isProblem, startHosted } from './hosted.ts'

const tokenPath = '/api/v1/account/applications/token'
const scopedPath = '/api/v1/embedded/scoped-token'

describe('organizations and clients', () => {
  let hosted: Hosted

  before(async () => {
    hosted = await startHosted()
  })
  after(() => hosted.close())

  const run = (...args: string[]) => conex(args, { env: { CONEX_DATABASE_URL: `sqlite:${hosted.folder}/conex.db` } })
  const made = async (...args: string[]) => {
    const { records, code, stderr } = await run(...args, '--json')
    assert.equal(code, 0, stderr)
    return records()[0]
  }
  const tokenOf = ({ client_id, client_secret }: Record<string, string>) =>
    hosted.call('POST', tokenPath, { body: { client_id, client_secret } })

  it('are created, and the client works at once, in its own organization', async () => {
    const acme = await made('organizations', 'create', 'Acme')
    const token = isFine(await tokenOf(acme)).access_token
    assert.deepEqual(isFine(await hosted.call('GET', connectors, { token })).connectors, [])
    isProblem(await hosted.call('GET', `${connectors}/${hosted.connector}`, { token }), 'not_found')
    const worker = await made('clients', 'create', 'worker', '--organization', acme.organization_id)
    assert.equal(worker.organization_id, acme.organization_id)
    isFine(await tokenOf(worker))
    const { stdout } = await run('organizations', 'list', '--table')
    assert.match(stdout.toString(), /^ORGANIZATION ID +NAME +CREATED AT +CLIENTS +CONNECTORS\n/)
    assert.match(stdout.toString(), /Acme +\S+ +2 +0\n/)
    const listed = (await run('clients', 'list', '--organization', acme.organization_id, '--json')).records()
    assert.deepEqual(
      listed.map(({ client_id, name }) => [client_id, name]),
      [
        [acme.client_id, 'Acme'],
        [worker.client_id, 'worker'],
      ],
    )
    for (const { client_secret } of [acme, worker])
      assert.ok(!(await run('clients', 'list', '--json')).stdout.toString().includes(client_secret))
  })

  it('a rotated secret takes the place of the old one, and tokens live on', async () => {
    const client = await made('clients', 'create')
    const token = isFine(await tokenOf(client)).access_token
    const rotated = await made('clients', 'rotate', client.client_id)
    assert.equal(rotated.client_id, client.client_id)
    isProblem(await tokenOf(client), 'unauthenticated')
    isFine(await tokenOf(rotated))
    isFine(await hosted.call('GET', connectors, { token }))
  })

  it('a revoked client gets no token any more, of either sort, and those it has end by themselves', async () => {
    const client = await made('clients', 'create')
    const token = isFine(await tokenOf(client)).access_token
    const scoped = isFine(await hosted.call('POST', scopedPath, { token, body: { external_user_id: 'ann' } })).token
    assert.equal((await run('clients', 'revoke', client.client_id)).code, 0)
    isProblem(await tokenOf(client), 'unauthenticated')
    const answer = await hosted.call('POST', scopedPath, { token, body: { external_user_id: 'ann' } })
    isProblem(answer, 'unauthenticated')
    assert.match(answer.body.detail, /revoked/)
    isFine(await hosted.call('GET', connectors, { token }))
    hosted.clock.advance(15 * 60_000 + 1000)
    isProblem(await hosted.call('GET', connectors, { token }), 'unauthenticated')
    isFine(await hosted.call('GET', connectors, { token: scoped }))
    hosted.clock.advance(5 * 60_000)
    isProblem(await hosted.call('GET', connectors, { token: scoped }), 'unauthenticated')
    hosted.clock.advance(-20 * 60_000 - 1000)
    assert.equal((await run('clients', 'rotate', client.client_id)).code, 2)
  })

  it('an organization is revoked with all its clients', async () => {
    const acme = await made('organizations', 'create', 'gone')
    assert.deepEqual((await made('organizations', 'revoke', acme.organization_id)).revoked_clients, [acme.client_id])
    isProblem(await tokenOf(acme), 'unauthenticated')
  })

  it('what is not there is said so', async () => {
    for (const args of [
      ['clients', 'revoke', 'nobody'],
      ['clients', 'rotate', 'nobody'],
      ['clients', 'create', 'x', '--organization', 'nowhere'],
      ['organizations', 'revoke', 'nowhere'],
    ]) {
      const { code, stderr } = await run(...args)
      assert.equal(code, 2)
      assert.match(stderr, /^not_found There is no such/)
    }
  })

  it('each change stands in the audit log of its organization', async () => {
    const { token } = await hosted.server.issueToken()
    const { entries } = isFine(await hosted.call('GET', '/v1/integrations/audit?limit=1000', { token }))
    const events = new Set(entries.map(({ event }: { event: string }) => event))
    for (const event of ['organization.created', 'client.created', 'client.rotated', 'client.revoked'])
      assert.ok(events.has(event), event)
  })
})
