/** What users of other connectors met, and must not meet here. */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { type HostedOptions, isProblem, until } from '../hosted.ts'
import { type Kind, type Synced, startSynced } from './synced.ts'

async function synced(t: TestContext, kind: Kind = 'asana', options: HostedOptions = {}): Promise<Synced> {
  const made = await startSynced(kind, { ...options, simulators: { scale: 60, ...options.simulators } })
  t.after(() => made.close())
  return made
}

const requestsTo = ({ hosted }: Synced, path: string, query = '') =>
  hosted.received().filter((request) => request.path.endsWith(path) && request.query.includes(query))

const projects = { entities: ['projects'], full: true }
const make = ({ hosted }: Synced, what: string, more: object = {}) =>
  hosted.systems.change('asana', { change: 'create', what, ...more }) as { gid: string; gids: string[] }

describe('deletion', () => {
  it('never follows half a pass: what was not met stays, and the copy says that it is not whole', async (t) => {
    const it = await synced(t)
    const { hosted } = it
    make(it, 'project', { count: 250, name: 'Many' })
    const { entities } = await it.sync({ entities: ['workspaces', 'projects'] })
    assert.ok(entities.find(({ entity }: { entity: string }) => entity === 'projects').complete)
    const all = (await it.copy('projects')).size
    assert.ok(all > 250)

    hosted.fault({ type: 'status', status: 500 }, { path: '/projects$', query: 'offset', times: 'always' })
    await it.sync(projects)
    let state = await it.state('projects')
    assert.deepEqual([state.status, state.complete, state.last_error.code], ['failed', false, 'upstream_error'])
    assert.equal((await it.copy('projects')).size, all)

    hosted.calm()
    hosted.fault({ type: 'status', status: 401 }, { path: '/projects$', times: 'always' })
    await it.sync(projects)
    state = await it.state('projects')
    assert.deepEqual([state.complete, state.last_error.code], [false, 'reauthorization_required'])
    assert.equal((await it.copy('projects')).size, all)

    hosted.calm()
    await it.sync(projects)
    assert.equal((await it.state('projects')).complete, true)
    assert.equal((await it.copy('projects')).size, all)
  })

  it('is told from a record that slipped between two pages', async (t) => {
    const it = await synced(t)
    const { hosted } = it
    make(it, 'project', { count: 120, name: 'In a row' })
    await it.sync({ entities: ['workspaces', 'projects'] })
    const ids = [...(await it.truth()).projects!.keys()]
    hosted.calm()
    // One of the first page went before the second one was asked for, so that the first row of that one moved up.
    const rest = JSON.stringify({ data: ids.slice(101).map((gid) => ({ gid, name: 'In a row' })), next_page: null })
    hosted.fault({ type: 'body', status: 200, body: rest }, { path: '/projects$', query: 'offset' })
    await it.sync(projects)
    assert.equal((await it.copy('projects')).size, ids.length)
    // It was asked for by itself.
    const single = hosted.received().filter(({ path }) => /\/projects\/\d+$/.test(path))
    assert.deepEqual(
      single.map(({ path }) => path.split('/').at(-1)),
      [ids[100]],
    )
    hosted.systems.change('asana', { change: 'trash', gid: ids[5]! })
    await it.sync(projects)
    const last = await it.copy('projects')
    assert.equal(last.size, ids.length - 1)
    assert.ok(!last.has(ids[5]!))
  })

  it('there is deletion here by the end of a full pass, of what hung on it too', async (t) => {
    const it = await synced(t)
    const { hosted } = it
    const project = make(it, 'project', { name: 'To go' }).gid
    const tasks = make(it, 'task', { project, count: 20, name: 'Below' }).gids
    for (const name of ['One', 'Two']) make(it, 'section', { project, name })
    await it.sync()
    const truth = await it.truth()
    const [attachment] = truth.attachments!.keys()
    const user = make(it, 'user', { name: 'Leaver', email: 'leaver@northpass.example' }).gid
    const lone = [...truth.tasks!.keys()].find((gid) => !tasks.includes(gid))!
    await it.sync()
    assert.ok((await it.copy('users')).has(user))
    for (const gid of [project, attachment!, lone, user]) hosted.systems.change('asana', { change: 'trash', gid })
    hosted.clock.advance(600_000)
    await it.sync()
    await it.sync({ full: true })
    for (const [entity, gids] of Object.entries({
      projects: [project],
      tasks: [...tasks, lone],
      attachments: [attachment!],
      users: [user],
    })) {
      const copy = await it.copy(entity)
      assert.deepEqual(
        gids.filter((gid) => copy.has(gid)),
        [],
        entity,
      )
      assert.equal((await it.state(entity)).records, copy.size, entity)
    }
    isProblem(await hosted.execute('tasks', 'get', { task_gid: tasks[0] }), 'record_not_found')
    await it.isTrue()
  })

  it('of most of an entity is doubted, not followed', async (t) => {
    const it = await synced(t)
    const { hosted } = it
    await it.sync({ entities: ['workspaces', 'projects', 'users'] })
    const all = (await it.copy('users')).size
    assert.ok(all >= 20)
    hosted.systems.faults.add({
      kind: 'asana',
      path: '/users$',
      times: 'always',
      effect: { type: 'body', body: '{"data":[],"next_page":null}' },
    })
    for (let pass = 0; pass < 3; pass++) await it.sync({ entities: ['users'], full: true })
    assert.equal((await it.copy('users')).size, all)
    const { status, complete, last_error: error } = await it.state('users')
    assert.deepEqual([status, complete], ['failed', false])
    assert.match(error.detail, /nothing was removed/)
  })
})

describe('paging', () => {
  it('begins a list anew when its page token runs out half-way, and no other', async (t) => {
    const it = await synced(t)
    const { hosted } = it
    const project = make(it, 'project', { name: 'Long' }).gid
    make(it, 'task', { project, count: 250, name: 'Row' })
    await it.sync({ entities: ['workspaces', 'projects', 'users'] })
    hosted.calm()
    const body = '{"errors":[{"message":"offset: Your pagination token has expired."}]}'
    hosted.fault({ type: 'body', status: 400, body }, { path: '/tasks$', query: 'offset=', skip: 1 })
    await it.sync({ entities: ['tasks'] })
    assert.equal((await it.state('tasks')).complete, true)
    const firsts = requestsTo(it, '/tasks').filter(({ query }) => !query.includes('offset='))
    assert.equal(new Set(firsts.map(({ query }) => query)).size, firsts.length - 1)
    await it.isTrueOf(['tasks'])
  })

  it('stops at a cursor that does not advance, keeps what it has, and goes on with other entities', async (t) => {
    const it = await synced(t)
    const { hosted } = it
    const page = {
      data: [{ gid: '1' }, { gid: '2' }],
      next_page: { offset: 'same', path: '/', uri: 'https://x.example/' },
    }
    hosted.fault({ type: 'body', status: 200, body: JSON.stringify(page) }, { path: '/projects$', times: 'always' })
    const { entities } = await it.sync({ entities: ['workspaces', 'projects', 'users'] })
    const [, failed, users] = entities
    const asked = requestsTo(it, '/projects').map(({ query }) => query)
    assert.ok(asked.length <= 3, asked.join('\n'))
    assert.match(failed.last_error.detail, /same page token twice/)
    assert.deepEqual([failed.complete, users.complete], [false, true])
    assert.equal((await it.copy('projects')).size, 2)
  })

  it('reads more equal times of change than a page holds, and ends', async (t) => {
    const it = await synced(t)
    const { hosted } = it
    await it.sync({ entities: ['workspaces', 'projects', 'users', 'tasks'] })
    const project = make(it, 'project', { name: 'Bulk' }).gid
    const now = new Date(hosted.clock.now()).toISOString()
    const { gids } = make(it, 'task', { project, count: 350, name: 'Same', modified_at: now })
    for (let run = 0; run < 2; run++) {
      hosted.calm()
      await it.sync({ entities: ['projects', 'tasks'] })
      assert.equal(requestsTo(it, '/tasks', `project=${project}`).length, 4)
      const copy = await it.copy('tasks')
      assert.ok(gids.every((gid) => copy.has(gid)))
    }
  })
})

describe('the end of a list', () => {
  it('is not an empty page with more to come', async (t) => {
    const it = await synced(t, 'facebook-marketing', { simulators: { scale: 10 } })
    const id = it.hosted.systems.landmarks('facebook-marketing').account!
    const answer = (path: string, body: object): void => {
      const effect = { type: 'body', status: 200, body: JSON.stringify(body) } as const
      it.hosted.systems.faults.add({ kind: 'facebook-marketing', path, effect })
    }
    answer('/me/adaccounts$', { data: [{ id: `act_${id}`, account_id: id }], paging: {} })
    answer('/campaigns$', { data: [], paging: { cursors: { after: 'B' }, next: 'https://graph.example/?after=B' } })
    answer('/campaigns$', { data: [{ id: '71' }, { id: '72' }], paging: { cursors: { after: 'C' } } })
    await it.sync({ entities: ['ad_accounts', 'campaigns'] })
    assert.equal((await it.state('campaigns')).complete, true)
    assert.deepEqual([...(await it.copy('campaigns')).keys()], ['71', '72'])
    const asked = requestsTo(it, '/campaigns').map(({ query }) => new URLSearchParams(query).get('after'))
    assert.deepEqual(asked, [null, 'B'])
  })

  it('is not a page with fewer records than it has room for', async (t) => {
    const it = await synced(t, 'gong', { simulators: { scale: 10 } })
    let id = 0
    for (const [page, size] of [100, 99, 1, 51].entries()) {
      const users = Array.from({ length: size }, () => ({ id: String(++id), emailAddress: `u${id}@x.example` }))
      const records = { totalRecords: 251, currentPageSize: size, currentPageNumber: page }
      const body = JSON.stringify({ users, records: page < 3 ? { ...records, cursor: `page-${page + 1}` } : records })
      it.hosted.systems.faults.add({ kind: 'gong', path: '/v2/users$', effect: { type: 'body', status: 200, body } })
    }
    await it.sync({ entities: ['users'] })
    assert.equal((await it.copy('users')).size, 251)
    const asked = requestsTo(it, '/v2/users').map(({ query }) => new URLSearchParams(query).get('cursor'))
    assert.deepEqual(asked, [null, 'page-1', 'page-2', 'page-3'])
  })
})

describe('figures of ads', () => {
  it('replace what was read before, under the same id', async (t) => {
    const it = await synced(t, 'facebook-marketing', { simulators: { scale: 10 } })
    const { hosted } = it
    const row = (day: string, clicks: number, windows: object = {}) => ({
      account_id: '1015204788120000',
      ad_id: '77',
      date_start: day,
      date_stop: day,
      clicks: String(clicks),
      actions: [{ action_type: 'link_click', value: String(clicks), ...windows }],
    })
    const days = [3, 2, 1].map((back) => new Date(hosted.clock.now() - back * 86_400_000).toISOString().slice(0, 10))
    const answerWith = (rows: object[]): void => {
      hosted.systems.faults.clear()
      hosted.systems.faults.add({
        kind: 'facebook-marketing',
        path: '/insights',
        times: 'always',
        effect: { type: 'body', status: 200, body: JSON.stringify({ data: rows, paging: {} }) },
      })
    }
    answerWith(days.map((day) => row(day, 10)))
    await it.sync({ entities: ['ad_accounts', 'ads_insights'] })
    const before = [...(await it.copy('ads_insights')).keys()]
    assert.deepEqual(before, days.map((day) => `1015204788120000:ad:77:${day}`).sort())
    // The same ad and day twice on a page: the last one counts.
    answerWith([row(days[0]!, 10), row(days[1]!, 11), row(days[1]!, 12, { '1d_click': '4' }), row(days[2]!, 10)])
    await it.sync({ entities: ['ads_insights'] })
    const after = await it.copy('ads_insights')
    assert.deepEqual([...after.keys()], before)
    const changed = after.get(`1015204788120000:ad:77:${days[1]}`)
    assert.equal(changed.clicks, 12)
    assert.equal(changed.actions[0]['1d_click'], 4)
  })
})

describe('two syncs at once', () => {
  it('are one, whoever asks for them, and nothing comes back after a deletion', async (t) => {
    const it = await synced(t, 'asana', { serve: { syncs: true } })
    const { hosted } = it
    await hosted.server.service.syncs.settled()
    hosted.clock.advance(2 * 3600_000)
    hosted.calm()
    const asked = await Promise.all([
      ...Array.from({ length: 10 }, () => it.start({ full: true })),
      hosted.server.service.syncs.look(),
    ])
    const runs = new Set(asked.flatMap((run) => (run ? [run.id] : [])))
    assert.equal(runs.size, 1)
    await hosted.server.service.syncs.settled()
    assert.equal(requestsTo(it, '/workspaces').length, 1)
    assert.equal(requestsTo(it, '/projects').length, 1)

    await it.start({ full: true })
    await until(() => requestsTo(it, '/workspaces').length > 1)
    const gone = await it.call('DELETE')
    assert.equal(gone.status, 204)
    isProblem(await it.search('tasks', { query: {} }), 'not_found')
    await hosted.server.service.syncs.look()
    const states = await hosted.server.service.store.copies.states(
      { organizationId: hosted.server.organizationId, externalUserId: null },
      it.id,
    )
    assert.deepEqual(states, [])
  })
})
