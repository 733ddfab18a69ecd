/** What a search says where there is little or nothing to search: no answer is empty unless the system is. */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { connectors, type HostedOptions, isFine, isProblem } from '../hosted.ts'
import { type CopiedKind, type Synced, startSynced, syncedOn } from './synced.ts'

async function synced(t: TestContext, kind: CopiedKind = 'asana', options: HostedOptions = {}): Promise<Synced> {
  const made = await startSynced(kind, { ...options, simulators: { scale: 10, ...options.simulators } })
  t.after(() => made.close())
  return made
}

const everything = { query: {} }

describe('where nothing has been copied yet', () => {
  it('a search says that the first sync is still to come, and asks the system nothing', async (t) => {
    const on = await synced(t)
    for (const entity of ['tasks', 'projects', 'workspaces', 'users', 'teams', 'attachments', 'tags', 'sections']) {
      const answer = await on.search(entity, everything)
      isProblem(answer, 'search_unavailable')
      assert.equal(
        answer.body.detail,
        `Nothing of ${entity} has been copied yet: the first sync is about to start; try again in a minute.`,
      )
    }
    assert.deepEqual(on.hosted.received(), [])
    isProblem(await on.search('tasks', { query: { filter: { eq: { nme: 'x' } } } }), 'invalid_query')
  })

  it('a search says how far the first sync is', async (t) => {
    const on = await synced(t)
    on.hosted.fault({ type: 'delay', delay_ms: 60_000 }, { path: '/tasks$' })
    await on.start({ entities: ['tasks'] })
    while ((await on.state('projects')).status !== 'finished') await new Promise((resolve) => setImmediate(resolve))
    const answer = await on.search('tasks', everything)
    isProblem(answer, 'search_unavailable')
    assert.match(answer.body.detail, /^Nothing of tasks .* under way, with \d of \d entities finished.* try again/)
    assert.ok(isFine(await on.search('projects', everything)).result.hits.length > 0)
  })

  it('a search says why the first sync of the entity failed, and when it is tried again', async (t) => {
    const on = await synced(t)
    on.hosted.fault({ type: 'status', status: 500 }, { path: '/tags', times: 'always' })
    await on.sync()
    const answer = await on.search('tags', everything)
    isProblem(answer, 'search_unavailable')
    assert.match(answer.body.detail, /^Nothing of tags .*: the last sync of it failed with upstream_error \(.*[^.]\)/)
    const { next_due_at: due } = await on.state('tags')
    assert.match(answer.body.detail, new RegExp(`tried again at ${due}; search again then\\.$`))
    const { connector_metadata: metadata } = isFine(await on.search('projects', everything))
    assert.deepEqual([metadata.complete, metadata.last_error], [true, null])
  })

  it('a search names the permission that the first sync lacked', async (t) => {
    const on = await synced(t, 'gong')
    on.hosted.systems.change('gong', { change: 'scopes', missing: ['api:calls:read:extensive'] })
    await on.sync()
    const answer = await on.search('calls_extensive', everything)
    isProblem(answer, 'search_unavailable')
    assert.match(answer.body.detail, /failed with upstream_forbidden \(.*api:calls:read:extensive/)
    assert.equal(isFine(await on.search('users', everything)).connector_metadata.status, 'active')
  })

  it('a search with dead credentials asks for new ones, and with new ones for patience', async (t) => {
    const on = await synced(t)
    const { hosted } = on
    const id = await hosted.connect({ token: '1/1:0123456789abcdef0123456789abcdef' })
    const dead = syncedOn(hosted, 'asana', id)
    isProblem(await dead.search('tasks', everything), 'search_unavailable')
    await dead.sync()
    const answer = await dead.search('tasks', everything)
    isProblem(answer, 'reauthorization_required')
    assert.match(answer.body.detail, /^Nothing of tasks has been copied yet, and Asana rejects/)
    isFine(await dead.call('PATCH', { credentials: hosted.credentials('one') }))
    isProblem(await dead.search('tasks', everything), 'search_unavailable')
    await dead.sync()
    assert.ok(isFine(await dead.search('tasks', everything)).result.hits.length > 0)
  })

  it('a search of a connector that keeps no copy says so, dead or not', async (t) => {
    const on = await synced(t)
    const { hosted } = on
    const body = {
      connector_type: 'asana',
      name: 'without',
      credentials: { token: '1/1:0123456789abcdef0123456789abcdef' },
      sync: { enabled: false },
    }
    const { id } = (await hosted.call('POST', connectors, { token: hosted.ann, body })).body
    for (let again = 0; again < 2; again++) {
      const answer = await hosted.execute('tasks', 'search', everything, { connector: id })
      isProblem(answer, 'search_unavailable')
      assert.match(answer.body.detail, /keeps no copy/)
      await hosted.call('POST', `${connectors}/${id}/check`, { token: hosted.ann })
    }
  })
})

describe('where something has been copied', () => {
  it('no hits of an entity that is empty are an answer', async (t) => {
    const on = await synced(t)
    const nothing = JSON.stringify({ data: [], next_page: null })
    on.hosted.fault({ type: 'body', status: 200, body: nothing }, { path: '/tags', times: 'always' })
    await on.sync()
    const { result, connector_metadata: metadata } = isFine(await on.search('tags', everything))
    assert.deepEqual([result.hits, result.next_cursor], [[], null])
    const { synced_at, age_seconds, ...rest } = metadata
    assert.ok(Date.parse(synced_at) > 0 && Number.isInteger(age_seconds))
    assert.deepEqual(rest, { complete: true, status: 'active', last_error: null })
  })

  it('hits tell that the connector needs consent again, and the error that its last sync met', async (t) => {
    const on = await synced(t, 'facebook-marketing')
    await on.startDaysAgo(3)
    await on.sync()
    const before = isFine(await on.search('campaigns', everything)).result.hits
    assert.ok(before.length > 0)
    const token = on.hosted.systems.describe()['facebook-marketing']!.credentials[0]!
    on.hosted.systems.change('facebook-marketing', { change: 'break_token', token: token.access_token, subcode: 460 })
    await on.sync({ full: true })
    const { result, connector_metadata: metadata } = isFine(await on.search('ad_accounts', everything))
    assert.ok(result.hits.length > 0)
    assert.deepEqual([metadata.status, metadata.complete], ['reauthorization_required', false])
    const { code, detail, ...rest } = metadata.last_error
    assert.deepEqual([code, rest], ['reauthorization_required', {}])
    assert.match(detail, /^Meta rejects the token/)
    const others = isFine(await on.search('campaigns', everything))
    assert.deepEqual(others.result.hits, before)
    assert.equal(others.connector_metadata.status, 'reauthorization_required')
  })

  it('hits of a first pass that broke off say that it is not complete, and why', async (t) => {
    const on = await synced(t, 'asana', { simulators: { scale: 100 } })
    on.hosted.fault({ type: 'status', status: 500 }, { path: '/tasks$', skip: 2, times: 'always' })
    await on.sync()
    const { result, connector_metadata: metadata } = isFine(await on.search('tasks', everything))
    assert.ok(result.hits.length > 0)
    assert.deepEqual([metadata.synced_at, metadata.age_seconds, metadata.complete], [null, null, false])
    assert.equal(metadata.last_error.code, 'upstream_error')
  })

  it('the time that a search took is a whole number', async (t) => {
    const on = await synced(t)
    await on.sync({ entities: ['workspaces'] })
    for (let times = 0; times < 5; times++) {
      const { took_ms: took } = isFine(await on.search('workspaces', everything)).result
      assert.ok(Number.isInteger(took) && took >= 0, String(took))
    }
  })
})
