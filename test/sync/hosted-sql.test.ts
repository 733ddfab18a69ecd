import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { executePath, isFine, isProblem } from '../hosted.ts'
import { type Synced, startSynced } from './synced.ts'

describe('SQL over HTTP', () => {
  let on: Synced

  before(async () => {
    on = await startSynced('asana')
  })
  after(() => on.close())

  const run = async (params: unknown, more: object = {}, id = on.id) => {
    const { token } = await on.hosted.server.issueToken('ann')
    const body = { entity: 'tasks', action: 'sql', params, ...more }
    return on.hosted.call('POST', executePath(id), { token, body })
  }
  const byMonth = `select substr(due_on, 1, 7) as month, assignee_gid, count(*) as open from tasks
    where not completed and due_on is not null group by 1, 2 order by 1, 2`

  it('says why there is nothing to read before the first sync, as a search does', async () => {
    const answer = await run({ sql: 'select count(*) as n from tasks' })
    isProblem(answer, 'search_unavailable')
    assert.match(answer.text, /Nothing of tasks has been copied yet/)
    assert.deepEqual(isFine(await run({ sql: 'select 1 as one' })).result.data, [{ one: 1 }])
  })

  it('counts open tasks by assignee and month, and says how old the copy is', async () => {
    await on.sync({ full: true })
    const { result, connector_metadata } = isFine(await run({ sql: byMonth }))
    const counts = new Map<string, number>()
    for (const { completed, due_on, assignee } of (await on.copy('tasks')).values()) {
      if (completed || due_on === null) continue
      const key = JSON.stringify([due_on.slice(0, 7), assignee?.gid ?? null])
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    assert.deepEqual(
      new Map(
        result.data.map(({ month, assignee_gid, open }: Record<string, unknown>) => [
          JSON.stringify([month, assignee_gid]),
          open,
        ]),
      ),
      counts,
    )
    assert.equal(result.meta.has_more, false)
    assert.ok(Number.isInteger(result.meta.took_ms))
    assert.equal(connector_metadata.complete, true)
    assert.ok(connector_metadata.age_seconds >= 0)
  })

  it('answers the same under the name that other clients use, for any entity', async () => {
    const { data } = isFine(await run({ sql: byMonth })).result
    for (const entity of ['projects', '*'])
      assert.deepEqual(
        isFine(await run({ sql: byMonth }, { action: 'context_store_sql_query', entity })).result.data,
        data,
      )
    isProblem(await run({ sql: byMonth }, { entity: 'taks' }), 'unknown_entity')
  })

  it('gives so many rows with the fields that were selected, and long texts cut', async () => {
    const sql = `select name, gid, '${'long '.repeat(200)}' as long from tasks order by gid`
    const { result } = isFine(await run({ sql, limit: 2 }, { select_fields: ['gid', 'long'], skip_truncation: false }))
    assert.equal(result.meta.has_more, true)
    assert.deepEqual(result.data.map(Object.keys), [
      ['gid', 'long'],
      ['gid', 'long'],
    ])
    assert.ok(result.data[0].long.length < 400)
  })

  it('refuses params that do not fit, and statements that do not, with the nearest names', async () => {
    for (const params of [
      undefined,
      {},
      { sql: 1 },
      { sql: '' },
      { sql: 'x'.repeat(20_001) },
      { sql: 'select 1', limit: 0 },
      { sql: 'select 1', limit: 10_001 },
      { sql: 'select 1', limti: 1 },
      [],
    ])
      isProblem(await run(params), 'invalid_params')
    const answer = await run({ sql: 'select assigne from tasks' })
    isProblem(answer, 'invalid_query', '/params/sql')
    assert.match(answer.text, /did you mean \\"assignee/)
    isProblem(await run({ sql: 'drop table tasks' }), 'invalid_query')
  })

  it('reads the rows of its own connector alone', async () => {
    const second = await on.hosted.connect(on.hosted.credentials('one'), on.hosted.ann, 'asana')
    const sql = 'select count(*) as n from tasks'
    const { n } = isFine(await run({ sql })).result.data[0]
    isProblem(await run({ sql }, {}, second), 'search_unavailable')
    assert.equal(isFine(await run({ sql })).result.data[0].n, n)
    const { token } = await on.hosted.server.issueToken('bob')
    const answer = await on.hosted.call('POST', executePath(on.id), {
      token,
      body: { entity: 'tasks', action: 'sql', params: { sql } },
    })
    isProblem(answer, 'not_found')
  })

  it('has nothing to read where no copy is kept', async () => {
    await on.call('PATCH', { sync: { enabled: false } })
    isProblem(await run({ sql: 'select 1 as one' }), 'search_unavailable')
  })
})
