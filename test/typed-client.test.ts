import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { simulators } from '../src/connectors/simulators.ts'
import { ConexError, connect } from '../src/index.ts'
import { startSimulators } from '../src/simulator/simulators.ts'

const isConex = (code: string) => (error: unknown) => error instanceof ConexError && error.code === code

describe('the client library, in the program’s own process', () => {
  it('knows params and records by their types, and runs what it knows', async (t) => {
    const systems = await startSimulators(Object.values(simulators))
    t.after(() => systems.close())
    const at = systems.landmarks('asana') as Record<'project' | 'workspace' | 'task' | 'attachment_text', string>
    const { base_url: baseUrl, credentials } = systems.describe().asana!
    const asana = connect('asana', {
      credentials: { token: credentials[0]!.token! },
      baseUrl,
      allowPrivateNetwork: true,
    })
    t.after(() => asana.close())

    const open = await asana.tasks.list({ project: at.project, completed_since: 'now', modified_since: '2020-01-01' })
    const name: string | undefined = open.result[0]?.name
    assert.equal(typeof name, 'string')
    const found = await asana.workspace_task_search.list({
      workspace_gid: at.workspace,
      'created_at.after': '2020-01-01T00:00:00Z',
      'assignee.any': 'me',
      sort_ascending: true,
    })
    assert.ok(found.result.length > 0)
    const project = await asana.projects.get({ project_gid: at.project })
    const due: string | null = project.result.due_on
    assert.ok(due === null || /^\d{4}-\d\d-\d\d$/.test(due))

    let pages = 0
    for await (const page of asana.tasks.list.pages({ project: at.project, limit: 4 })) {
      assert.ok(page.result.length <= 4)
      pages++
    }
    let tasks = 0
    for await (const task of asana.tasks.list.all({ project: at.project, limit: 4 })) {
      assert.match(task.gid, /^\d+$/)
      tasks++
    }
    assert.equal(pages, Math.ceil(tasks / 4))
    assert.ok(Array.isArray((await asana.execute('tasks', 'list', { project: at.project })).result))

    const { body, headers } = await asana.attachments.download({
      attachment_gid: at.attachment_text,
      range_header: 'bytes=0-5',
    })
    assert.equal(Buffer.concat(await Array.fromAsync(body)).toString(), 'Agreed')
    assert.match(headers.get('content-range')!, /^bytes 0-5\//)

    await assert.rejects(asana.tasks.search({ query: {} }), isConex('search_unavailable'))
    // @ts-expect-error a misspelt param is none
    await assert.rejects(asana.tasks.list({ project: at.project, asignee: 'me' }), isConex('invalid_params'))
    // @ts-expect-error a param of another type is none
    await assert.rejects(asana.tasks.list({ project: 7 }), isConex('invalid_params'))
    // @ts-expect-error a required param cannot be left out
    await assert.rejects(asana.project_tasks.list(), isConex('invalid_params'))
    // @ts-expect-error sections cannot be listed
    await assert.rejects(asana.sections.list(), isConex('unknown_action'))
    // @ts-expect-error there is no such entity
    await assert.rejects(asana.execute('taks', 'list'), isConex('unknown_entity'))
  })

  it('refuses credentials of no known form, and an unknown kind, before anything is sent', async () => {
    // @ts-expect-error credentials are those of one auth method
    await assert.rejects(connect('asana', { credentials: { api_key: 'x' } }).check(), isConex('invalid_credentials'))
    // @ts-expect-error there is no such kind
    await assert.rejects(connect('trello', { credentials: {} }).check(), isConex('invalid_request'))
  })
})
