import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { type Answer, startReading } from './reading.suite.ts'

const { at, get, refusal, change, simulators, baseUrl, token } = await startReading()
const project = at.project_bulk!

/** Reads all pages; calls `between` after each. */
async function walk(path: string, between: (page: Answer) => void = () => {}): Promise<string[]> {
  const gids: string[] = []
  let offset = ''
  for (;;) {
    const page = await get(`${path}${offset}`)
    assert.equal(page.status, 200, JSON.stringify(page.body))
    gids.push(...page.body.data.map((record: { gid: string }) => record.gid))
    if (page.body.next_page === null) return gids
    offset = `&offset=${page.body.next_page.offset}`
    between(page)
  }
}

test('pages put together are the list, each record once', async () => {
  const gids = await walk(`/projects/${project}/tasks?limit=100`)
  assert.equal(gids.length, 1050)
  assert.equal(new Set(gids).size, 1050)
})

test('the pointer repeats the query, limit and offset last', async () => {
  const { next_page } = (await get(`/tasks?limit=2&project=${project}&opt_fields=name%2Cgid`)).body
  const path = `/tasks?project=${project}&opt_fields=name%2Cgid&limit=2&offset=${next_page.offset}`
  assert.equal(next_page.path, path)
  assert.equal(next_page.uri, `${baseUrl}${path}`)
})

test('without a limit there is no pointer at all', async () => {
  const { body } = await get(`/projects/${at.project}/tasks`)
  assert.deepEqual(Object.keys(body), ['data'])
})

test('the token is a JSON Web Token that lives for fifteen minutes', async () => {
  const { offset } = (await get(`/projects/${project}/tasks?limit=1`)).body.next_page
  const [head, claims] = offset.split('.').map((piece: string) => Buffer.from(piece, 'base64url').toString('latin1'))
  assert.equal(JSON.parse(head).alg, 'HS256')
  const { border_rank, iat, exp } = JSON.parse(claims)
  assert.equal(exp - iat, 900)
  assert.equal(typeof border_rank, 'string')
})

test('a token of another list, a forged one and an empty one are invalid', async () => {
  const invalid = '400 offset: Your pagination token is invalid.'
  const { offset } = (await get(`/projects/${project}/tasks?limit=1`)).body.next_page
  const [head, claims] = offset.split('.')
  const forged = createHmac('sha256', 'guess').update(`${head}.${claims}`).digest('base64url')
  for (const [path, given] of [
    [`/projects/${at.project}/tasks?limit=1`, offset],
    [`/projects/${project}/tasks?limit=1&completed_since=now`, offset],
    [`/tasks?project=${project}&limit=1`, offset],
    [`/projects/${project}/tasks?limit=1`, `${head}.${claims}.${forged}`],
    [`/projects/${project}/tasks?limit=1`, 'rubbish'],
    [`/projects/${project}/tasks?limit=1`, ''],
  ]) {
    assert.equal(await refusal(`${path}&offset=${given}`), invalid)
  }
  assert.equal(await refusal(`/projects/${project}/tasks?offset=${offset}`), invalid)
})

test('limit and fields may differ from page to page', async () => {
  const { offset } = (await get(`/projects/${project}/tasks?limit=1`)).body.next_page
  const { status, body } = await get(`/projects/${project}/tasks?limit=7&opt_fields=name&offset=${offset}`)
  assert.equal(status, 200)
  assert.equal(body.data.length, 7)
})

test('a token dies after fifteen minutes', async () => {
  const path = `/projects/${project}/tasks?limit=1`
  const { offset } = (await get(path)).body.next_page
  simulators.advance(899_000)
  assert.equal((await get(`${path}&offset=${offset}`)).status, 200)
  simulators.advance(2_000)
  assert.equal(await refusal(`${path}&offset=${offset}`), '400 offset: Your pagination token has expired.')
})

test('a token is a position: what is put before it does not appear, what is put after it does', async () => {
  let changed = false
  const made: string[] = []
  const gids = await walk(`/projects/${project}/tasks?limit=100`, () => {
    if (changed) return
    changed = true
    for (const end of ['first', 'last']) {
      made.push(change('create', { what: 'task', name: 'New', project, at: end }).gid as string)
    }
  })
  assert.ok(!gids.includes(made[0]!))
  assert.ok(gids.includes(made[1]!))
})

test('a record that moves across the position is missed by that walk, and found by the next', async () => {
  const path = `/projects/${project}/tasks?limit=100`
  const before = await walk(path)
  let changed = false
  const during = await walk(path, () => {
    if (!changed) change('reorder', { gid: before[500], to: 'first' })
    changed = true
  })
  assert.equal(during.includes(before[500]!), false)
  const after = await walk(path)
  assert.equal(after[0], before[500])
  assert.equal(after.length, before.length)
})

test('people of a workspace or team come by name and in no pages', async () => {
  for (const path of [`/workspaces/${at.workspace}/users`, `/teams/${at.team}/users`]) {
    const { body } = await get(`${path}?limit=1`)
    assert.deepEqual(Object.keys(body), ['data'])
    const names = body.data.map((user: { name: string }) => user.name)
    assert.ok(names.length > 1)
    assert.deepEqual(names, [...names].sort())
  }
})

test('search has no pages, takes no offset, and gives at most a hundred', async () => {
  const path = `/workspaces/${at.workspace}/tasks/search?text=recount&limit=100`
  const first = await get(path)
  assert.deepEqual(Object.keys(first.body), ['data'])
  assert.equal(first.body.data.length, 100)
  assert.deepEqual((await get(`${path}&offset=whatever`)).body, first.body)
})

test('search can be walked by time of creation', async () => {
  const seen = new Set<string>()
  let bound = ''
  for (;;) {
    const path = `/workspaces/${at.workspace}/tasks/search?projects.any=${project}&limit=100&sort_by=created_at&sort_ascending=true`
    const { data } = (await get(`${path}&opt_fields=created_at${bound}`)).body
    const before = seen.size
    for (const task of data) seen.add(task.gid)
    if (seen.size === before) break
    const last = Date.parse(data.at(-1).created_at)
    bound = `&created_at.after=${encodeURIComponent(new Date(last - 1).toISOString())}`
  }
  assert.equal(seen.size, 1052)
})

test('search filters are joined by and, their alternatives by or, projects and sections by or', async () => {
  const search = async (query: string) =>
    (await get(`/workspaces/${at.workspace}/tasks/search?limit=100&opt_fields=name,completed,assignee,due_on&${query}`))
      .body.data
  const open = await search(`projects.any=${at.project}&completed=false`)
  assert.equal(open.length, 12)
  const mine = await search(`projects.any=${at.project}&completed=false&assignee.any=me`)
  assert.deepEqual(
    mine.map((task: { assignee: { gid: string } }) => task.assignee.gid),
    Array(3).fill(at.user),
  )
  assert.equal((await search(`projects.any=${at.project}&assignee.any=null`)).length, 1)
  const union = await search(`projects.any=${at.project_quirks}&sections.any=${at.section}`)
  assert.equal(union.length, 19 + 4)
  const milestones = await search(`projects.any=${at.project}&resource_subtype=milestone`)
  assert.deepEqual(
    milestones.map((task: { name: string }) => task.name),
    ['Catalog goes to print'],
  )
  const due = await search(`projects.any=${at.project}&due_on.after=2026-06-10&sort_by=due_date&sort_ascending=true`)
  assert.deepEqual(
    due.map((task: { due_on: string }) => task.due_on),
    ['2026-06-13', '2026-06-15', '2026-06-21'],
  )
})

test('completed_since and modified_since narrow a list', async () => {
  const count = async (query: string) => (await get(`/tasks?project=${at.project}&limit=100&${query}`)).body.data.length
  assert.equal(await count(''), 15)
  assert.equal(await count('completed_since=now'), 12)
  assert.equal(await count('completed_since=2026-05-21T00:00:00.000Z'), 13)
  assert.equal(await count('modified_since=2026-05-23'), 1)
})

test('350 tasks were made and changed in one millisecond', async () => {
  const path = `/tasks?project=${at.project_one_millisecond}&limit=100&opt_fields=created_at,modified_at`
  const times = new Set<string>()
  let offset = ''
  let count = 0
  for (;;) {
    const { body } = await get(`${path}${offset}`, token.paid)
    for (const task of body.data) times.add(`${task.created_at} ${task.modified_at}`)
    count += body.data.length
    if (body.next_page === null) break
    offset = `&offset=${body.next_page.offset}`
  }
  assert.equal(count, 350)
  assert.equal(times.size, 1)
})
