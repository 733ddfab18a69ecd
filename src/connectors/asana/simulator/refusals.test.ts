import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startReading } from './reading.suite.ts'

const { at, baseUrl, get, refusal, token, oauth, simulators } = await startReading()
const w = at.workspace

const sayings: readonly (readonly [string, string])[] = [
  ['/nowhere', '404 No matching route for request'],
  [`/tasks/${at.task}/nowhere`, '404 No matching route for request'],
  ['/tasks', '400 Must specify exactly one of project, tag, section, user task list, or assignee + workspace'],
  [
    `/tasks?workspace=${w}`,
    '400 Must specify exactly one of project, tag, section, user task list, or assignee + workspace',
  ],
  [
    '/tasks?assignee=me',
    '400 Must specify exactly one of project, tag, section, user task list, or assignee + workspace',
  ],
  [
    `/tasks?project=${at.project}&section=${at.section}`,
    '400 Must specify exactly one of project, tag, section, user task list, or assignee + workspace',
  ],
  [
    `/tasks?project=${at.project}&workspace=${w}`,
    '400 Must specify exactly one of project, tag, section, user task list, or assignee + workspace',
  ],
  ['/tasks?project=abc', '400 project: Not a recognized ID: abc'],
  ['/tasks/abc', '400 task: Not a recognized ID: abc'],
  ['/tasks/1%20OR%201', '400 task: Not a recognized ID: 1 OR 1'],
  ['/tasks/123', '404 task: Unknown object: 123'],
  [`/tasks/${at.project}`, `404 task: Unknown object: ${at.project}`],
  ['/projects/99', '404 project: Unknown object: 99'],
  ['/sections/99', '404 section: Unknown object: 99'],
  ['/tags/99', '404 tag: Unknown object: 99'],
  ['/teams/99', '404 team: Unknown object: 99'],
  ['/attachments/99', '404 attachment: Unknown object: 99'],
  ['/workspaces/99', '404 workspace: Unknown object: 99'],
  ['/users/nobody@nowhere.example', '404 user: Unknown object: nobody@nowhere.example'],
  [`/users/${at.user_deleted}`, `404 user: Unknown object: ${at.user_deleted}`],
  [`/projects/${at.project_private}`, '403 You do not have access to this project.'],
  [`/tasks/${at.task_private}`, '403 You do not have access to this task.'],
  [`/workspaces/${at.workspace_unseen}`, '403 You do not have access to this workspace.'],
  ['/attachments', '400 parent: Missing input'],
  ['/attachments?parent=99', '404 parent: Unknown object: 99'],
  [`/attachments?parent=${w}`, `404 parent: Unknown object: ${w}`],
  ['/users/me/teams', '400 organization: Missing input'],
  ['/users/me/teams?organization=99', '404 organization: Unknown object: 99'],
  [`/projects/${at.project}/tasks?limit=0`, '400 limit: Must be a whole number from 1 to 100'],
  [`/projects/${at.project}/tasks?limit=101`, '400 limit: Must be a whole number from 1 to 100'],
  [`/projects/${at.project}/tasks?limit=1.5`, '400 limit: Must be a whole number from 1 to 100'],
  [`/projects/99/tasks?limit=0`, '400 limit: Must be a whole number from 1 to 100'],
  [
    `/projects/${at.project}/tasks?completed_since=yesterday`,
    '400 completed_since: Date must be in ISO-8601 (yyyy-mm-dd) format, not: yesterday',
  ],
  [
    `/tasks?project=${at.project}&modified_since=2026-02-30`,
    '400 modified_since: Date must be in ISO-8601 (yyyy-mm-dd) format, not: 2026-02-30',
  ],
  [`/projects?workspace=${w}&archived=0`, '400 archived: Value must be true or false, not: 0'],
  [
    `/projects/${at.project_bulk}/tasks`,
    '400 The result is too large. You should use pagination (may require specifying a workspace)!',
  ],
  [`/workspaces/${w}/tasks/search`, '400 You must specify at least one search filter.'],
  [`/workspaces/${w}/tasks/search?sort_by=likes&limit=5`, '400 You must specify at least one search filter.'],
]

for (const [path, said] of sayings) {
  test(`GET ${path} is refused: ${said}`, async () => {
    assert.equal(await refusal(path), said)
  })
}

test('a refusal has the documented body and nothing more', async () => {
  const { body, headers } = await get('/tasks/123')
  assert.deepEqual(body, {
    errors: [
      {
        message: 'task: Unknown object: 123',
        help: 'For more information on API status codes and how to handle them, read the docs on errors: https://developers.asana.com/docs/errors',
      },
    ],
  })
  assert.equal(headers.get('content-type'), 'application/json; charset=UTF-8')
})

test('the route is checked before the token, the token before everything else', async () => {
  assert.equal(await refusal('/nowhere', ''), '404 No matching route for request')
  assert.equal(await refusal('/tasks', ''), '401 Not Authorized')
  assert.equal(await refusal('/tasks', 'forged'), '401 Not Authorized')
  const wrongMethod = await fetch(`${baseUrl}/tasks/${at.task}`, { method: 'DELETE' })
  assert.equal(wrongMethod.status, 404)
})

test('search needs a paid plan', async () => {
  const path = `/workspaces/${at.workspace_free}/tasks/search?completed=false`
  assert.equal(await refusal(path, token.free), '402 Search is only available to premium users.')
  assert.equal(await refusal(path, token.two), '402 Search is only available to premium users.')
  assert.equal((await get(`/workspaces/${w}/tasks/search?completed=false`, token.two)).status, 200)
})

test('a person in several workspaces has to say which; a person in one need not', async () => {
  for (const path of ['/projects', '/users', '/tags']) {
    assert.equal((await get(path)).status, 200)
    assert.equal((await get(path, token.two)).status, 400)
    assert.equal(
      (await get(`${path}?limit=5`, token.two)).body.errors[0].message,
      'Need to specify a workspace to paginate!',
    )
    assert.equal((await get(`${path}?workspace=${w}`, token.two)).status, 200)
  }
})

test('unknown parameters and fields are ignored without a word', async () => {
  const { status, body } = await get(`/tasks/${at.task}?opt_fields=name,sticker_name&asignee=1`)
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(body.data), ['gid', 'name'])
})

test('an access token ends after an hour and says so', async () => {
  assert.equal((await get('/users/me', token.oauth)).status, 200)
  simulators.advance(3_600_000)
  assert.match(await refusal('/users/me', token.oauth), /^401 The bearer token has expired/)
  assert.ok(oauth.refresh_token)
})
