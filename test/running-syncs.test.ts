/** What a sync that runs tells of itself, and what ends it: through HTTP and what reaches the simulated systems. */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { skippingClock } from '../src/conformance/skipping-clock.ts'
import { connectors, type Hosted, type HostedOptions, isFine, isProblem, until } from './hosted.ts'
import { begun, hour, openStoreWith, pass, start, stateOf, tokenOf } from './syncing.ts'

const patch = async (hosted: Hosted, sync: object, id = hosted.connector) =>
  isFine(await hosted.call('PATCH', `${connectors}/${id}`, { token: await tokenOf(hosted), body: { sync } }))

/** Holds syncs before a page that they are about to write, for as long as the test takes to look at them. */
class Gate {
  #left = Number.POSITIVE_INFINITY
  #held = Promise.withResolvers<void>()
  #opened = Promise.withResolvers<void>()

  /** Resolves when so many more pages have been written and the next one waits. */
  hold(pages: number): Promise<void> {
    this.#left = pages
    this.#held = Promise.withResolvers()
    this.#opened = Promise.withResolvers()
    return this.#held.promise
  }

  open(): void {
    this.#left = Number.POSITIVE_INFINITY
    this.#opened.resolve()
  }

  readonly pass = async (): Promise<void> => {
    if (this.#left-- > 0) return
    this.#held.resolve()
    await this.#opened.promise
  }
}

describe('a running sync', () => {
  /** A server whose first sync is held in the middle. */
  async function startRunning(t: TestContext) {
    const gate = new Gate()
    t.after(() => gate.open())
    const held = gate.hold(5)
    const hosted = await start(t, { serve: { openStore: openStoreWith(gate.pass) } })
    await held
    assert.equal((await stateOf(hosted)).run.status, 'running')
    return { hosted, gate }
  }
  /** A server whose first sync waits for an answer that never comes. */
  async function startWaiting(t: TestContext, settings: HostedOptions['settings'] = {}): Promise<Hosted> {
    const hosted = await start(t, { settings: { syncEnabled: false, upstreamTimeoutSeconds: 300, ...settings } })
    hosted.fault({ type: 'never' }, { path: '/tasks$', skip: 3 })
    await patch(hosted, { enabled: true })
    await until(() => hosted.received().some(({ path, status }) => path.endsWith('/tasks') && status === null))
    assert.equal((await stateOf(hosted)).run.status, 'running')
    return hosted
  }
  /** Judges that nothing is asked of the system any more. */
  async function isOver(hosted: Hosted): Promise<void> {
    const { length } = hosted.received()
    await pass(hosted, 0)
    assert.equal(hosted.received().length, length)
    assert.doesNotMatch(hosted.log(), /a sync failed|a sync ended early|a sync was lost/)
  }

  it('ends when its connector is deleted, and the copy goes', async (t) => {
    const hosted = await startWaiting(t)
    const token = await tokenOf(hosted)
    assert.equal((await hosted.call('DELETE', `${connectors}/${hosted.connector}`, { token })).status, 204)
    await isOver(hosted)
    isProblem(await hosted.call('GET', `${connectors}/${hosted.connector}/sync`, { token }), 'not_found')
    assert.equal(await hosted.server.service.store.copies.purge(1), 0)
  })

  it('ends when its end user is deleted, as do those that wait', async (t) => {
    const hosted = await startWaiting(t, { syncsAtOnce: 1 })
    for (let more = 0; more < 3; more++)
      await patch(hosted, { enabled: true }, await hosted.connect(hosted.credentials('one')))
    const token = await tokenOf(hosted)
    const deleted = await hosted.call('DELETE', '/v1/integrations/end-users/ann', { token })
    assert.equal(isFine(deleted).connectors_deleted, 4)
    await isOver(hosted)
    assert.equal(begun(hosted).length, 1)
  })

  it('ends when no copy is to be kept any more, and begins anew when one is', async (t) => {
    const hosted = await startWaiting(t)
    const { sync } = await patch(hosted, { enabled: false })
    assert.equal(sync.enabled, false)
    await isOver(hosted)
    const state = await stateOf(hosted)
    assert.deepEqual([state.enabled, state.run, state.next_due_at], [false, null, null])
    for (const { status, records, complete, progress } of state.entities)
      assert.deepEqual([status, records, complete, progress], ['waiting', 0, false, null])
    const token = await tokenOf(hosted)
    isProblem(
      await hosted.call('POST', `${connectors}/${hosted.connector}/sync`, { token, body: {} }),
      'search_unavailable',
    )
    await pass(hosted, 3 * hour)
    assert.equal(begun(hosted).length, 1)

    await patch(hosted, { enabled: true })
    await hosted.server.service.syncs.settled()
    assert.ok((await stateOf(hosted)).entities.every(({ complete }: { complete: boolean }) => complete))
  })

  it('leaves no copy behind when the change that switched it off was cut and is made again', async (t) => {
    const hosted = await start(t)
    await hosted.server.service.syncs.settled()
    const copied = async () => (await stateOf(hosted)).entities.some(({ records }: { records: number }) => records > 0)
    const { copies } = hosted.server.service.store
    const { remove } = copies
    Object.assign(copies, { remove: () => Promise.reject(new Error('cut')) })
    const token = await tokenOf(hosted)
    const off = { token, body: { sync: { enabled: false } } }
    isProblem(await hosted.call('PATCH', `${connectors}/${hosted.connector}`, off), 'internal')
    assert.equal(await copied(), true)
    Object.assign(copies, { remove })
    await patch(hosted, { enabled: false })
    assert.equal(await copied(), false)
  })

  it('ends so on another node too', async (t) => {
    const { hosted, gate } = await startRunning(t)
    const other = await start(t, { folder: hosted.folder, clock: hosted.clock, serve: { syncs: false } })
    await patch(other, { enabled: false }, hosted.connector)
    gate.open()
    await hosted.server.service.syncs.settled()
    assert.match(hosted.log(), /a sync was lost to another node/)
    for (const { records, status } of (await stateOf(other, hosted.connector)).entities)
      assert.deepEqual([records, status], [0, 'waiting'])
  })

  it('is the same one after a change of credentials, which it goes on with', async (t) => {
    const { hosted, gate } = await startRunning(t)
    const { run } = await stateOf(hosted)
    const token = await tokenOf(hosted)
    const credentials = hosted.credentials('two')
    const { length } = hosted.received()
    isFine(await hosted.call('PATCH', `${connectors}/${hosted.connector}`, { token, body: { credentials } }))
    assert.equal((await stateOf(hosted)).run.id, run.id)
    gate.open()
    await hosted.server.service.syncs.settled()
    // Only what was on its way already.
    const since = hosted.received().slice(length)
    const old = since.filter(({ headers }) => headers.authorization === `Bearer ${hosted.credentials('one').token}`)
    assert.ok(since.length > 10 && old.length <= 2, `${old.length} of ${since.length}`)
    assert.equal(begun(hosted).length, 1)
    assert.equal(hosted.received().filter(({ path }) => path.endsWith('/workspaces')).length, 1)
  })

  it('goes on when the interval changes, which counts from its end', async (t) => {
    const { hosted, gate } = await startRunning(t)
    const { run } = await stateOf(hosted)
    await patch(hosted, { interval_seconds: 86_400 })
    const { run: after, interval_seconds: seconds } = await stateOf(hosted)
    assert.deepEqual([after.id, seconds], [run.id, 86_400])
    gate.open()
    await hosted.server.service.syncs.settled()
    const state = await stateOf(hosted)
    const finished = Date.parse(state.entities[0].last_finished_at)
    assert.ok(Date.parse(state.next_due_at) - finished >= 24 * hour * 0.9)
    await pass(hosted, 2 * hour)
    assert.equal(begun(hosted).length, 1)
    await patch(hosted, { interval_seconds: 3600 })
    await pass(hosted, 0)
    assert.equal(begun(hosted).length, 2)
  })
})

describe('the progress of a pass', () => {
  it('tells how many records there will be once the system has told, and goes on where it was cut', async (t) => {
    const gate = new Gate()
    t.after(() => gate.open())
    const openStore = openStoreWith(() => gate.pass())
    const hosted = await start(t, { serve: { syncs: false, openStore }, simulators: { scale: 60 } })
    const id = await hosted.connect(hosted.systems.describe().gong!.credentials[0]!, hosted.ann, 'gong')
    const sync = async () =>
      hosted.call('POST', `${connectors}/${id}/sync`, { token: await tokenOf(hosted), body: { entities: ['users'] } })
    const users = async () =>
      (await stateOf(hosted, id)).entities.find(({ entity }: { entity: string }) => entity === 'users')
    async function toldBehindOnePage() {
      const held = gate.hold(1)
      await sync()
      await held
      const { progress, status } = await users()
      assert.equal(status, 'running')
      return progress
    }
    const first = await toldBehindOnePage()
    assert.deepEqual([first.parts_done, first.parts, first.records], [0, 1, 100])
    assert.ok(first.records < first.total)
    gate.open()
    await hosted.server.service.syncs.settled()
    const whole = await users()
    assert.deepEqual([whole.progress, whole.records], [null, first.total])

    const effect = { type: 'status', status: 500 } as const
    hosted.systems.faults.add({ kind: 'gong', path: '/v2/users$', query: 'cursor', times: 'always', effect })
    await sync()
    await hosted.server.service.syncs.settled()
    assert.equal((await users()).status, 'failed')
    hosted.systems.faults.clear()
    const second = await toldBehindOnePage()
    assert.deepEqual([second.records, second.total], [200, first.total])
  })

  it('counts the parents that are done', async (t) => {
    const told: { parts_done: number; parts: number | null }[] = []
    const clock = skippingClock()
    const openStore = openStoreWith(async () => {
      clock.advance(1000)
      for (const { progress } of (await stateOf(hosted)).entities) if (progress !== null) told.push(progress)
    })
    const hosted: Hosted = await start(t, { clock, serve: { syncs: false, openStore } })
    const token = await tokenOf(hosted)
    await hosted.call('POST', `${connectors}/${hosted.connector}/sync`, { token, body: {} })
    await hosted.server.service.syncs.settled()
    for (const { parts_done: done, parts } of told)
      assert.ok(parts === null || done <= parts, JSON.stringify({ done, parts }))
    assert.ok(told.some(({ parts_done: done, parts }) => done > 0 && parts !== null && parts > 1))
  })
})
