import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ApiClient,
  AttachmentsApi,
  ProjectsApi,
  SectionsApi,
  TagsApi,
  TasksApi,
  TeamsApi,
  UsersApi,
  WorkspacesApi,
} from 'asana'
import { startReading } from './reading.suite.ts'

const { simulators, at, baseUrl, token } = await startReading()

/** The official client, pointed at the simulator. */
const client = new ApiClient()
client.basePath = baseUrl
client.authentications.token!.accessToken = token.paid

const tasks = new TasksApi(client)
const projects = new ProjectsApi(client)
const workspaces = new WorkspacesApi(client)
const users = new UsersApi(client)
const teams = new TeamsApi(client)
const attachments = new AttachmentsApi(client)
const tags = new TagsApi(client)
const sections = new SectionsApi(client)

const workspace = at.workspace!
const project = at.project!
const task = at.task!
const user = at.user!

interface Listed {
  readonly data: { readonly gid: string; readonly resource_type: string }[]
  nextPage(): Promise<{ readonly data: { readonly gid: string }[] | null }>
}

const limit = 5
const lists: Readonly<Record<string, readonly [string, () => Promise<unknown>]>> = {
  'tasks of a project': ['task', () => tasks.getTasks({ project, limit })],
  'tasks of a section': ['task', () => tasks.getTasks({ section: at.section!, limit })],
  'tasks of an assignee': ['task', () => tasks.getTasks({ assignee: 'me', workspace, limit })],
  'tasks of a project by its path': ['task', () => tasks.getTasksForProject(project, { limit })],
  'tasks found by a search': ['task', () => tasks.searchTasksForWorkspace(workspace, { completed: false })],
  'projects of a workspace': ['project', () => projects.getProjects({ workspace, limit })],
  'projects of a task': ['project', () => projects.getProjectsForTask(task, { limit })],
  'projects of a team': ['project', () => projects.getProjectsForTeam(at.team!, { limit })],
  'projects of a workspace by its path': [
    'project',
    () => projects.getProjectsForWorkspace(workspace, { limit, archived: false }),
  ],
  workspaces: ['workspace', () => workspaces.getWorkspaces({ limit })],
  'people of a workspace': ['user', () => users.getUsers({ workspace, limit })],
  'people of a workspace by its path': ['user', () => users.getUsersForWorkspace(workspace)],
  'people of a team': ['user', () => users.getUsersForTeam(at.team!)],
  'teams of a workspace': ['team', () => teams.getTeamsForWorkspace(workspace, { limit })],
  'teams of a person': ['team', () => teams.getTeamsForUser(user, workspace, { limit })],
  'attachments of a task': [
    'attachment',
    () => attachments.getAttachmentsForObject(at.task_with_attachments!, { limit }),
  ],
  'tags of a workspace': ['tag', () => tags.getTagsForWorkspace(workspace, { limit })],
  'sections of a project': ['section', () => sections.getSectionsForProject(project, { limit })],
  'subtasks of a task': ['task', () => tasks.getSubtasksForTask(task, { limit })],
  'dependencies of a task': ['task', () => tasks.getDependenciesForTask(at.task_with_dependencies!, { limit })],
  'dependents of a task': ['task', () => tasks.getDependentsForTask(at.task_with_dependents!, { limit })],
}

for (const [what, [kind, read]] of Object.entries(lists)) {
  test(`the official client lists ${what} to the end`, async () => {
    const first = (await read()) as Listed
    assert.ok(first.data.length > 0)
    for (const record of first.data) assert.equal(record.resource_type, kind)
    const seen = first.data.map((record) => record.gid)
    for (;;) {
      const next = await first.nextPage.call(first)
      if (next.data === null) break
      seen.push(...next.data.map((record) => record.gid))
      Object.assign(first, next)
    }
    assert.equal(new Set(seen).size, seen.length)
  })
}

const gets: Readonly<Record<string, () => Promise<{ data: { gid: string; name: string; resource_type: string } }>>> = {
  task: () => tasks.getTask(task),
  project: () => projects.getProject(project),
  workspace: () => workspaces.getWorkspace(workspace),
  user: () => users.getUser('me'),
  team: () => teams.getTeam(at.team!),
  attachment: () => attachments.getAttachment(at.attachment!),
  tag: () => tags.getTag(at.tag!),
  section: () => sections.getSection(at.section!),
}

for (const [kind, read] of Object.entries(gets)) {
  test(`the official client gets a ${kind}`, async () => {
    const { data } = await read()
    assert.equal(data.resource_type, kind)
    assert.ok(data.name.length > 0)
    assert.match(data.gid, /^\d{16,19}$/)
    assert.ok(BigInt(data.gid) > 2n ** 53n)
  })
}

test('the official client reads what a refusal says', async () => {
  await assert.rejects(
    tasks.getTask('1209999999999999999'),
    (error: { response: { status: number; body: unknown } }) => {
      assert.equal(error.response.status, 404)
      const { errors } = error.response.body as { errors: { message: string }[] }
      assert.equal(errors[0]?.message, 'task: Unknown object: 1209999999999999999')
      return true
    },
  )
  assert.ok(simulators.requests.at(-1)?.headers['x-asana-client-lib'])
})
