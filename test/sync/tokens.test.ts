/** Access tokens that end while a sync is at work. */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { type Hosted, startHosted, until } from '../hosted.ts'
import { type Synced, syncedOn } from './synced.ts'

async function synced(t: TestContext): Promise<Synced> {
  const hosted = await startHosted({ simulators: { scale: 60 } })
  t.after(() => hosted.close())
  const id = await hosted.connect(hosted.credentials('oauth'))
  await hosted.execute('workspaces', 'list', {}, { connector: id })
  hosted.calm()
  return syncedOn(hosted, 'asana', id)
}

const renewals = (hosted: Hosted): number =>
  hosted.received().filter(({ path, body }) => path.endsWith('/-/oauth_token') && body.includes('refresh_token')).length

describe('a sync whose access token ends', () => {
  it('by its time, goes on with a new one, also after a wait for a system that is busy', async (t) => {
    const on = await synced(t)
    const { hosted } = on
    hosted.fault({ type: 'status', status: 429, headers: { 'retry-after': '3' } }, { skip: 10 })
    await on.start()
    for (const requests of [20, 60]) {
      await until(() => hosted.received().length > requests)
      // An hour is how long Asana's tokens live.
      hosted.clock.advance(3_600_000)
    }
    await hosted.server.service.syncs.settled()
    const { entities } = await on.state()
    for (const { entity, complete } of entities) assert.ok(complete, entity)
    assert.ok(hosted.clock.waits.some((wait) => wait >= 3000))
    assert.equal(renewals(hosted), 2)
    // Only what was on its way when the hour was over.
    assert.ok(hosted.received().filter(({ status }) => status === 401).length <= 2)
  })

  it('before its time, renews it once and goes on', async (t) => {
    const on = await synced(t)
    const { hosted } = on
    await on.start()
    await until(() => hosted.received().length > 20)
    hosted.systems.change('asana', { change: 'expire_access_tokens' })
    await hosted.server.service.syncs.settled()
    const { entities } = await on.state()
    for (const { entity, complete } of entities) assert.ok(complete, entity)
    assert.equal(renewals(hosted), 1)
  })

  it('and is refused even when it is new, ends with the credentials named, and asks no more', async (t) => {
    const on = await synced(t)
    const { hosted } = on
    hosted.fault({ type: 'status', status: 401 }, { path: '/projects$', times: 'always' })
    await on.sync()
    assert.equal((await on.call('GET')).body.status, 'reauthorization_required')
    assert.equal((await on.state('projects')).last_error.code, 'reauthorization_required')
    assert.equal(renewals(hosted), 1)
    assert.equal(hosted.received().filter(({ path }) => path.endsWith('/projects')).length, 2)
  })

  for (const [status, body] of [
    [400, { error: 'invalid_grant', error_description: 'The user revoked it.' }],
    [401, { error: 'invalid_client' }],
  ] as const)
    it(`and cannot be renewed (${status} ${body.error}), ends with the credentials named`, async (t) => {
      const on = await synced(t)
      const { hosted } = on
      await on.sync({ entities: ['workspaces', 'projects'] })
      const before = (await on.copy('projects')).size
      hosted.systems.change('asana', { change: 'expire_access_tokens' })
      hosted.calm()
      hosted.fault({ type: 'status', status, body }, { path: '/-/oauth_token', times: 'always' })
      await on.sync({ full: true })
      assert.equal((await on.call('GET')).body.status, 'reauthorization_required')
      assert.equal((await on.state('workspaces')).last_error.code, 'reauthorization_required')
      assert.equal(renewals(hosted), 1)
      assert.equal((await on.copy('projects')).size, before)
    })
})
