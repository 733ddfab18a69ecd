import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { type Callers, json, startWithCallers } from './fixture.suite.ts'

const long = 'x'.repeat(199)
const record = {
  id: '1',
  title: `${long}😀 and more`,
  'dotted.name': 1,
  author: { name: 'Ann', city: { name: 'Oslo', code: 'OSL' } },
  tags: [{ name: 'one', color: 'red' }, { name: 'two' }, 'bare'],
  none: null,
}

describe('an execution that says more than entity, action and params', () => {
  let callers: Callers
  before(async () => {
    callers = await startWithCallers()
  })
  beforeEach(() => {
    const { fixture } = callers
    fixture.received.length = 0
    fixture.answer = ({ url }, response) =>
      json(response, 200, url!.startsWith('/notes/') ? record : { data: [record], next: 'more' })
  })
  after(() => callers.fixture.close())

  const run = (more: object) => callers.fixture.execute(callers.ann, callers.id, { entity: 'notes', ...more })
  const list = async (more: object) => {
    const { body, status, text } = await run({ action: 'list', ...more })
    assert.equal(status, 200, text)
    assert.deepEqual(body.connector_metadata, { next: 'more' })
    return body.result[0]
  }

  it('gives the selected fields alone, in objects and in arrays of them, and passes over what is not there', async () => {
    assert.deepEqual(await list({ select_fields: ['id', 'dotted.name', 'author.city.code', 'tags.name', 'no.such'] }), {
      id: '1',
      'dotted.name': 1,
      author: { city: { code: 'OSL' } },
      tags: [{ name: 'one' }, { name: 'two' }],
    })
    assert.deepEqual(await list({ select_fields: ['author', 'author.name', 'none.inside', 'id.x'] }), {
      author: record.author,
    })
    const got = await run({ action: 'get', params: { note_id: '1' }, select_fields: ['__proto__', 'id'] })
    assert.deepEqual(got.body.result, { id: '1' })
  })

  it('leaves the excluded fields out, unless others are selected', async () => {
    const { title: _, tags: __, ...rest } = record
    assert.deepEqual(await list({ exclude_fields: ['title', 'author.city', 'tags.color', 'dotted.name', 'no'] }), {
      id: '1',
      author: { name: 'Ann' },
      tags: [{ name: 'one' }, { name: 'two' }, 'bare'],
      none: null,
    })
    assert.deepEqual(await list({ exclude_fields: ['title', 'tags'] }), rest)
    assert.deepEqual(await list({ exclude_fields: ['id'], select_fields: ['id'] }), { id: '1' })
    assert.deepEqual(await list({ exclude_fields: [], select_fields: [] }), record)
  })

  it('cuts long texts of a list where it is asked to, and says how to get the whole', async () => {
    const { title } = await list({ skip_truncation: false })
    assert.equal(title, `${long}… [cut; get returns all of it]`)
    assert.deepEqual(await list({ skip_truncation: true }), record)
    const got = await run({ action: 'get', params: { note_id: '1' }, skip_truncation: false })
    assert.deepEqual(got.body.result, record)
  })

  it('keeps the intent in the audit log, and nothing where there is none', async () => {
    await list({ intent: 'to sum up the week' })
    await list({})
    const path = `/v1/integrations/audit?event=operation.run&connector_id=${callers.id}`
    const { body } = await callers.fixture.call('GET', path, { token: callers.bearer })
    assert.deepEqual(
      body.entries.map(({ details, external_user_id }: { details: object; external_user_id: string }) => [
        details,
        external_user_id,
      ]),
      [[{ entity: 'notes', action: 'list', intent: 'to sum up the week' }, 'ann']],
    )
  })

  it('refuses what is too much or of another form, and asks nothing of the system', async () => {
    for (const [more, path] of [
      [{ intent: 'x'.repeat(513) }, '/intent'],
      [{ select_fields: 'id' }, '/select_fields'],
      [{ select_fields: Array.from({ length: 201 }, () => 'id') }, '/select_fields'],
      [{ exclude_fields: [''] }, '/exclude_fields/0'],
      [{ skip_truncation: 'no' }, '/skip_truncation'],
    ] as const) {
      const { status, body } = await run({ action: 'list', ...more })
      assert.deepEqual([status, body.errors[0].path], [422, path])
    }
    assert.deepEqual(callers.fixture.received, [])
  })

  it('checks the connector by the name of an operation', async () => {
    const check = (more: object = {}) => run({ entity: '*', action: 'check', params: {}, ...more })
    const good = await check({ skip_truncation: true })
    assert.deepEqual(good.body, {
      result: { status: 'healthy', checked_entity: 'notes', checked_action: 'list' },
      connector_metadata: {},
    })
    callers.fixture.answer = (_request, response) => json(response, 401, { error: 'expired' })
    const bad = await check()
    assert.equal(bad.status, 200)
    assert.equal(bad.body.result.status, 'unhealthy')
    assert.match(bad.body.result.error, /rejects the credentials.* expired/)
    assert.equal((await run({ entity: '*', action: 'list' })).body.code, 'unknown_entity')
  })

  it('takes null for params that are left out', async () => {
    assert.deepEqual(await list({ params: null }), record)
  })
})
