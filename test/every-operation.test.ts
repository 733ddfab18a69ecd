import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { ConnectorType } from '../src/catalog/describe.ts'
import { connect } from '../src/client/connect.ts'
import { conforms } from '../src/conformance/conforms.ts'
import { type Hosted, isFine, startHosted } from './hosted.ts'

type Local = ReturnType<typeof connect<'asana'>>

describe('every operation of the task-management connector', () => {
  let hosted: Hosted
  let local: Local
  let type: ConnectorType

  before(async () => {
    hosted = await startHosted()
    local = connect('asana', {
      credentials: hosted.credentials('one') as { token: string },
      baseUrl: hosted.systems.describe().asana!.base_url,
      allowPrivateNetwork: true,
    })
    type = isFine(await hosted.call('GET', '/v1/integrations/connector-types/asana', { token: hosted.ann }))
  })
  after(async () => {
    await local.close()
    await hosted.close()
  })

  const recordOf = (entity: string, name: string): object =>
    type.entities.find((one) => one.name === entity)!.actions.find((one) => one.name === name)!.record!

  /** Each list and get with params that find something. */
  const reads = (at: Readonly<Record<string, string>>): readonly (readonly [string, 'list' | 'get', object])[] => [
    ['tasks', 'list', { project: at.project }],
    ['tasks', 'list', { section: at.section }],
    ['tasks', 'list', { workspace: at.workspace, assignee: 'me', completed_since: 'now' }],
    ['tasks', 'list', { project: at.project, modified_since: '2020-01-01T00:00:00Z' }],
    ['tasks', 'get', { task_gid: at.task }],
    ['project_tasks', 'list', { project_gid: at.project, limit: 5 }],
    ['workspace_task_search', 'list', { workspace_gid: at.workspace, completed: false }],
    ['projects', 'list', {}],
    ['projects', 'list', { workspace: at.workspace, archived: false }],
    ['projects', 'list', { team: at.team }],
    ['projects', 'get', { project_gid: at.project }],
    ['task_projects', 'list', { task_gid: at.task_in_two_projects }],
    ['team_projects', 'list', { team_gid: at.team }],
    ['workspace_projects', 'list', { workspace_gid: at.workspace }],
    ['workspaces', 'list', {}],
    ['workspaces', 'get', { workspace_gid: at.workspace }],
    ['users', 'list', {}],
    ['users', 'list', { workspace: at.workspace, limit: 3 }],
    ['users', 'get', { user_gid: 'me' }],
    ['users', 'get', { user_gid: at.user }],
    ['workspace_users', 'list', { workspace_gid: at.workspace }],
    ['team_users', 'list', { team_gid: at.team, limit: 2 }],
    ['teams', 'get', { team_gid: at.team }],
    ['workspace_teams', 'list', { workspace_gid: at.workspace }],
    ['user_teams', 'list', { user_gid: 'me', organization: at.workspace }],
    ['attachments', 'list', { parent: at.task_with_attachments }],
    ['attachments', 'list', { parent: at.project_brief }],
    ['attachments', 'get', { attachment_gid: at.attachment }],
    ['attachments', 'get', { attachment_gid: at.attachment_external_null }],
    ['workspace_tags', 'list', { workspace_gid: at.workspace }],
    ['tags', 'get', { tag_gid: at.tag }],
    ['project_sections', 'list', { project_gid: at.project }],
    ['sections', 'get', { section_gid: at.section }],
    ['task_subtasks', 'list', { task_gid: at.task }],
    ['task_dependencies', 'list', { task_gid: at.task_with_dependencies }],
    ['task_dependents', 'list', { task_gid: at.task_with_dependents }],
  ]

  it('answers in its declared shape whatever params it is asked with, the same hosted and local', async () => {
    for (const [entity, name, params] of reads(hosted.at)) {
      const label = `${entity}.${name} ${JSON.stringify(params)}`
      const answer = isFine(await hosted.execute(entity, name, params))
      const records = name === 'list' ? answer.result : [answer.result]
      assert.ok(Array.isArray(records) && records.length > 0, `${label} found nothing`)
      for (const record of records) conforms(record, recordOf(entity, name), label)
      if (name === 'list') assert.ok('next_page' in answer.connector_metadata, label)
      else assert.deepEqual(answer.connector_metadata, {}, label)
      assert.equal(answer.connector_metadata.warnings, undefined, label)
      const here = await local.execute(entity as 'tasks', name, params)
      assert.deepEqual(timeless(here), timeless(answer), label)
    }
  })

  it('gives the whole task, with more than is declared', async () => {
    const { result } = isFine(await hosted.execute('tasks', 'get', { task_gid: hosted.at.task }))
    for (const field of [
      'name',
      'notes',
      'assignee',
      'memberships',
      'custom_fields',
      'due_on',
      'workspace',
      'followers',
    ])
      assert.ok(field in result, field)
  })

  it('gives texts as the system has them, whatever they hold', async () => {
    const project = hosted.at.project_quirks!
    const nul = { change: 'create', what: 'task', name: 'a\u0000b', project, external: { gid: 'x', data: '\u0000' } }
    const { gid } = hosted.systems.change('asana', nul) as { gid: string }
    const { base_url, credentials } = hosted.systems.describe().asana!
    const direct = await fetch(`${base_url}/tasks?project=${project}&limit=100&opt_fields=name`, {
      headers: { authorization: `Bearer ${credentials[0]!.token}` },
    })
    const { data } = (await direct.json()) as { data: { gid: string; name: string }[] }
    const names = (tasks: readonly { name: string }[]) => tasks.map(({ name }) => name)
    const listed = isFine(await hosted.execute('tasks', 'list', { project })).result
    assert.deepEqual(names(listed), names(data))
    assert.ok(names(listed).includes('a\u0000b'))
    const got = isFine(
      await hosted.execute('tasks', 'get', { task_gid: data.find(({ name }) => name === 'a\u0000b')!.gid }),
    )
    assert.equal(got.result.name, 'a\u0000b')
    hosted.systems.change('asana', { change: 'trash', gid: gid ?? got.result.gid })
  })

  it('a listed attachment has the fields of a listed one and invents none', async () => {
    const params = { parent: hosted.at.task_with_attachments }
    for (const record of isFine(await hosted.execute('attachments', 'list', params)).result)
      assert.deepEqual(Object.keys(record).sort(), ['gid', 'name', 'resource_subtype', 'resource_type'])
    const { result } = isFine(await hosted.execute('attachments', 'get', { attachment_gid: hosted.at.attachment }))
    assert.match(result.download_url, /^http/)
    assert.equal(result.size, 482_113)
  })

  it('a person whose address Asana does not show is answered without one', async () => {
    const { result } = isFine(await hosted.execute('users', 'get', { user_gid: hosted.at.user_without_email }))
    assert.equal(result.gid, hosted.at.user_without_email)
    assert.equal(result.email ?? null, null)
  })

  it('a task that depends on nothing, a project without tasks and a task without project give empty lists', async () => {
    for (const [entity, params] of [
      ['task_dependencies', { task_gid: hosted.at.task_without_project }],
      ['project_tasks', { project_gid: hosted.at.project_empty }],
      ['task_projects', { task_gid: hosted.at.task_without_project }],
    ] as const)
      assert.deepEqual(isFine(await hosted.execute(entity, 'list', params)), {
        result: [],
        connector_metadata: { next_page: null },
      })
  })

  it('a project of more than a thousand tasks is read to its end, each task once', async () => {
    for (const limit of [undefined, 100, 77]) {
      const gids: string[] = []
      let offset: string | undefined
      do {
        const page = isFine(
          await hosted.execute('project_tasks', 'list', { project_gid: hosted.at.project_bulk, limit, offset }),
        )
        assert.ok(page.result.length <= (limit ?? 100))
        gids.push(...page.result.map(({ gid }: { gid: string }) => gid))
        offset = page.connector_metadata.next_page?.offset
      } while (offset !== undefined)
      assert.equal(gids.length, 1050)
      assert.equal(new Set(gids).size, 1050)
    }
    const here = await Array.fromAsync(local.project_tasks.list.all({ project_gid: hosted.at.project_bulk! }))
    assert.equal(new Set(here.map(({ gid }) => gid)).size, 1050)
  })

  it('users of a workspace are paged although the system does not page them', async () => {
    const params = { workspace_gid: hosted.at.workspace }
    const all = isFine(await hosted.execute('workspace_users', 'list', params)).result
    const gids: string[] = []
    let offset: string | undefined
    do {
      const page = isFine(await hosted.execute('workspace_users', 'list', { ...params, limit: 7, offset }))
      gids.push(...page.result.map(({ gid }: { gid: string }) => gid))
      offset = page.connector_metadata.next_page?.offset
    } while (offset !== undefined)
    assert.deepEqual(
      gids,
      all.map(({ gid }: { gid: string }) => gid),
    )
  })

  it('a list of users that the system cuts says so', async (t) => {
    const large = await startHosted({ simulators: { scale: 100_000 } })
    t.after(() => large.close())
    const { result, connector_metadata } = isFine(
      await large.execute('workspace_users', 'list', { workspace_gid: large.at.workspace }),
    )
    assert.equal(result.length, 2000)
    assert.match(connector_metadata.warnings[0].message, /2,000 users/)
  })

  it('200 calls at once are all answered right', async () => {
    const many = Array.from({ length: 200 }, (_, index) => reads(hosted.at)[index % 36]!)
    const expected = new Map<string, string>()
    for (const [entity, name, params] of reads(hosted.at))
      expected.set(
        JSON.stringify([entity, params]),
        JSON.stringify(timeless(await local.execute(entity as 'tasks', name, params))),
      )
    const answers = await Promise.all(many.map(([entity, name, params]) => hosted.execute(entity, name, params)))
    for (const [index, answer] of answers.entries()) {
      const [entity, , params] = many[index]!
      assert.equal(JSON.stringify(timeless(isFine(answer))), expected.get(JSON.stringify([entity, params])))
    }
  })
})

/** Without what differs from one reading to the next: signed addresses and page tokens. */
const timeless = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer), (key, value) =>
    ['download_url', 'view_url', 'offset', 'path', 'uri', 'photo'].includes(key) && value !== null
      ? typeof value
      : value,
  )
