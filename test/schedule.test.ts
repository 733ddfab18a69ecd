/** When syncs run, and whose come first: through HTTP and what reaches the simulated systems. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createClient, createOrganization } from '../src/service/administer.ts'
import { connectors, until } from './hosted.ts'
import { begun, hour, pass, start, stateOf, tokenOf } from './syncing.ts'

describe('a sync starts', () => {
  it('at once when a connector is made, or kept again', async (t) => {
    const hosted = await start(t)
    const { run } = await stateOf(hosted)
    assert.ok(['queued', 'running'].includes(run.status))
    await hosted.server.service.syncs.settled()
    const state = await stateOf(hosted)
    assert.equal(state.run, null)
    assert.ok(state.entities.every(({ complete }: { complete: boolean }) => complete))
  })

  it('in time, and reading everything, where a clock that was ahead has told when the last one ended', async (t) => {
    const hosted = await start(t)
    await hosted.server.service.syncs.settled()
    hosted.clock.advance(24 * hour)
    await pass(hosted, 0)
    const ahead = Date.parse((await stateOf(hosted)).entities[0].last_finished_at)
    hosted.clock.advance(-24 * hour)
    const { next_due_at } = await stateOf(hosted)
    assert.ok(Date.parse(next_due_at) <= hosted.clock.now() + hour)
    await pass(hosted, 0)
    for (const { last_finished_at, complete } of (await stateOf(hosted)).entities) {
      assert.ok(Date.parse(last_finished_at) < ahead - 12 * hour)
      assert.equal(complete, true)
    }
  })

  it('early by a part of the interval that is each connector’s own', async (t) => {
    const hosted = await start(t)
    const ids = [hosted.connector]
    for (let more = 0; more < 3; more++) ids.push(await hosted.connect(hosted.credentials('volunteer')))
    await hosted.server.service.syncs.settled()
    const early = await Promise.all(
      ids.map(async (id) => {
        const [{ next_due_at: due, last_finished_at: finished }] = (await stateOf(hosted, id)).entities
        return hour - (Date.parse(due) - Date.parse(finished))
      }),
    )
    for (const one of early) assert.ok(one >= 0 && one <= hour / 10, String(one))
    assert.equal(new Set(early).size, ids.length)
    const before = begun(hosted).length
    await pass(hosted, hour * 0.8)
    assert.equal(begun(hosted).length, before)
    await pass(hosted, hour * 0.2)
    assert.deepEqual(begun(hosted).slice(before).sort(), ids.sort())
  })

  it('later each time while it fails, and again in its interval once it does not', async (t) => {
    const hosted = await start(t)
    await hosted.server.service.syncs.settled()
    hosted.fault({ type: 'status', status: 500 }, { times: 'always' })
    await pass(hosted, hour)
    const waits: number[] = []
    for (let failure = 0; failure < 10; failure++) {
      const { next_due_at: next, entities } = await stateOf(hosted)
      const [workspaces] = entities
      assert.equal(workspaces.last_error.code, 'upstream_error')
      waits.push(Date.parse(workspaces.next_due_at) - Date.parse(workspaces.last_error.at))
      hosted.calm()
      hosted.fault({ type: 'status', status: 500 }, { times: 'always' })
      const toNext = Date.parse(next) - hosted.clock.now()
      await pass(hosted, toNext - 1000)
      assert.equal(hosted.received().length, 0)
      await pass(hosted, 1001)
      assert.ok(hosted.received().length > 0)
    }
    for (const [at, wait] of waits.entries()) assert.ok(wait <= 24 * hour && (at === 0 || wait >= waits[at - 1]!))
    assert.ok(waits[0]! < 2 * hour && waits.at(-1) === 24 * hour, String(waits))
    hosted.calm()
    await pass(hosted, 24 * hour)
    const [workspaces] = (await stateOf(hosted)).entities
    assert.equal(workspaces.last_error, null)
    assert.ok(Date.parse(workspaces.next_due_at) - hosted.clock.now() <= hour)
  })
})

describe('deleting what is left of copies that were removed', () => {
  it('keeps no sync from beginning when it is due', async (t) => {
    const hosted = await start(t)
    const { copies } = hosted.server.service.store
    await hosted.server.service.syncs.settled()
    const before = begun(hosted).length
    Object.assign(copies, { purge: () => until(() => begun(hosted).length > before).then(() => 0) })
    await pass(hosted, 2 * hour)
    assert.equal(begun(hosted).length, before + 1)
  })

  it('ends when the server does, and goes on from there another time', async (t) => {
    const hosted = await start(t)
    let left = Number.POSITIVE_INFINITY
    Object.assign(hosted.server.service.store.copies, { purge: async () => Math.min(1000, left) })
    const looking = hosted.server.service.syncs.look()
    await hosted.close()
    left = 0
    await looking
  })
})

describe('syncs that wait for their turn', () => {
  it('run so many at a time as the operator says', async (t) => {
    const hosted = await start(t, { settings: { syncsAtOnce: 2 } })
    const ids = [hosted.connector]
    for (let more = 0; more < 5; more++) ids.push(await hosted.connect(hosted.credentials('volunteer')))
    const statuses = await Promise.all(ids.map(async (id) => (await stateOf(hosted, id)).run?.status))
    assert.ok(statuses.includes('queued'), String(statuses))
    await hosted.server.service.syncs.settled()
    const seen: number[] = []
    for (const [, what] of hosted.log().matchAll(/"msg":"a sync (starts|ended)"/g))
      seen.push((seen.at(-1) ?? 0) + (what === 'starts' ? 1 : -1))
    assert.equal(seen.length, 2 * ids.length)
    assert.equal(Math.max(...seen), 2)
  })

  it('are taken in turns from organizations and their end users, however many connectors each has', async (t) => {
    const hosted = await start(t, { settings: { syncsAtOnce: 1, syncEnabled: true } })
    const { service } = hosted.server
    const many = [hosted.connector]
    for (let more = 0; more < 6; more++) many.push(await hosted.connect(hosted.credentials('volunteer')))
    const bea = await hosted.connect(hosted.credentials('volunteer'), await tokenOf(hosted, 'bea'))
    const { organization_id: second } = await createOrganization(service, 'second')
    const body = await createClient(service, second, 'program')
    const { access_token: token } = (await hosted.call('POST', '/api/v1/account/applications/token', { body })).body
    const made = await hosted.call('POST', connectors, {
      token,
      body: {
        external_user_id: 'eve',
        connector_type: 'asana',
        name: 'x',
        credentials: hosted.credentials('volunteer'),
      },
    })
    const theirs = made.body.id
    await service.syncs.settled()
    const places = () => [bea, theirs].map((id) => begun(hosted).lastIndexOf(id))
    // What was made first had begun before the others were there.
    for (const place of places()) assert.ok(place > 0 && place <= 4, String(places()))

    const before = begun(hosted).length
    await pass(hosted, 2 * hour)
    assert.equal(begun(hosted).length, before + many.length + 2)
    for (const place of places()) assert.ok(place - before <= 3, String(places()))
  })
})
