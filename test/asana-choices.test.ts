/** What callers choose is asked of Asana: any field of a whole record, in lists as well. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { simulators } from '../src/connectors/simulators.ts'
import { connect } from '../src/index.ts'
import { type RunningSimulators, startSimulators } from '../src/simulator/simulators.ts'

describe('fields chosen of Asana', () => {
  let systems: RunningSimulators
  before(async () => {
    systems = await startSimulators([simulators.asana])
  })
  after(() => systems.close())

  function open() {
    const { base_url: baseUrl, credentials } = systems.describe().asana!
    const at = systems.landmarks('asana') as Record<'project' | 'workspace' | 'task', string>
    const asana = connect('asana', {
      credentials: { token: credentials[0]!.token! },
      baseUrl,
      allowPrivateNetwork: true,
    })
    return { asana, at }
  }

  it('come in lists, and inside of other fields', async (t) => {
    const { asana, at } = open()
    t.after(() => asana.close())
    const choose = (...select_fields: string[]) => ({ select_fields })
    const { result: projects } = await asana.projects.list(
      { workspace: at.workspace },
      choose('modified_at', 'workspace.name'),
    )
    assert.match(projects[0]!.modified_at!, /^\d{4}-/)
    assert.deepEqual(Object.keys(projects[0]!), ['modified_at', 'workspace'])
    assert.deepEqual(Object.keys(projects[0]!.workspace!), ['name'])
    const { result: users } = await asana.workspace_users.list({ workspace_gid: at.workspace }, choose('email'))
    assert.match(users[0]!.email!, /@/)
    const { result: task } = await asana.tasks.get({ task_gid: at.task }, choose('resource_type', 'html_notes'))
    assert.deepEqual(Object.keys(task).sort(), ['html_notes', 'resource_type'])
    const found = await Array.fromAsync(
      asana.workspace_task_search.list.all({ workspace_gid: at.workspace, completed: false }, choose('assignee.name')),
    )
    assert.ok(found.length > 1000, 'and the pages go on')
    assert.ok(found.every((one) => ['', 'assignee'].includes(Object.keys(one).join())))
  })
})
