import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gidOf, readGid } from './gids.ts'
import { startReading } from './reading.suite.ts'

test('a gid says which record it is, and no other number does', () => {
  for (const space of ['workspace', 'user', 'team', 'task', 'subtask', 'file'] as const) {
    for (const index of [0, 1, 7, 20_000, 1_020_000, 8_300_001]) {
      const gid = gidOf(space, index)
      assert.deepEqual(readGid(gid), { space, index })
      assert.equal(readGid(String(BigInt(gid) + 1n)), undefined)
    }
  }
  assert.equal(readGid(''), undefined)
  assert.equal(readGid('1209'), undefined)
})

const read = async (path: string, options: { seed?: number; scale?: number }) => {
  const reading = await startReading(options)
  return { ...reading, data: (await reading.get(path.replace(/\{(\w+)\}/g, (_, name) => reading.at[name]!))).body.data }
}

test('the same seed gives the same company, another seed another', async () => {
  const path = '/projects?limit=30&opt_fields=name'
  const [a, b, c] = [await read(path, { seed: 3 }), await read(path, { seed: 3 }), await read(path, { seed: 4 })]
  assert.deepEqual(a.data, b.data)
  assert.notDeepEqual(a.data, c.data)
  assert.deepEqual(a.at, c.at)
})

for (const scale of [10, 100, 2000, 100_000, 1_000_000]) {
  test(`a company of about ${scale} tasks stands at once and holds its edge cases`, async () => {
    const { get, at, data } = await read('/projects?workspace={workspace}&limit=100', { scale })
    assert.ok(data.length >= 6)
    assert.equal((await get(`/tasks/${at.subtask_five_deep}`)).status, 200)
    assert.equal((await get(`/tasks/${at.task_in_two_projects}`)).body.data.projects.length, 2)
    const inside = await get(`/tasks?project=${at.project_regular}&limit=100`)
    assert.ok(inside.body.data.length > 0)
    const mine = await get(`/tasks?assignee=me&workspace=${at.workspace}&limit=100`)
    for (const task of mine.body.data.slice(0, 20)) {
      assert.equal((await get(`/tasks/${task.gid}`)).body.data.assignee.gid, at.user)
    }
  })
}

test('every list of a project agrees with what its records say', async () => {
  const { get, at } = await startReading()
  const { data: sections } = (await get(`/projects/${at.project_regular}/sections`)).body
  const fields = 'opt_fields=name,projects,memberships.section,tags,dependencies,parent,num_subtasks'
  let count = 0
  for (const section of sections) {
    const { data } = (await get(`/sections/${section.gid}/tasks?${fields}`)).body
    count += data.length
    for (const task of data) {
      assert.ok(task.memberships.some((one: { section: { gid: string } }) => one.section.gid === section.gid))
      assert.ok(task.projects.some((project: { gid: string }) => project.gid === at.project_regular))
      const subtasks = (await get(`/tasks/${task.gid}/subtasks?opt_fields=parent`)).body.data
      assert.equal(subtasks.length, task.num_subtasks)
      for (const subtask of subtasks) assert.equal(subtask.parent.gid, task.gid)
      for (const { gid } of task.dependencies) {
        const back = (await get(`/tasks/${gid}/dependents`)).body.data
        assert.ok(back.some((one: { gid: string }) => one.gid === task.gid))
      }
      for (const tag of task.tags) {
        const tagged = (await get(`/tags/${tag.gid}/tasks?limit=100`)).body.data
        assert.ok(tagged.some((one: { gid: string }) => one.gid === task.gid))
      }
    }
  }
  assert.equal(count, (await get(`/projects/${at.project_regular}/tasks?limit=100`)).body.data.length)
})

test('people of a team say they are in it', async () => {
  const { get, at } = await startReading()
  for (const user of (await get(`/teams/${at.team}/users`)).body.data) {
    const teams = (await get(`/users/${user.gid}/teams?organization=${at.workspace}&limit=100`)).body.data
    assert.ok(teams.some((team: { gid: string }) => team.gid === at.team))
  }
})

test('above 2,000 people the unpaged list is cut, the paged one is not', async () => {
  const { get, at } = await startReading({ scale: 100_000 })
  assert.equal((await get(`/workspaces/${at.workspace}/users`)).body.data.length, 2000)
  let count = 0
  let offset = ''
  do {
    const { data, next_page } = (await get(`/users?workspace=${at.workspace}&limit=100${offset}`)).body
    count += data.length
    offset = next_page === null ? '' : `&offset=${next_page.offset}`
  } while (offset !== '')
  assert.ok(count > 2400)
})

test('archived, teamless and private projects are there as the real system has them', async () => {
  const { get, at } = await startReading({ scale: 10_000 })
  const names = async (query: string) =>
    (await get(`/projects?workspace=${at.workspace}&limit=100&opt_fields=name,archived,team&${query}`)).body.data
  const all = await names('')
  const archived = await names('archived=true')
  assert.ok(archived.length > 0 && archived.length < all.length)
  assert.ok(all.some((project: { team: unknown }) => project.team === null))
  assert.ok(!all.some((project: { gid: string }) => project.gid === at.project_private))
})
