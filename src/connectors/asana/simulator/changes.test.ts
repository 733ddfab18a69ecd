import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startReading } from './reading.suite.ts'

const { at, get, refusal, change, token } = await startReading()
const project = at.project_regular!
const gidsOf = async (path: string, as?: string): Promise<string[]> => {
  const { body } = await get(`${path}${path.includes('?') ? '&' : '?'}limit=100`, as)
  return body.data.map((record: { gid: string }) => record.gid)
}
const first = async () => (await gidsOf(`/projects/${project}/tasks`))[0]!

test('a created task is in its lists and can be read', async () => {
  const { gid } = change('create', { what: 'task', name: 'Fresh', project, assignee: at.user }) as { gid: string }
  assert.equal((await gidsOf(`/tasks?project=${project}`)).at(-1), gid)
  assert.ok((await gidsOf(`/tasks?assignee=me&workspace=${at.workspace}`)).includes(gid))
  const { data } = (await get(`/workspaces/${at.workspace}/tasks/search?text=fresh`)).body
  assert.equal(data[0].gid, gid)
  assert.equal((await get(`/tasks/${gid}`)).body.data.name, 'Fresh')
})

test('many records are created at once, of every kind', async () => {
  const made = change('create', { what: 'project', name: 'Batch', count: 3 }) as { gids: string[] }
  const projects = await gidsOf(`/projects?workspace=${at.workspace}`)
  assert.deepEqual(projects.slice(-3), made.gids)
  assert.equal((await gidsOf(`/projects/${made.gids[0]}/sections`)).length, 1)
  const inside = { project: made.gids[0] }
  const section = change('create', { what: 'section', name: 'More', ...inside }).gid as string
  const task = change('create', { what: 'task', section }).gid as string
  assert.deepEqual(await gidsOf(`/tasks?section=${section}`), [task])
  const attachment = change('create', { what: 'attachment', parent: task, name: 'a.txt', text: 'привет' }).gid as string
  const { download_url } = (await get(`/attachments/${attachment}`)).body.data
  assert.equal(await (await fetch(download_url)).text(), 'привет')
  const tag = change('create', { what: 'tag', name: 'new tag' }).gid as string
  assert.equal((await gidsOf(`/workspaces/${at.workspace}/tags`)).at(-1), tag)
  const user = change('create', { what: 'user', name: 'New Person', email: 'new@northpass.example' }).gid as string
  assert.equal((await get(`/users/${user}`)).body.data.name, 'New Person')
})

test('an edit moves modified_at and shows everywhere', async () => {
  const gid = await first()
  const before = (await get(`/tasks/${gid}`)).body.data
  change('edit', { gid, fields: { name: 'Renamed', completed: !before.completed, due_on: '2030-01-02' } })
  const { data } = (await get(`/tasks/${gid}`)).body
  assert.equal(data.name, 'Renamed')
  assert.equal(data.completed, !before.completed)
  assert.equal(data.due_on, '2030-01-02')
  assert.ok(data.modified_at > before.modified_at)
  assert.deepEqual(await gidsOf(`/tasks?project=${project}&modified_since=${data.modified_at}`), [gid])
})

test('an edited modified_at can be any time', async () => {
  const gid = await first()
  change('edit', { gid, fields: { modified_at: '2026-01-01T00:00:00.000Z' } })
  assert.equal((await get(`/tasks/${gid}`)).body.data.modified_at, '2026-01-01T00:00:00.000Z')
})

test('a move changes the project and not modified_at', async () => {
  const gid = await first()
  const before = (await get(`/tasks/${gid}`)).body.data
  change('move', { gid, to: at.project_empty })
  const { data } = (await get(`/tasks/${gid}`)).body
  assert.equal(data.modified_at, before.modified_at)
  assert.deepEqual(await gidsOf(`/projects/${at.project_empty}/tasks`), [gid])
  assert.ok(!(await gidsOf(`/projects/${project}/tasks`)).includes(gid))
  change('move', { gid, to: project, keep: true })
  assert.equal((await gidsOf(`/tasks/${gid}/projects`)).length, 2)
})

test('what is trashed vanishes and answers 404, until it is restored', async () => {
  const gid = await first()
  const before = await gidsOf(`/projects/${project}/tasks`)
  change('trash', { gid })
  assert.equal(await refusal(`/tasks/${gid}`), `404 task: Unknown object: ${gid}`)
  assert.deepEqual(await gidsOf(`/projects/${project}/tasks`), before.slice(1))
  change('restore', { gid })
  assert.deepEqual(await gidsOf(`/projects/${project}/tasks`), before)
})

test('a trashed project takes its sections, tasks, subtasks and attachments with it', async () => {
  const [section] = await gidsOf(`/projects/${at.project}/sections`)
  const shared = at.task_in_two_projects!
  change('trash', { gid: at.project })
  for (const path of [
    `/projects/${at.project}`,
    `/sections/${section}`,
    `/tasks/${at.task}`,
    `/tasks/${at.subtask_five_deep}`,
    `/attachments/${at.attachment}`,
  ]) {
    assert.match(await refusal(path), /^404 /)
  }
  assert.equal((await get(`/tasks/${shared}`)).status, 200)
  change('restore', { gid: at.project })
  assert.equal((await get(`/tasks/${at.task}`)).status, 200)
})

test('a new subtask leaves its parent as it was', async () => {
  const gid = await first()
  const before = (await get(`/tasks/${gid}?opt_fields=modified_at,num_subtasks`)).body.data
  const subtask = change('subtask', { parent: gid, name: 'Small step' }).gid as string
  const after = (await get(`/tasks/${gid}?opt_fields=modified_at,num_subtasks`)).body.data
  assert.equal(after.modified_at, before.modified_at)
  assert.equal(after.num_subtasks, before.num_subtasks + 1)
  assert.equal((await gidsOf(`/tasks/${gid}/subtasks`)).at(-1), subtask)
})

test('a project can be closed to a person: 403, and gone from lists', async () => {
  change('revoke', { project, user: at.user })
  assert.equal(await refusal(`/projects/${project}`), '403 You do not have access to this project.')
  assert.equal(await refusal(`/projects/${project}/tasks`), '403 You do not have access to this project.')
  assert.ok(!(await gidsOf('/projects')).includes(project))
  assert.equal((await get(`/projects/${project}`, token.two)).status, 200)
  change('grant', { project, user: at.user })
  assert.equal((await get(`/projects/${project}`)).status, 200)
})

test('a person who joins a second workspace has to name one from then on', async () => {
  assert.equal((await get('/projects')).status, 200)
  change('join', { user: at.user, workspace: at.workspace_free })
  assert.deepEqual(await gidsOf('/workspaces'), [at.workspace, at.workspace_free])
  assert.equal((await get('/projects')).status, 400)
  assert.ok((await gidsOf(`/users?workspace=${at.workspace_free}`)).includes(at.user!))
  change('leave', { user: at.user, workspace: at.workspace_free })
  assert.equal((await get('/projects')).status, 200)
})

test('changes that cannot be made say why', () => {
  assert.throws(() => change('fly'), /There is no change "fly"/)
  assert.throws(() => change('trash', { gid: '1' }), /There is no record 1/)
  assert.throws(() => change('create', { what: 'task', project: '1' }), /There is no project 1/)
})
