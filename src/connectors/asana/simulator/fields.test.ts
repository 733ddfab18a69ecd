import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startReading } from './reading.suite.ts'

const { at, get, token, change } = await startReading()
const one = async (path: string, as?: string) => (await get(path, as)).body.data

test('a list shows compact records', async () => {
  const [task] = await one(`/projects/${at.project}/tasks`)
  assert.deepEqual(Object.keys(task), ['gid', 'name', 'resource_type', 'resource_subtype'])
  const [project] = await one('/projects')
  assert.deepEqual(Object.keys(project), ['gid', 'name', 'resource_type'])
  const [attachment] = await one(`/attachments?parent=${at.task_with_attachments}`)
  assert.deepEqual(Object.keys(attachment), ['gid', 'name', 'resource_type', 'resource_subtype'])
})

test('a list shows exactly what opt_fields name, and the gid', async () => {
  const [task] = await one(`/projects/${at.project}/tasks?opt_fields=name,resource_subtype,created_by`)
  assert.deepEqual(Object.keys(task), ['gid', 'name', 'resource_subtype', 'created_by'])
  assert.deepEqual(Object.keys(task.created_by), ['gid', 'resource_type'])
})

test('a get shows every field but those that must be asked for', async () => {
  const task = await one(`/tasks/${at.task_without_project}`)
  for (const field of [
    'html_notes',
    'num_subtasks',
    'dependencies',
    'dependents',
    'completed_by',
    'created_by',
    'external',
  ]) {
    assert.ok(!(field in task), field)
  }
  for (const field of [
    'notes',
    'memberships',
    'custom_fields',
    'assignee_section',
    'due_on',
    'start_at',
    'workspace',
  ]) {
    assert.ok(field in task, field)
  }
  assert.ok(!('approval_status' in task))
  assert.ok(!task.permalink_url.includes('/project/'))
  const project = await one(`/projects/${at.project}`)
  assert.ok(!('icon' in project) && !('html_notes' in project) && 'custom_field_settings' in project)
})

test('a task shows its sections only when they are named', async () => {
  const path = `/tasks/${at.task_in_two_projects}`
  const whole = await one(path)
  assert.equal(whole.memberships.length, 2)
  assert.equal(whole.memberships[0].section.name, 'To do')
  assert.deepEqual((await one(`${path}?opt_fields=memberships`)).memberships, [{}, {}])
  const named = await one(`${path}?opt_fields=memberships.(project|section).name`)
  assert.deepEqual(Object.keys(named.memberships[0]), ['project', 'section'])
  assert.deepEqual(Object.keys(named.memberships[0].project), ['gid', 'name'])
})

test('a bare reference is compact, a narrowed one has only what is named, and the narrow form wins', async () => {
  const path = `/tasks/${at.task}?opt_fields=`
  assert.deepEqual(Object.keys((await one(`${path}workspace`)).workspace), ['gid', 'name', 'resource_type'])
  assert.deepEqual(Object.keys((await one(`${path}workspace.name`)).workspace), ['gid', 'name'])
  assert.deepEqual(Object.keys((await one(`${path}workspace, this.workspace.name`)).workspace), ['gid', 'name'])
  const deep = await one(`/tasks/${at.subtask_five_deep}?opt_fields=parent`)
  assert.deepEqual(Object.keys(deep.parent), ['gid', 'name', 'resource_type', 'resource_subtype'])
})

test('subtasks go five deep and are in no project', async () => {
  let task = await one(`/tasks/${at.subtask_five_deep}`)
  let depth = 0
  for (; task.parent !== null; depth++) {
    assert.deepEqual(task.projects, [])
    task = await one(`/tasks/${task.parent.gid}`)
  }
  assert.equal(depth, 5)
  assert.equal(task.gid, at.task)
  assert.equal((await one(`/tasks/${at.task}?opt_fields=num_subtasks`)).num_subtasks, 1)
})

test('what an object does not have is left out or null as in the real system', async () => {
  const free = await get(`/projects/${at.project_free}/tasks?opt_fields=name,custom_fields`, token.free)
  assert.ok(free.body.data.every((task: object) => !('custom_fields' in task)))
  const guest = await one(`/users/${at.user_without_email}`)
  assert.ok(!('email' in guest))
  assert.equal(guest.photo, null)
  assert.equal((await one(`/projects/${at.project_quirks}`)).team, null)
})

test('all kinds of custom fields occur, each with its own value', async () => {
  const { custom_fields } = await one(`/tasks/${at.task}`)
  const types = custom_fields.map((field: { type: string }) => field.type)
  assert.deepEqual([...types].sort(), ['date', 'enum', 'multi_enum', 'number', 'people', 'reference', 'text'])
  for (const field of custom_fields) {
    assert.equal(field.resource_type, 'custom_field')
    assert.ok('display_value' in field)
  }
})

test('external data are shown to applications only', async () => {
  const path = `/projects/${at.project_quirks}/tasks?opt_fields=external.gid,external.data&limit=100`
  const seen = async (as: string) => (await one(path, as)).filter((task: object) => 'external' in task)
  assert.equal((await seen(token.paid)).length, 0)
  assert.deepEqual((await seen(token.oauth))[0].external, { gid: 'old-7731', data: '{"row":7731}' })
})

test('people are known as me and by their address', async () => {
  const me = await one('/users/me')
  assert.equal((await one(`/users/${encodeURIComponent(me.email)}`)).gid, at.user)
  const mine = await one(`/tasks?assignee=${encodeURIComponent(me.email)}&workspace=${at.workspace}&limit=1`)
  assert.equal(mine.length, 1)
})

test('a person sees of others only the workspaces they share', async () => {
  const names = (user: { workspaces: { name: string }[] }) => user.workspaces.map((workspace) => workspace.name)
  assert.deepEqual(names(await one(`/users/${at.user_two_workspaces}`)), ['Northpass Outfitters'])
  assert.equal(names(await one('/users/me', token.two)).length, 2)
})

test('a removed person is still named where they were', async () => {
  const { followers } = await one(`/tasks/${at.task}`)
  assert.ok(followers.some((user: { gid: string }) => user.gid === at.user_deleted))
  const users = await one(`/workspaces/${at.workspace}/users`)
  assert.ok(!users.some((user: { gid: string }) => user.gid === at.user_deleted))
})

test('opt_pretty indents', async () => {
  const { status } = await get(`/tasks/${at.task}?opt_pretty=true`)
  assert.equal(status, 200)
})

test('any text survives: controls, emoji, right to left, a thousand characters, NUL', async () => {
  const { gid } = change('create', { what: 'task', name: 'a\u0000b', project: at.project_quirks })
  const names = (await one(`/projects/${at.project_quirks}/tasks?opt_fields=name&limit=100`)).map(
    (task: { name: string }) => task.name,
  )
  assert.equal((await one(`/tasks/${gid}`)).name, 'a\u0000b')
  assert.ok(names.includes(''))
  assert.ok(names.some((name: string) => name.length === 1000))
  assert.ok(names.some((name: string) => /\u0007/.test(name)))
  assert.ok(names.some((name: string) => /\p{Script=Arabic}/u.test(name)))
  assert.ok(names.some((name: string) => /\p{Extended_Pictographic}/u.test(name)))
})
