/** When syncs run, whose come first, and what ends them: through HTTP and what reaches the simulated systems. */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { createClient, createOrganization } from '../src/service/administer.ts'
import type { Effect } from '../src/simulator/fault-effects.ts'
import { connectors, type Hosted, type HostedOptions, isFine, isProblem, startHosted, until } from './hosted.ts'

const hour = 3_600_000

async function start(t: TestContext, options: HostedOptions = {}): Promise<Hosted> {
  const hosted = await startHosted({
    ...options,
    serve: { syncs: true, ...options.serve },
    simulators: { scale: 60, ...options.simulators },
  })
  t.after(() => hosted.close())
  return hosted
}

const tokenOf = async (hosted: Hosted, user?: string): Promise<string> => (await hosted.server.issueToken(user)).token

/** The state of a copy as a caller is told it. */
async function stateOf(hosted: Hosted, id = hosted.connector) {
  return isFine(await hosted.call('GET', `${connectors}/${id}/sync`, { token: await tokenOf(hosted) }))
}

const patch = async (hosted: Hosted, sync: object, id = hosted.connector) =>
  isFine(await hosted.call('PATCH', `${connectors}/${id}`, { token: await tokenOf(hosted), body: { sync } }))

async function pass(hosted: Hosted, milliseconds: number): Promise<void> {
  const { syncs } = hosted.server.service
  hosted.clock.advance(milliseconds)
  await syncs.look()
  await syncs.settled()
}

/** The connectors whose syncs began, in that order. */
const begun = (hosted: Hosted): string[] =>
  [...hosted.log().matchAll(/"connector_id":"([^"]+)"[^\n]*"msg":"a sync starts"/g)].map(([, id]) => id!)

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
    for (let more = 0; more < 3; more++) ids.push(await hosted.connect(hosted.credentials('one')))
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
    for (let failure = 0; failure < 12; failure++) {
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
    for (let more = 0; more < 5; more++) ids.push(await hosted.connect(hosted.credentials('one')))
    const statuses = await Promise.all(ids.map(async (id) => (await stateOf(hosted, id)).run?.status))
    assert.ok(statuses.includes('queued'), String(statuses))
    await hosted.server.service.syncs.settled()
    const seen: number[] = []
    for (const [, what] of hosted.log().matchAll(/"msg":"a sync (begins|ended)"/g))
      seen.push((seen.at(-1) ?? 0) + (what === 'begins' ? 1 : -1))
    assert.equal(seen.length, 2 * ids.length)
    assert.equal(Math.max(...seen), 2)
  })

  it('are taken in turns from organizations and their end users, however many connectors each has', async (t) => {
    const hosted = await start(t, { settings: { syncsAtOnce: 1, syncEnabled: true } })
    const { service } = hosted.server
    const many = [hosted.connector]
    for (let more = 0; more < 8; more++) many.push(await hosted.connect(hosted.credentials('one')))
    const bea = await hosted.connect(hosted.credentials('one'), await tokenOf(hosted, 'bea'))
    const { organization_id: second } = await createOrganization(service, 'second')
    const body = await createClient(service, second, 'program')
    const { access_token: token } = (await hosted.call('POST', '/api/v1/account/applications/token', { body })).body
    const made = await hosted.call('POST', connectors, {
      token,
      body: { external_user_id: 'eve', connector_type: 'asana', name: 'x', credentials: hosted.credentials('one') },
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

describe('a running sync', () => {
  /** Waits until the sync of a connector is well under way. */
  const running = async (hosted: Hosted): Promise<void> => {
    await until(() => hosted.received().filter(({ path }) => path.endsWith('/tasks')).length > 3)
    assert.equal((await stateOf(hosted)).run.status, 'running')
  }
  /** Judges that nothing is asked of the system any more. */
  async function isOver(hosted: Hosted): Promise<void> {
    const { length } = hosted.received()
    await pass(hosted, 0)
    assert.equal(hosted.received().length, length)
    assert.doesNotMatch(hosted.log(), /a sync failed|a sync ended early|a sync was lost/)
  }

  it('ends when its connector is deleted, and the copy goes', async (t) => {
    const hosted = await start(t)
    await running(hosted)
    const token = await tokenOf(hosted)
    assert.equal((await hosted.call('DELETE', `${connectors}/${hosted.connector}`, { token })).status, 204)
    await isOver(hosted)
    isProblem(await hosted.call('GET', `${connectors}/${hosted.connector}/sync`, { token }), 'not_found')
    assert.equal(await hosted.server.service.store.copies.purge(1), 0)
  })

  it('ends when its end user is deleted, as do those that wait', async (t) => {
    const hosted = await start(t, { settings: { syncsAtOnce: 1 } })
    for (let more = 0; more < 3; more++) await hosted.connect(hosted.credentials('one'))
    await running(hosted)
    const token = await tokenOf(hosted)
    const deleted = await hosted.call('DELETE', '/v1/integrations/end-users/ann', { token })
    assert.equal(isFine(deleted).connectors_deleted, 4)
    await isOver(hosted)
    assert.equal(begun(hosted).length, 1)
  })

  it('ends when no copy is to be kept any more, and begins anew when one is', async (t) => {
    const hosted = await start(t)
    await running(hosted)
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
    const hosted = await start(t)
    const other = await start(t, { folder: hosted.folder, clock: hosted.clock, serve: { syncs: false } })
    await running(hosted)
    await patch(other, { enabled: false }, hosted.connector)
    await hosted.server.service.syncs.settled()
    assert.match(hosted.log(), /a sync was lost to another node/)
    for (const { records, status } of (await stateOf(other, hosted.connector)).entities)
      assert.deepEqual([records, status], [0, 'waiting'])
  })

  it('is the same one after a change of credentials, which it goes on with', async (t) => {
    const hosted = await start(t)
    await running(hosted)
    const { run } = await stateOf(hosted)
    const token = await tokenOf(hosted)
    const credentials = hosted.credentials('two')
    const { length } = hosted.received()
    isFine(await hosted.call('PATCH', `${connectors}/${hosted.connector}`, { token, body: { credentials } }))
    assert.equal((await stateOf(hosted)).run.id, run.id)
    await hosted.server.service.syncs.settled()
    // Only what was on its way already.
    const since = hosted.received().slice(length)
    const old = since.filter(({ headers }) => headers.authorization === `Bearer ${hosted.credentials('one').token}`)
    assert.ok(since.length > 10 && old.length <= 2, `${old.length} of ${since.length}`)
    assert.equal(begun(hosted).length, 1)
    assert.equal(hosted.received().filter(({ path }) => path.endsWith('/workspaces')).length, 1)
  })

  it('goes on when the interval changes, which counts from its end', async (t) => {
    const hosted = await start(t)
    await running(hosted)
    const { run } = await stateOf(hosted)
    await patch(hosted, { interval_seconds: 86_400 })
    const { run: after, interval_seconds: seconds } = await stateOf(hosted)
    assert.deepEqual([after.id, seconds], [run.id, 86_400])
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
    const hosted = await start(t, { serve: { syncs: false } })
    const id = await hosted.connect(hosted.systems.describe().gong!.credentials[0]!, hosted.ann, 'gong')
    const onUsers = (effect: Effect, query?: string) =>
      hosted.systems.faults.add({ kind: 'gong', path: '/v2/users$', times: 'always', effect, ...(query && { query }) })
    const sync = async () =>
      hosted.call('POST', `${connectors}/${id}/sync`, { token: await tokenOf(hosted), body: { entities: ['users'] } })
    const users = async () =>
      (await stateOf(hosted, id)).entities.find(({ entity }: { entity: string }) => entity === 'users')
    /** Pages come slowly enough to be told one by one. */
    async function toldOnTheWay() {
      onUsers({ type: 'delay', delay_ms: 1100 })
      await sync()
      for (;;) {
        const { progress, status } = await users()
        if (progress !== null && status === 'running') return progress
      }
    }
    const first = await toldOnTheWay()
    assert.deepEqual([first.parts_done, first.parts], [0, 1])
    assert.ok(first.records >= 100 && first.records < first.total)
    await hosted.server.service.syncs.settled()
    const whole = await users()
    assert.deepEqual([whole.progress, whole.records], [null, first.total])

    hosted.systems.faults.clear()
    onUsers({ type: 'status', status: 500 }, 'cursor')
    await sync()
    await hosted.server.service.syncs.settled()
    assert.equal((await users()).status, 'failed')
    hosted.systems.faults.clear()
    const second = await toldOnTheWay()
    assert.ok(second.records >= 200, String(second.records))
    assert.equal(second.total, first.total)
  })

  it('counts the parents that are done', async (t) => {
    const hosted = await start(t, { serve: { syncs: false } })
    const token = await tokenOf(hosted)
    const path = `${connectors}/${hosted.connector}/sync`
    await hosted.call('POST', path, { token, body: {} })
    let last = { parts_done: 0, parts: null as number | null }
    for (let run: unknown = true; run !== null; ) {
      const state = isFine(await hosted.call('GET', path, { token }))
      run = state.run
      for (const { progress } of state.entities) {
        if (progress === null) continue
        assert.ok(progress.parts === null || progress.parts_done <= progress.parts, JSON.stringify(progress))
        last = progress
      }
      hosted.clock.advance(1000)
    }
    assert.ok(last.parts_done > 0 && last.parts !== null && last.parts > 1, JSON.stringify(last))
  })
})
