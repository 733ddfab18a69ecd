import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createClient, createOrganization } from '../../src/service/administer.ts'
import { connectors, executePath, isFine, isProblem } from '../hosted.ts'
import { type Synced, startSynced } from './synced.ts'

describe('search over HTTP', () => {
  let on: Synced

  before(async () => {
    on = await startSynced('asana')
    await on.sync({ full: true })
  })
  after(() => on.close())

  it('gives hits page by page, and says how old the copy is', async () => {
    const query = { filter: { eq: { resource_type: 'task' } }, sort: [{ name: 'asc' }] }
    const ids = new Set<string>()
    let cursor: string | null = null
    let pages = 0
    do {
      const { status, body } = await on.search('tasks', { query, limit: 40, ...(cursor !== null && { cursor }) })
      assert.equal(status, 200)
      for (const { id } of body.result.hits) ids.add(id)
      assert.ok(Number.isInteger(body.result.took_ms))
      assert.equal(body.connector_metadata.complete, true)
      cursor = body.result.next_cursor
      pages++
    } while (cursor !== null)
    assert.ok(pages > 2)
    assert.equal(ids.size, (await on.copy('tasks')).size)
  })

  it('gives hits with the fields that were selected, and with long texts cut', async () => {
    const run = async (more: object) => {
      const body = { entity: 'tasks', action: 'search', params: { query: {}, limit: 3 }, ...more }
      const { token } = await on.hosted.server.issueToken()
      return isFine(await on.hosted.call('POST', executePath(on.id), { token, body }))
    }
    const whole = await run({})
    const some = await run({ select_fields: ['name', 'gid'] })
    assert.equal(some.result.hits.length, 3)
    for (const [at, hit] of whole.result.hits.entries()) {
      const { name, gid } = hit.data
      assert.deepEqual(some.result.hits[at], { ...hit, data: { gid, name } })
    }
    assert.equal(some.result.next_cursor, whole.result.next_cursor)
    const cut = await run({ skip_truncation: false })
    assert.deepEqual(
      cut.result.hits.map(({ id }: { id: string }) => id),
      whole.result.hits.map(({ id }: { id: string }) => id),
    )
  })

  it('gives records alone, with the page beside them, to clients that ask for context_store_search', async () => {
    const { token } = await on.hosted.server.issueToken()
    const run = async (action: string, more: object = {}) => {
      const params = {
        query: { filter: {}, sort: [{ name: 'asc' }] },
        limit: 2,
        fields: [['gid'], ['assignee', 'name']],
        ...more,
      }
      const body = { entity: 'tasks', action, params, skip_truncation: true }
      return on.hosted.call('POST', `/api/v1/integrations/connectors/${on.id}/execute`, { token, body })
    }
    const hits = isFine(await run('search'))
    const { result, connector_metadata } = isFine(await run('context_store_search'))
    assert.deepEqual(
      result.data,
      hits.result.hits.map(({ data }: { data: object }) => data),
    )
    const { took_ms, ...meta } = result.meta
    assert.ok(Number.isInteger(took_ms))
    assert.deepEqual(meta, { has_more: true, cursor: hits.result.next_cursor })
    assert.equal(connector_metadata.complete, true)
    const next = isFine(await run('context_store_search', { cursor: meta.cursor }))
    assert.notDeepEqual(next.result.data, result.data)
    const none = isFine(await run('context_store_search', { query: { filter: { eq: { name: 'no such' } } } }))
    assert.deepEqual([none.result.data, none.result.meta.has_more, none.result.meta.cursor], [[], false, null])
    const found = isFine(await run('search', { query: { filter: { eq: { name: 'no such' } } } }))
    assert.deepEqual(found.result.hits, [])
    isProblem(await run('context_store_search', { query: { filter: { eq: { nmae: 'x' } } } }), 'invalid_query')
  })

  it('refuses an unknown field at its path, with the nearest known name', async () => {
    const answer = await on.search('tasks', { query: { filter: { eq: { nmae: 'x' } } } })
    isProblem(answer, 'invalid_query', '/params/query/filter/eq/nmae')
    assert.match(answer.text, /did you mean \\"name\\"/)
  })

  it('refuses an operator that there is not', async () => {
    isProblem(await on.search('tasks', { query: { filter: { equals: { name: 'x' } } } }), 'invalid_query')
  })

  it('refuses a param that a search has not, with the nearest one that it has', async () => {
    const answer = await on.search('tasks', { query: {}, limti: 1 })
    isProblem(answer, 'invalid_query', '/params/limti')
    assert.match(answer.text, /did you mean \\"limit\\"/)
  })

  it('refuses the cursor of another query', async () => {
    const first = await on.search('tasks', { query: { sort: [{ name: 'asc' }] }, limit: 1 })
    const { next_cursor: cursor } = first.body.result
    isProblem(await on.search('tasks', { query: { sort: [{ name: 'desc' }] }, limit: 1, cursor }), 'invalid_cursor')
  })

  it('has nothing to search where no copy is kept', async () => {
    const patched = await on.call('PATCH', { sync: { enabled: false } })
    assert.equal(patched.status, 200)
    isProblem(await on.search('tasks', { query: {} }), 'search_unavailable')
    const { sync } = isFine(await on.call('PATCH', { sync: { interval_seconds: 7200 } }))
    assert.deepEqual(sync, { enabled: false, interval_seconds: 7200 })
  })
})

it('the schedule reaches the connectors of every organization', async (t) => {
  const on = await startSynced('asana', { serve: { syncs: true } })
  t.after(() => on.close())
  const { hosted } = on
  const { service } = hosted.server
  const { organization_id: second } = await createOrganization(service, 'second')
  const client = await createClient(service, second, 'program')
  const tokenOf = async () =>
    (await hosted.call('POST', '/api/v1/account/applications/token', { body: client })).body.access_token
  const made = await hosted.call('POST', connectors, {
    token: await tokenOf(),
    body: { external_user_id: 'eve', connector_type: 'asana', name: 'theirs', credentials: hosted.credentials('one') },
  })
  assert.equal(made.status, 201, made.text)
  await service.syncs.settled()
  const syncedAt = async () => {
    const found = await hosted.call('POST', executePath(made.body.id), {
      token: await tokenOf(),
      body: { entity: 'workspaces', action: 'search', params: { query: {} } },
    })
    assert.equal(found.body.result.hits.length, 1)
    return Date.parse(found.body.connector_metadata.synced_at)
  }
  const before = await syncedAt()
  hosted.clock.advance(2 * 3600_000)
  await service.syncs.look()
  await service.syncs.settled()
  assert.ok((await syncedAt()) - before >= 3600_000)
})
