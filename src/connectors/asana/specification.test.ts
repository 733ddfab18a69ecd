/** The catalog against the specification, written out by hand: what is wrong or missing in either fails here. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { describeConnector, findEntity } from '../../kit/connector.ts'
import { asana } from './connector.ts'

/** Params of each live operation; `*` marks the required ones. Every list also takes `limit` and `offset`. */
const operations: Record<string, string> = {
  'tasks list': 'project, workspace, section, assignee, completed_since, modified_since',
  'tasks get': 'task_gid*',
  'project_tasks list': 'project_gid*, completed_since',
  'workspace_task_search list':
    'workspace_gid*, text, completed: boolean, assignee.any, projects.any, sections.any, teams.any, followers.any, created_at.after, created_at.before, modified_at.after, modified_at.before, due_on.after, due_on.before, resource_subtype, sort_by, sort_ascending: boolean',
  'projects list': 'workspace, team, archived: boolean',
  'projects get': 'project_gid*',
  'task_projects list': 'task_gid*',
  'team_projects list': 'team_gid*, archived: boolean',
  'workspace_projects list': 'workspace_gid*, archived: boolean',
  'workspaces list': '',
  'workspaces get': 'workspace_gid*',
  'users list': 'workspace, team',
  'users get': 'user_gid*',
  'workspace_users list': 'workspace_gid*',
  'team_users list': 'team_gid*',
  'teams get': 'team_gid*',
  'workspace_teams list': 'workspace_gid*',
  'user_teams list': 'user_gid*, organization*',
  'attachments list': 'parent*',
  'attachments get': 'attachment_gid*',
  'attachments download': 'attachment_gid*, range_header',
  'workspace_tags list': 'workspace_gid*',
  'tags get': 'tag_gid*',
  'project_sections list': 'project_gid*',
  'sections get': 'section_gid*',
  'task_subtasks list': 'task_gid*',
  'task_dependencies list': 'task_gid*',
  'task_dependents list': 'task_gid*',
}

const compact = 'gid, resource_type, name'
const listedTask = 'gid, resource_type, name, resource_subtype, created_by: obj'

/** Record fields, in the specification's own notation: text unless stated, `?` for one that may be null. */
const records: Record<string, string> = {
  'tasks list': listedTask,
  'tasks get': 'gid',
  'project_tasks list': listedTask,
  'workspace_task_search list': listedTask,
  'projects list': compact,
  'projects get':
    'gid, archived: boolean, color?, completed: boolean, completed_at?, created_at, current_status: obj?, current_status_update: obj?, custom_fields: arr, default_access_level, default_view, due_on?, due_date?, followers: arr<obj>, members: arr<obj>, minimum_access_level_for_customization, minimum_access_level_for_sharing, modified_at, name, notes, owner: obj, permalink_url, privacy_setting, public: boolean, resource_type, start_on?, team: obj, workspace: obj',
  'task_projects list': compact,
  'team_projects list': compact,
  'workspace_projects list': compact,
  'workspaces list': compact,
  'workspaces get': 'gid, resource_type, name, email_domains: arr<string>, is_organization: boolean',
  'users list': compact,
  'users get': 'gid, email, name, resource_type, photo: obj?, workspaces: arr<obj>',
  'workspace_users list': compact,
  'team_users list': compact,
  'teams get': 'gid, name, permalink_url, resource_type, organization: obj',
  'workspace_teams list': compact,
  'user_teams list': compact,
  'attachments list': 'gid, resource_type, name, resource_subtype',
  'attachments get':
    'gid, resource_type, name, resource_subtype, created_at, host, download_url?, permanent_url?, view_url?, parent: obj, size: integer?',
  'workspace_tags list': compact,
  'tags get': 'gid, resource_type, name, color, created_at, notes, permalink_url, followers: arr, workspace: obj',
  'project_sections list': compact,
  'sections get': 'gid, resource_type, name, created_at, project: obj',
  'task_subtasks list': listedTask,
  'task_dependencies list': listedTask,
  'task_dependents list': listedTask,
}

/** Where the system sends null although the specification does not say so: refusing the record would help nobody. */
const deviations: Record<string, Record<string, string>> = {
  'projects get': {
    owner: 'the reference of ProjectResponse: null for a project whose owner has left',
    team: 'projects made without a team have none',
  },
  'tags get': { color: 'the reference of TagResponse: null for a tag that never got one' },
}

/** Arrays of which the specification says no more, and the reference that their items are objects. */
const ofObjects = ['projects get custom_fields', 'tags get followers']

const searchable: Record<string, string> = {
  tasks:
    'actual_time_minutes: integer, approval_status, completed_at, created_at, due_at, due_on, gid, html_notes, modified_at, name, notes, permalink_url, resource_subtype, resource_type, start_on, assignee: object, completed_by: object, external: object, parent: object, workspace: object, completed: boolean, hearted: boolean, is_rendered_as_separator: boolean, liked: boolean, custom_fields: array, dependencies: array, dependents: array, followers: array, hearts: array, likes: array, memberships: array, projects: array, tags: array, num_hearts: integer, num_likes: integer, num_subtasks: integer',
  projects:
    'archived: boolean, is_template: boolean, public: boolean, color, created_at, default_view, due_date, due_on, gid, html_notes, icon, modified_at, name, notes, permalink_url, resource_type, start_on, current_status: object, owner: object, team: object, workspace: object, custom_field_settings: array, custom_fields: array, followers: array, members: array',
  workspaces: 'email_domains: array, gid, name, resource_type, is_organization: boolean',
  users: 'email, gid, name, resource_type, photo: object, workspaces: array',
  teams: 'description, gid, html_description, name, permalink_url, resource_type, organization: object',
  attachments:
    'connected_to_app: boolean, created_at, download_url, gid, host, name, permanent_url, resource_subtype, resource_type, view_url, parent: object, size: integer',
  tags: 'color, gid, name, permalink_url, resource_type, followers: array, workspace: object',
  sections: 'created_at, gid, name, resource_type, project: object',
}

const described = describeConnector(asana)

interface Schema {
  readonly type?: string
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean
}

/** As it is declared. */
const recordOf = (entity: string, action: 'get' | 'list') => findEntity(asana, entity)[action]!.record as Schema

const live = described.entities.flatMap((entity) =>
  entity.actions
    .filter(({ name }) => name !== 'search')
    .map((action) => ({
      name: `${entity.name} ${action.name}`,
      params: action.params as Schema,
      record: action.name === 'get' || action.name === 'list' ? recordOf(entity.name, action.name) : null,
    })),
)

/** `name*: type` for each line of a table; text where no type stands. */
const parsed = (line: string): Record<string, string> =>
  Object.fromEntries(
    line
      .split(', ')
      .filter((part) => part !== '')
      .map((part) => {
        const [, name, mark, type] = /^([^:*?]+)([*?]?)(?:: (.+))?$/.exec(part)!
        return [name!, `${type ?? 'string'}${mark}`]
      }),
  )

/** A record field as the tables write it. */
function typeOf(schema: Schema): string {
  if (schema.anyOf?.some(({ type }) => type === 'null'))
    return `${typeOf(schema.anyOf.find(({ type }) => type !== 'null')!)}?`
  if (schema.type === 'object') return 'obj'
  if (schema.type === 'array') return schema.items === undefined ? 'arr' : `arr<${typeOf(schema.items)}>`
  return String(schema.type)
}

/** The JSON type of a param: a union of text forms is text. */
function paramType(schema: Schema): string {
  const types = new Set(schema.anyOf === undefined ? [schema.type] : schema.anyOf.map(({ type }) => type))
  return [...types].join('|')
}

describe('the task-management catalog is what the specification says', () => {
  it('with exactly its 28 live operations', () => {
    assert.equal(live.length, 28)
    assert.deepEqual(live.map(({ name }) => name).sort(), Object.keys(operations).sort())
  })

  for (const { name, params } of live)
    it(`with exactly its params of ${name}`, () => {
      const wanted = parsed(operations[name]!)
      if (name.endsWith(' list')) Object.assign(wanted, { limit: 'integer', offset: 'string' })
      const required = params.required ?? []
      const given = Object.entries(params.properties ?? {}).map(([param, schema]) => [
        param,
        paramType(schema) + (required.includes(param) ? '*' : ''),
      ])
      assert.deepEqual(Object.fromEntries(given), wanted)
      assert.equal(params.additionalProperties, false)
    })

  for (const { name, record } of live)
    it(`with exactly its record of ${name}`, () => {
      if (records[name] === undefined) return assert.equal(record, null)
      const wanted = parsed(records[name])
      for (const field of Object.keys(deviations[name] ?? {})) {
        assert.ok(!wanted[field]!.endsWith('?'), `${field} is no deviation`)
        wanted[field] += '?'
      }
      for (const field of Object.keys(wanted).filter((field) => ofObjects.includes(`${name} ${field}`))) {
        assert.equal(wanted[field], 'arr')
        wanted[field] = 'arr<obj>'
      }
      const given = record!.required!.map((field) => [field, typeOf(record!.properties![field]!)])
      assert.deepEqual(Object.fromEntries(given), wanted)
    })

  it('and every list can have the fields of the whole record', () => {
    const whole = {
      tasks: ['project_tasks', 'workspace_task_search', 'task_subtasks', 'task_dependencies', 'task_dependents'],
      projects: ['task_projects', 'team_projects', 'workspace_projects'],
      workspaces: [],
      users: ['workspace_users', 'team_users'],
      attachments: [],
    }
    const fieldsOf = (entity: string, action: 'get' | 'list') =>
      Object.keys(recordOf(entity, action).properties!).sort()
    for (const [entity, others] of Object.entries(whole))
      for (const name of [entity, ...others]) assert.deepEqual(fieldsOf(name, 'list'), fieldsOf(entity, 'get'), name)
    for (const name of ['workspace_teams', 'user_teams'])
      assert.deepEqual(fieldsOf(name, 'list'), fieldsOf('teams', 'get'))
    assert.equal(fieldsOf('tasks', 'get').length, 43)
  })

  it('with exactly its searchable entities and fields', () => {
    const wanted = Object.fromEntries(Object.entries(searchable).map(([name, line]) => [name, parsed(line)]))
    const searched = described.entities.filter(({ actions }) => actions.some(({ name }) => name === 'search'))
    assert.deepEqual(Object.fromEntries(searched.map((entity) => [entity.name, entity.searchable_fields])), wanted)
    for (const entity of described.entities)
      if (!searched.includes(entity)) assert.deepEqual(entity.searchable_fields, {})
  })

  it('with its usage rules', () => {
    const rules = described.entities.flatMap((entity) =>
      entity.actions.filter(({ rules }) => rules.length > 0).map(({ name }) => `${entity.name} ${name}`),
    )
    assert.deepEqual(rules.sort(), ['attachments download', 'tasks list', 'workspace_task_search list'])
  })

  it('with its two ways to give access', () => {
    assert.deepEqual(
      described.auth_methods.map(({ name, credentials }) => {
        const { properties, required } = credentials as Schema
        return [name, Object.keys(properties!), required]
      }),
      [
        ['oauth', ['refresh_token', 'access_token', 'client_id', 'client_secret'], ['refresh_token']],
        ['token', ['token'], ['token']],
      ],
    )
    assert.equal(described.replication_config, null)
  })
})
