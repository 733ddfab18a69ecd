import assert from 'node:assert/strict'
import { it } from 'node:test'
import { readRefusal } from './errors.ts'

const read = (status: number, body?: unknown) =>
  readRefusal({ path: '/tasks/1', status, headers: {}, body } as Parameters<typeof readRefusal>[0])
const saying = (...messages: string[]) => ({ errors: messages.map((message) => ({ message, help: 'Read the docs.' })) })

it('records under a success are no refusal, errors there are', () => {
  assert.equal(read(200, { data: [] }), null)
  assert.deepEqual(read(200, saying('Something broke')), { code: 'upstream_error', message: 'Something broke' })
})

for (const [status, message, code, more] of [
  [
    400,
    'Must specify exactly one of project, tag, section, user task list, or assignee + workspace',
    'upstream_refused',
  ],
  [400, 'parent: Missing input', 'upstream_refused'],
  [400, 'project: Not a recognized ID: abc', 'upstream_refused'],
  [400, 'Need to specify a workspace to paginate!', 'upstream_refused'],
  [400, 'offset: Your pagination token is invalid.', 'invalid_cursor'],
  [400, 'offset: Your pagination token has expired.', 'invalid_cursor'],
  [
    400,
    'The result is too large. You should use pagination (may require specifying a workspace)!',
    'upstream_refused',
    { smallerPage: true },
  ],
  [401, 'Not Authorized', 'reauthorization_required'],
  [401, 'The bearer token has expired. If you have a refresh token, use it.', 'reauthorization_required'],
  [402, 'Search is only available to premium users.', 'upstream_plan_required'],
  [403, 'You do not have access to this task.', 'upstream_forbidden'],
  [404, 'task: Unknown object: 1209876543210987', 'record_not_found'],
  [404, 'parent: Unknown object: 1209876543210987', 'record_not_found'],
  [404, 'user: Unknown object: ann@example.com', 'record_not_found'],
  [404, 'No matching route for request', 'upstream_invalid_response'],
  [412, 'Sync token invalid or too old.', undefined],
  [424, "You've made too many requests and hit a rate limit.", 'upstream_error', { transient: true }],
  [429, "You've made too many requests and hit a rate limit.", 'upstream_rate_limited', { transient: true }],
  [451, 'Unavailable', 'upstream_forbidden'],
  [500, 'Server Error', 'upstream_error', { transient: true }],
  [503, 'Unavailable', 'upstream_error', { transient: true }],
] as const)
  it(`${status} "${message}" is ${code ?? 'judged by its status'}`, () => {
    const { code: given, transient, smallerPage } = read(status, saying(message)) ?? {}
    const flags = { ...(transient && { transient }), ...(smallerPage && { smallerPage }) }
    assert.deepEqual([given, flags], [code, more ?? {}])
  })

it('a "not found" without words, and one about the path, say nothing about a record but where to look for the fault', () => {
  for (const body of [undefined, null, 'x', {}, { errors: [] }, saying('No matching route for request')]) {
    const refusal = read(404, body)!
    assert.equal(refusal.code, 'upstream_invalid_response')
    assert.match(refusal.detail!, /base address/)
  }
})

it('the phrase that Asana’s support asks for comes along', () => {
  const body = { errors: [{ message: 'Server Error', phrase: '5 calm otters paint quickly' }] }
  assert.equal(read(500, body)!.message, 'Server Error (phrase: 5 calm otters paint quickly)')
})
