/** What systems answer instead of records: what a sync makes of it, and that the copy loses nothing by it. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import type { Effect } from '../../src/simulator/fault-effects.ts'
import { drawn } from '../drawn.ts'
import type { HostedOptions } from '../hosted.ts'
import { type CopiedKind, type Synced, startSynced } from './synced.ts'

async function synced(t: TestContext, kind: CopiedKind = 'asana', options: HostedOptions = {}): Promise<Synced> {
  const made = await startSynced(kind, { ...options, simulators: { scale: 60, ...options.simulators } })
  t.after(() => made.close())
  return made
}

describe('a refusal', () => {
  it('of a period without calls means an empty one', async (t) => {
    const it = await synced(t, 'gong', { simulators: { scale: 10 } })
    const nothing = JSON.stringify({ requestId: 'x', errors: ['No calls found corresponding to the provided filters'] })
    for (const path of ['/v2/calls$', '/v2/calls/extensive$'])
      it.hosted.systems.faults.add({
        kind: 'gong',
        path,
        skip: 1,
        effect: { type: 'body', status: 404, body: nothing },
      })
    const { entities } = await it.sync({ entities: ['calls', 'calls_extensive'] })
    for (const { entity, last_error: error, complete } of entities)
      if (entity.startsWith('calls')) assert.deepEqual([error, complete], [null, true])
    assert.equal(it.hosted.received().filter(({ status }) => status === 404).length, 2)
  })

  for (const words of [
    'Company has no access to scorecards',
    'Workspace not found',
    'no Route matched with those values',
  ])
    it(`of a list in words that do not say "none" leaves the copy as it was: ${words}`, async (t) => {
      const it = await synced(t, 'gong', { simulators: { scale: 10 } })
      const entities = ['stats_activity_scorecards', 'settings_scorecards']
      await it.sync({ entities })
      const before = await Promise.all(entities.map((entity) => it.copy(entity)))
      assert.ok(before.every(({ size }) => size > 0))
      const body = { requestId: 'x', errors: [words] }
      for (const path of ['/v2/stats/activity/scorecards$', '/v2/settings/scorecards$'])
        it.hosted.systems.faults.add({
          kind: 'gong',
          path,
          times: 'always',
          effect: { type: 'status', status: 404, body },
        })
      for (let pass = 0; pass < 2; pass++) await it.sync({ entities, full: true })
      for (const entity of entities) {
        const { status, complete, last_error: error } = await it.state(entity)
        assert.deepEqual([status, complete], ['failed', false], entity)
        const code = /no access/.test(words) ? 'upstream_forbidden' : 'upstream_invalid_response'
        assert.equal(error.code, code)
        assert.match(error.detail, new RegExp(words))
      }
      assert.deepEqual(await Promise.all(entities.map((entity) => it.copy(entity))), before)
    })

  it('that echoes a credential, whoever’s, leaves it nowhere', async (t) => {
    const it = await synced(t)
    const said = 'failed at /users?access_token=SOMEBODYS&after=A with {"client_secret":"ANOTHERS"}'
    it.hosted.fault(
      { type: 'status', status: 500, body: { errors: [{ message: said }] } },
      { path: '/users$', times: 'always' },
    )
    await it.sync({ entities: ['workspaces', 'users'] })
    const { last_error: error } = await it.state('users')
    assert.match(error.detail, /access_token=•••&after=A with {"client_secret":"•••"}/)
    const { workspace } = it.hosted.at
    const { text } = await it.hosted.execute('users', 'list', { workspace })
    const database = readFileSync(join(it.hosted.folder, 'conex.db'), 'latin1')
    const journal = readFileSync(join(it.hosted.folder, 'conex.db-wal'), 'latin1')
    for (const place of [text, it.hosted.log(), database, journal]) assert.doesNotMatch(place, /SOMEBODYS|ANOTHERS/)
  })

  it('for a missing scope stops that entity alone, and names it', async (t) => {
    const it = await synced(t, 'gong', { simulators: { scale: 10 } })
    await it.sync()
    const before = (await it.copy('calls_extensive')).size
    it.hosted.systems.change('gong', { change: 'scopes', missing: ['api:calls:read:extensive'] })
    it.hosted.clock.advance(60_000)
    const since = it.hosted.clock.now()
    const { entities } = await it.sync({ full: true })
    for (const { entity, status, synced_at, last_error: error } of entities)
      if (entity === 'calls_extensive') {
        assert.deepEqual([status, error.code], ['failed', 'upstream_forbidden'])
        assert.match(error.detail, /api:calls:read:extensive/)
      } else assert.deepEqual([status, Date.parse(synced_at) >= since], ['finished', true], entity)
    assert.equal((await it.copy('calls_extensive')).size, before)
    assert.equal((await it.call('GET')).body.status, 'active')
  })

  it('of one parent leaves it out and tells so, and keeps what the copy has of it', async (t) => {
    const it = await synced(t)
    const { hosted } = it
    await it.sync({ entities: ['workspaces', 'projects', 'users', 'tasks'] })
    const project = hosted.at.project!
    const inside = [...(await it.copy('tasks')).values()].filter(({ projects }) => projects[0]?.gid === project).length
    assert.ok(inside > 0)
    for (const status of [402, 403, 404]) {
      hosted.calm()
      hosted.fault({ type: 'status', status }, { path: '/tasks$', query: `project=${project}`, times: 'always' })
      for (let pass = 0; pass < 2; pass++) await it.sync({ entities: ['tasks'], full: true })
      const state = await it.state('tasks')
      assert.equal(state.status, 'finished')
      assert.deepEqual(
        state.skipped.map(({ parent }: { parent: string }) => parent),
        [project],
      )
      const kept = [...(await it.copy('tasks')).values()].filter(({ projects }) => projects[0]?.gid === project)
      assert.equal(kept.length, inside)
    }
  })

  it('of one account leaves what the copy has of it, also where no record can be asked for by itself', async (t) => {
    const it = await synced(t, 'facebook-marketing', { simulators: { scale: 10 } })
    const { hosted } = it
    const entities = ['ad_accounts', 'images']
    await it.sync({ entities })
    const before = await it.copy('images')
    const counts = Map.groupBy(before.values(), ({ account_id }) => account_id)
    // So few of all that they could go.
    const [account] = [...counts].sort(([, one], [, other]) => one.length - other.length)[0]!
    const body = { error: { message: '(#200) No access to this account', type: 'OAuthException', code: 200 } }
    const effect = { type: 'status', status: 403, body } as const
    const path = `/act_${account}/adimages$`
    hosted.systems.faults.add({ kind: 'facebook-marketing', path, times: 'always', effect })
    for (let pass = 0; pass < 3; pass++) await it.sync({ entities, full: true })
    const { status, skipped } = await it.state('images')
    assert.deepEqual([status, skipped.length], ['finished', 1])
    assert.deepEqual(await it.copy('images'), before)
  })

  it('of credentials that were revoked ends the run, and nothing is asked for until there are new ones', async (t) => {
    const it = await synced(t, 'facebook-marketing', {
      serve: { syncs: true },
      settings: { syncEnabled: false },
      simulators: { scale: 10 },
    })
    const { hosted } = it
    const { syncs } = hosted.server.service
    await it.startDaysAgo(7)
    await it.call('PATCH', { sync: { enabled: true } })
    await syncs.settled()
    const token = hosted.systems.describe()['facebook-marketing']!.credentials[0]!
    hosted.systems.change('facebook-marketing', { change: 'break_token', token: token.access_token, subcode: 460 })
    hosted.clock.advance(2 * 3600_000)
    hosted.calm()
    await it.sync({ full: true })
    const ofKind = () => hosted.received().filter(({ path }) => path.startsWith('/facebook-marketing')).length
    assert.equal(ofKind(), 1)
    assert.equal((await it.call('GET')).body.status, 'reauthorization_required')
    const { next_due_at: next, entities } = await it.state()
    assert.deepEqual(
      new Set([next, ...entities.map(({ next_due_at }: { next_due_at: unknown }) => next_due_at)]),
      new Set([null]),
    )
    for (let round = 0; round < 2; round++) {
      hosted.clock.advance(2 * 3600_000)
      await syncs.look()
      await syncs.settled()
    }
    assert.equal(ofKind(), 1)
    const found = await it.search('campaigns', { query: {}, limit: 1 })
    assert.equal(found.body.result.hits.length, 1)
    assert.ok(found.body.connector_metadata.age_seconds > 3600)
    const credentials = hosted.systems.describe()['facebook-marketing']!.credentials[1]!
    await it.call('PATCH', { credentials })
    await syncs.settled()
    assert.equal((await it.call('GET')).body.status, 'active')
    assert.ok(ofKind() > 10)
  })

  it('for a permission that is missing is the same where a system says it of each account', async (t) => {
    const it = await synced(t, 'facebook-marketing', { simulators: { scale: 10 } })
    const wanted = { entities: ['ad_accounts', 'campaigns', 'images'] }
    await it.sync(wanted)
    const before = (await it.copy('campaigns')).size
    const synced_at = (await it.state('campaigns')).synced_at
    it.hosted.calm()
    for (const code of [200, 10]) {
      it.hosted.clock.advance(60_000)
      const body = { error: { message: `(#${code}) Requires ads_read permission`, type: 'OAuthException', code } }
      const effect = { type: 'status', status: 403, body } as const
      it.hosted.systems.faults.add({ kind: 'facebook-marketing', path: '/campaigns$', times: 'always', effect })
      const { entities } = await it.sync(wanted)
      const state = (name: string) => entities.find(({ entity }: { entity: string }) => entity === name)
      const { status, last_error: error } = state('campaigns')
      assert.deepEqual([status, error.code, state('images').status], ['failed', 'upstream_forbidden', 'finished'])
      assert.match(error.detail, /ads_read/)
      // How old the copy is can be seen.
      assert.equal(state('campaigns').synced_at, synced_at)
      assert.equal((await it.copy('campaigns')).size, before)
      assert.equal((await it.call('GET')).body.status, 'active')
      it.hosted.calm()
    }
  })

  it('of fields that need a paid plan leaves those empty and tells so, and copies the rest', async (t) => {
    const it = await synced(t)
    it.hosted.fault({ type: 'status', status: 402 }, { path: '/tasks$', query: 'dependencies', times: 'always' })
    await it.sync({ entities: ['workspaces', 'projects', 'users', 'tags', 'tasks'] })
    const { status, complete, warnings } = await it.state('tasks')
    assert.deepEqual([status, complete], ['finished', true])
    assert.deepEqual(warnings.map((warning: string) => warning.split(' ')[0]).toSorted(), [
      'dependencies',
      'dependents',
    ])
    const tasks = [...(await it.copy('tasks')).values()]
    assert.ok(tasks.length > 50)
    for (const { name, dependencies } of tasks.filter(({ parent }) => parent === null))
      assert.deepEqual([typeof name, dependencies], ['string', null])
    assert.equal((await it.call('GET')).body.status, 'active')
  })
})

/** What is no list of records, though it comes under status 200 or begins like one. */
const noAnswers: Readonly<
  Record<string, { kind: CopiedKind; of: string; path: string; effect: Effect; code: string }>
> = {
  'an error of Asana’s under status 200': {
    kind: 'asana',
    of: 'projects',
    path: '/projects$',
    code: 'upstream_error',
    effect: { type: 'body', body: '{"errors":[{"message":"Server trouble."}]}' },
  },
  'an error of Meta’s under status 200': {
    kind: 'facebook-marketing',
    of: 'images',
    path: '/adimages$',
    code: 'upstream_error',
    effect: { type: 'body', body: '{"error":{"message":"Try again.","code":2,"is_transient":true}}' },
  },
  'an error of Gong’s under status 200': {
    kind: 'gong',
    of: 'users',
    path: '/v2/users$',
    code: 'upstream_error',
    effect: { type: 'body', body: '{"requestId":"x","errors":["boom"]}' },
  },
  'an error of Slack’s under status 200': {
    ...{ kind: 'slack', of: 'users', path: '/users.list$', code: 'upstream_error' },
    effect: { type: 'body', body: '{"ok":false,"error":"internal_error"}' },
  },
  'an answer of Slack’s without its list': {
    ...{ kind: 'slack', of: 'files', path: '/files.list$', code: 'upstream_invalid_response' },
    effect: { type: 'body', body: '{"ok":true}' },
  },
  'an error of HubSpot’s under status 200': {
    ...{ kind: 'hubspot', of: 'owners', path: '/crm/v3/owners$', code: 'upstream_invalid_response' },
    effect: { type: 'body', body: '{"status":"error","message":"Trouble."}' },
  },
  'an answer without its list': {
    kind: 'gong',
    of: 'settings_scorecards',
    path: '/scorecards$',
    code: 'upstream_invalid_response',
    effect: { type: 'body', body: '{"requestId":"x"}' },
  },
  'a page cut behind what looks like a whole one': {
    kind: 'asana',
    of: 'projects',
    path: '/projects$',
    code: 'upstream_invalid_response',
    effect: { type: 'body', body: '{"data":[{"gid":"1","name":"Cut"}]' },
  },
  'a page whose end never comes': {
    kind: 'asana',
    of: 'projects',
    path: '/projects$',
    code: 'upstream_invalid_response',
    effect: { type: 'cut', as: 'length', bytes: 200 },
  },
  'a page far larger than agreed': {
    kind: 'asana',
    of: 'projects',
    path: '/projects$',
    code: 'upstream_invalid_response',
    effect: { type: 'huge', records: 200_000 },
  },
  'a sign-in page': {
    kind: 'facebook-marketing',
    of: 'images',
    path: '/adimages$',
    code: 'upstream_invalid_response',
    effect: { type: 'html', status: 200 },
  },
}

describe('what is no answer', () => {
  it('leaves what stood before it in the copy, and the next sync goes on at that page', async (t) => {
    const it = await synced(t)
    const { hosted } = it
    hosted.systems.change('asana', { change: 'create', what: 'project', count: 250, name: 'Many' })
    for (const effect of [{ type: 'cut' }, { type: 'body', body: '{}' }] as const) {
      hosted.calm()
      hosted.fault(effect, { path: '/projects$', query: 'offset', times: 'always' })
      await it.sync({ entities: ['workspaces', 'projects'], full: true })
      const { status, records, last_error: error } = await it.state('projects')
      assert.deepEqual([status, records, error.code], ['failed', 100, 'upstream_invalid_response'])
    }
    hosted.calm()
    await it.sync({ entities: ['projects'] })
    const asked = hosted.received().filter(({ path }) => path.endsWith('/projects'))
    assert.ok(asked.length >= 2 && asked.every(({ query }) => query.includes('offset=')))
    assert.equal((await it.state('projects')).complete, true)
    await it.isTrueOf(['projects'])
  })

  it('among subtasks costs none of them: the page above them is read again', async (t) => {
    const it = await synced(t)
    await it.sync({ entities: ['workspaces', 'projects', 'users', 'tags'] })
    // Of nobody and without a tag, so that no other list gives them.
    for (const parent of [...(await it.truth()).tasks!.keys()].slice(0, 30))
      it.hosted.systems.change('asana', { change: 'subtask', parent, name: 'Below' })
    it.hosted.fault({ type: 'cut' }, { path: '/subtasks$', skip: 2, times: 'always' })
    await it.sync({ entities: ['tasks'] })
    assert.equal((await it.state('tasks')).status, 'failed')
    it.hosted.calm()
    await it.sync({ entities: ['tasks'] })
    assert.equal((await it.state('tasks')).complete, true)
    await it.isTrueOf(['tasks'])
  })

  it('of one task’s subtasks, however often it fails, is named and costs no other; of all of them, it fails the sync', async (t) => {
    const it = await synced(t)
    const entities = ['workspaces', 'projects', 'users', 'tags', 'tasks']
    await it.sync({ entities })
    const parents = [...(await it.truth()).tasks!.keys()].slice(0, 8)
    const below = parents.map((parent) => {
      const made = it.hosted.systems.change('asana', { change: 'subtask', parent, name: 'Below' }) as { gid: string }
      return made.gid
    })
    await it.sync({ entities: ['tasks'], full: true })
    const trouble = { type: 'status', status: 500 } as const
    it.hosted.fault(trouble, { path: `/tasks/${parents[0]}/subtasks$`, times: 'always' })
    for (let pass = 0; pass < 3; pass++) await it.sync({ entities: ['tasks'], full: true })
    const { status, complete, skipped } = await it.state('tasks')
    assert.deepEqual([status, complete, skipped.length, skipped[0].parent], ['finished', false, 1, parents[0]])
    const copy = await it.copy('tasks')
    assert.ok(below.every((gid) => copy.has(gid)))
    it.hosted.fault(trouble, { path: '/subtasks$', times: 'always' })
    await it.sync({ entities: ['tasks'], full: true })
    assert.deepEqual([(await it.state('tasks')).status, (await it.copy('tasks')).size], ['failed', copy.size])
    it.hosted.calm()
    for (let pass = 0; pass < 2; pass++) await it.sync({ entities: ['tasks'], full: true })
    assert.equal((await it.state('tasks')).complete, true)
  })

  it('of parents is told of what belongs to them too, which is not whole before they are', async (t) => {
    const it = await synced(t)
    const { hosted } = it
    const entities = ['workspaces', 'projects', 'sections']
    hosted.systems.change('asana', { change: 'create', what: 'project', count: 120, name: 'Many' })
    hosted.fault({ type: 'cut' }, { path: '/projects$', query: 'offset', times: 'always' })
    await it.sync({ entities })
    const { status, complete, last_error: error } = await it.state('sections')
    assert.deepEqual([status, complete, error.code], ['failed', false, 'upstream_invalid_response'])
    assert.match(error.detail, /^Not all projects could be read/)
    hosted.calm()
    await it.sync({ entities })
    assert.equal((await it.state('sections')).complete, true)
    await it.isTrueOf(['sections'])
  })

  for (const [name, { kind, of, path, effect, code }] of drawn(4, Object.entries(noAnswers)))
    it(`takes nothing out of a copy and puts nothing in: ${name}`, async (t) => {
      const it = await synced(t, kind, { simulators: { scale: kind === 'asana' ? 60 : 10 } })
      const entities = {
        asana: ['workspaces', 'users'],
        'facebook-marketing': ['ad_accounts', 'videos'],
        gong: ['users'],
        hubspot: ['owners', 'schemas'],
        slack: ['users', 'channels'],
      }
      const others = entities[kind].filter((entity) => entity !== of)
      await it.sync({ entities: [...others, of] })
      const before = await it.copy(of)
      assert.ok(before.size > 3)
      it.hosted.systems.faults.add({ kind, path, effect, times: 'always' })
      for (let pass = 0; pass < 2; pass++) await it.sync({ entities: [...others, of], full: true })
      const { status, complete, last_error: error } = await it.state(of)
      assert.deepEqual([status, complete, error.code], ['failed', false, code])
      for (const other of others) assert.equal((await it.state(other)).complete, true, other)
      assert.deepEqual(await it.copy(of), before)
      it.hosted.calm()
      await it.sync({ entities: [of], full: true })
      assert.equal((await it.state(of)).complete, true)
    })
})

describe('a parent that is gone', () => {
  it('leaves nothing out, however many of them the copy still has', async (t) => {
    const it = await synced(t)
    const { hosted } = it
    const made = hosted.systems.change('asana', { change: 'create', what: 'project', name: 'To go' }) as { gid: string }
    hosted.systems.change('asana', { change: 'create', what: 'task', project: made.gid, count: 40, name: 'Below' })
    await it.sync({ entities: ['workspaces', 'projects', 'users', 'tasks', 'attachments'] })
    hosted.systems.change('asana', { change: 'trash', gid: made.gid })
    // What hangs on tasks is asked for before the copy of tasks has been read again.
    await it.sync({ entities: ['attachments'], full: true })
    const { status, complete, skipped } = await it.state('attachments')
    assert.deepEqual([status, complete, skipped], ['finished', true, []])
  })
})
