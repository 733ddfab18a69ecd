import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { badIds } from '../src/catalog/hostile-params.suite.ts'
import { type Hosted, isFine, isProblem, startHosted } from './hosted.ts'

describe('params', () => {
  let hosted: Hosted
  before(async () => {
    hosted = await startHosted()
  })
  beforeEach(() => hosted.calm())
  after(() => hosted.close())

  /** Refused with the path of the fault, and nothing sent. */
  async function refused(entity: string, action: string, params: unknown, path?: string, detail?: RegExp) {
    const answer = await hosted.execute(entity, action, params)
    isProblem(answer, 'invalid_params', path)
    if (detail !== undefined) assert.match(answer.text, detail)
    assert.deepEqual(hosted.received(), [])
  }

  it('an unknown entity, action or param is refused with the nearest known name', async () => {
    for (const [entity, action, code, detail] of [
      ['task', 'list', 'unknown_entity', /did you mean \W*tasks/],
      ['Tasks', 'list', 'unknown_entity', /tasks/],
      ['__proto__', 'list', 'unknown_entity', /./],
      ['constructor', 'list', 'unknown_entity', /./],
      ['', 'list', 'unknown_entity', /./],
      ['tasks', 'lst', 'unknown_action', /list/],
      ['tasks', 'create', 'unknown_action', /list/],
      ['tasks', 'download', 'unknown_action', /list/],
      ['teams', 'list', 'unknown_action', /get/],
      ['tasks', 'toString', 'unknown_action', /./],
    ] as const) {
      const answer = await hosted.execute(entity, action, {})
      isProblem(answer, code)
      assert.match(answer.text, detail)
    }
    assert.deepEqual(hosted.received(), [])
    await refused('tasks', 'list', { asignee: '1', workspace: '1' }, '/params/asignee', /assignee/)
    await refused('workspace_task_search', 'list', { workspace_gid: '1', assignee_any: '1' }, '/params/assignee_any')
    await refused('workspace_task_search', 'list', { workspace_gid: '1', 'project.any': '1' }, '/params/project.any')
    await refused('workspaces', 'list', { constructor: { prototype: {} } }, '/params/constructor')
    await refused('tasks', 'get', { task_gid: '1', opt_fields: 'name' }, '/params/opt_fields')
  })

  it('there is no search of what is only a list', async () => {
    isProblem(await hosted.execute('project_tasks', 'search', { query: {} }), 'unknown_action')
    assert.deepEqual(hosted.received(), [])
  })

  it('params that are missing are named', async () => {
    for (const [entity, action, param] of [
      ['tasks', 'get', 'task_gid'],
      ['project_tasks', 'list', 'project_gid'],
      ['workspace_task_search', 'list', 'workspace_gid'],
      ['projects', 'get', 'project_gid'],
      ['task_projects', 'list', 'task_gid'],
      ['team_projects', 'list', 'team_gid'],
      ['workspace_projects', 'list', 'workspace_gid'],
      ['workspaces', 'get', 'workspace_gid'],
      ['users', 'get', 'user_gid'],
      ['workspace_users', 'list', 'workspace_gid'],
      ['team_users', 'list', 'team_gid'],
      ['teams', 'get', 'team_gid'],
      ['workspace_teams', 'list', 'workspace_gid'],
      ['user_teams', 'list', 'user_gid'],
      ['user_teams', 'list', 'organization'],
      ['attachments', 'list', 'parent'],
      ['attachments', 'get', 'attachment_gid'],
      ['attachments', 'download', 'attachment_gid'],
      ['workspace_tags', 'list', 'workspace_gid'],
      ['tags', 'get', 'tag_gid'],
      ['project_sections', 'list', 'project_gid'],
      ['sections', 'get', 'section_gid'],
      ['task_subtasks', 'list', 'task_gid'],
      ['task_dependencies', 'list', 'task_gid'],
      ['task_dependents', 'list', 'task_gid'],
    ] as const) {
      await refused(entity, action, {}, `/params/${param}`)
      await refused(entity, action, undefined, `/params/${param}`)
    }
    await refused('user_teams', 'list', { user_gid: 'me' }, '/params/organization')
  })

  it('params of another type are refused, not converted', async () => {
    for (const given of [7, true, null, [], {}, ['1'], 1.5, ''])
      await refused('tasks', 'get', { task_gid: given }, '/params/task_gid')
    for (const given of ['false', 0, 1, null, 'true'])
      await refused('projects', 'list', { workspace: '1', archived: given }, '/params/archived')
    for (const given of [0, -1, 101, 1.5, '50', null, 1e300, true])
      await refused('project_tasks', 'list', { project_gid: '1', limit: given }, '/params/limit', /1.*100|whole/)
    for (const given of ['', 7, null, {}])
      await refused('project_tasks', 'list', { project_gid: '1', offset: given }, '/params/offset')
    for (const given of [[], 'x', 7, true]) {
      const answer = await hosted.execute('workspaces', 'list', given)
      assert.equal(answer.status, 422, answer.text)
      assert.match(answer.body.detail, /: params must be an object\.$/)
    }
    assert.deepEqual(hosted.received(), [])
  })

  it('every fault of a call is told at once', async () => {
    const answer = await hosted.execute('user_teams', 'list', { limit: 0, offset: '', oganization: '1' })
    isProblem(answer, 'invalid_params')
    assert.deepEqual(answer.body.errors.map(({ path }: { path: string }) => path).sort(), [
      '/params/limit',
      '/params/offset',
      '/params/oganization',
      '/params/organization',
      '/params/user_gid',
    ])
  })

  it('times are sent with capital letters, words as they are', async () => {
    const { project, workspace } = hosted.systems.landmarks('asana')
    const times = { completed_since: '2026-05-01t00:00:00z', modified_since: '2026-05-02T00:00:00.250z' }
    isFine(await hosted.execute('tasks', 'list', { project, ...times }))
    isFine(await hosted.execute('tasks', 'list', { project, completed_since: 'now', modified_since: '2026-05-02' }))
    const search = { text: 'zt', 'created_at.after': '2026-05-01t00:00:00+02:00' }
    isFine(await hosted.execute('workspace_task_search', 'list', { workspace_gid: workspace, ...search }))
    const sent = hosted.received().map(({ query }) => new URLSearchParams(query))
    assert.deepEqual(
      sent.map((query) => [query.get('completed_since'), query.get('modified_since')]),
      [
        ['2026-05-01T00:00:00Z', '2026-05-02T00:00:00.250Z'],
        ['now', '2026-05-02'],
        [null, null],
      ],
    )
    assert.deepEqual([sent[2]?.get('text'), sent[2]?.get('created_at.after')], ['zt', '2026-05-01T00:00:00+02:00'])
  })

  it('tasks are listed in exactly one scope', async () => {
    for (const params of [
      {},
      { assignee: 'me' },
      { workspace: '1' },
      { completed_since: 'now' },
      { project: '1', section: '2' },
      { project: '1', workspace: '2' },
      { project: '1', workspace: '2', assignee: 'me' },
      { section: '1', assignee: 'me' },
    ])
      await refused('tasks', 'list', params, undefined, /exactly one scope/)
  })

  it('a task search needs a filter, and an order is none', async () => {
    for (const params of [{}, { sort_by: 'created_at' }, { sort_ascending: true, limit: 5 }])
      await refused(
        'workspace_task_search',
        'list',
        { workspace_gid: '1', ...params },
        undefined,
        /at least one filter/,
      )
    await refused(
      'workspace_task_search',
      'list',
      { workspace_gid: '1', text: 'x', sort_by: 'name' },
      '/params/sort_by',
    )
  })

  it('false is a value: it goes upstream once, and counts as a filter', async () => {
    const sent = () => new URLSearchParams(hosted.received().at(-1)!.query)
    isFine(await hosted.execute('projects', 'list', { workspace: hosted.at.workspace, archived: false }))
    assert.deepEqual(sent().getAll('archived'), ['false'])
    const search = { workspace_gid: hosted.at.workspace, completed: false, sort_ascending: false }
    isFine(await hosted.execute('workspace_task_search', 'list', search))
    assert.deepEqual(sent().getAll('completed'), ['false'])
    assert.deepEqual(sent().getAll('sort_ascending'), ['false'])
  })

  it('names with dots go upstream as they are written', async () => {
    const search = {
      workspace_gid: hosted.at.workspace,
      'assignee.any': 'me',
      'created_at.after': '2020-01-01T00:00:00+02:00',
      'due_on.before': '2030-12-31',
    }
    isFine(await hosted.execute('workspace_task_search', 'list', search))
    const query = new URLSearchParams(hosted.received()[0]!.query)
    for (const [name, value] of Object.entries(search))
      if (name !== 'workspace_gid') assert.equal(query.get(name), value)
  })

  it('a list without a limit asks for a hundred, and so has a next page', async () => {
    const page = isFine(await hosted.execute('project_tasks', 'list', { project_gid: hosted.at.project_bulk }))
    assert.equal(new URLSearchParams(hosted.received()[0]!.query).get('limit'), '100')
    assert.equal(page.result.length, 100)
    assert.ok(page.connector_metadata.next_page.offset)
  })

  it('an id is never a way to another path', async () => {
    for (const task_gid of badIds) await refused('tasks', 'get', { task_gid }, '/params/task_gid')
    for (const user_gid of ['../workspaces', 'me/teams', 'a/b@c', 'a?b@c', 'ME\n', '@'])
      await refused('users', 'get', { user_gid }, '/params/user_gid')
    await refused('tasks', 'list', { project: '1&opt_fields=x' }, '/params/project')
  })

  it('an e-mail address is one encoded step of the path', async () => {
    const email = 'nobody+%2e%2e@northpass.example'
    isProblem(await hosted.execute('users', 'get', { user_gid: email }), 'record_not_found')
    assert.equal(hosted.received().length, 1)
    assert.equal(hosted.received()[0]!.path, `/asana/api/1.0/users/${encodeURIComponent(email)}`)
  })

  it('dates have to exist', async () => {
    for (const given of [
      '2024-02-30',
      '2023-02-29',
      '2024-13-01',
      '2024-1-1',
      'yesterday',
      '',
      '2024-02-30T00:00:00Z',
      7,
    ])
      await refused('tasks', 'list', { project: '1', modified_since: given }, '/params/modified_since')
    for (const given of ['2024-01-01T24:00:00Z', '2024-01-01T00:60:00Z', '2024-01-01T00:00:00', '2024-01-01 00:00:00Z'])
      await refused('tasks', 'list', { project: '1', completed_since: given }, '/params/completed_since')
    for (const given of ['2024-02-30', '2024-01-01T00:00:00Z', 'now'])
      await refused(
        'workspace_task_search',
        'list',
        { workspace_gid: '1', 'due_on.after': given },
        '/params/due_on.after',
      )
    for (const given of ['now', '2024-02-29', '2024-01-01T00:00:00Z', '2024-01-01T00:00:00.000+05:30'])
      isFine(await hosted.execute('tasks', 'list', { project: hosted.at.project, completed_since: given }))
  })

  it('params of great depth or size are refused like others', async () => {
    const deep = `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`
    for (const params of [`{"task_gid":${deep}}`, `{"task_gid":"1","x":${'['.repeat(100)}${']'.repeat(100)}}`]) {
      const body = `{"entity":"tasks","action":"get","params":${params}}`
      const answer = await hosted.call('POST', `/api/v1/connectors/sources/${hosted.connector}/execute`, {
        token: hosted.ann,
        body,
      })
      assert.ok(answer.status === 422 || answer.status === 400, answer.text)
    }
    const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`p${index}`, index]))
    await refused('workspaces', 'list', many)
  })

  it('a person in several workspaces is told them when none is named', async () => {
    const connector = await hosted.connect(hosted.credentials('two'))
    for (const entity of ['projects', 'users']) {
      const answer = await hosted.execute(entity, 'list', {}, { connector })
      isProblem(answer, 'invalid_params', '/params/workspace')
      assert.match(answer.body.detail, new RegExp(`${hosted.at.workspace}.*Northpass.*${hosted.at.workspace_free}`))
      isFine(await hosted.execute(entity, 'list', { workspace: hosted.at.workspace }, { connector }))
    }
  })

  it('a page token that has run out, or is none, says to start again', async () => {
    const params = { project_gid: hosted.at.project_bulk }
    const { offset } = isFine(await hosted.execute('project_tasks', 'list', params)).connector_metadata.next_page
    hosted.calm()
    isFine(await hosted.execute('project_tasks', 'list', { ...params, offset }))
    hosted.systems.advance(16 * 60_000)
    hosted.calm()
    for (const token of [offset, 'nonsense', `${offset}x`, 'ey.ey.ey', 'a&limit=1', '\ud800']) {
      const answer = await hosted.execute('project_tasks', 'list', { ...params, offset: token })
      isProblem(answer, 'invalid_cursor')
      assert.match(answer.body.detail, /first page/)
    }
    assert.equal(hosted.received().length, 6)
    const users = { workspace_gid: hosted.at.workspace, limit: 2 }
    for (const token of ['nonsense', offset])
      isProblem(await hosted.execute('workspace_users', 'list', { ...users, offset: token }), 'invalid_cursor')
    const page = isFine(await hosted.execute('workspace_users', 'list', users))
    const other = { team_gid: hosted.at.team, limit: 2, offset: page.connector_metadata.next_page.offset }
    isProblem(await hosted.execute('team_users', 'list', other), 'invalid_cursor')
  })

  it('what the system does not show is told as its own refusal', async () => {
    isProblem(await hosted.execute('tasks', 'get', { task_gid: '99' }), 'record_not_found')
    isProblem(await hosted.execute('tasks', 'get', { task_gid: hosted.at.project }), 'record_not_found')
    isProblem(await hosted.execute('tasks', 'get', { task_gid: hosted.at.task_private }), 'upstream_forbidden')
    const volunteer = await hosted.connect(hosted.credentials('volunteer'))
    const search = { workspace_gid: hosted.at.workspace_free, text: 'a' }
    const answer = await hosted.execute('workspace_task_search', 'list', search, { connector: volunteer })
    isProblem(answer, 'upstream_plan_required')
    assert.match(answer.body.detail, /paid plan.*project_tasks/)
  })
})
