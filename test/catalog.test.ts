import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { ConnectorType } from '../src/catalog/describe.ts'
import { conex } from './conex.ts'
import type { Ended } from './printed.ts'

/** Entities, their actions and their params as the service promises them; `*` means required. */
const promised = `
tasks list project, workspace, section, assignee, completed_since, modified_since
tasks get task_gid*
project_tasks list project_gid*, completed_since
workspace_task_search list workspace_gid*, text, completed, assignee.any, projects.any, sections.any, teams.any, followers.any, created_at.after, created_at.before, modified_at.after, modified_at.before, due_on.after, due_on.before, resource_subtype, sort_by, sort_ascending
projects list workspace, team, archived
projects get project_gid*
task_projects list task_gid*
team_projects list team_gid*, archived
workspace_projects list workspace_gid*, archived
workspaces list
workspaces get workspace_gid*
users list workspace, team
users get user_gid*
workspace_users list workspace_gid*
team_users list team_gid*
teams get team_gid*
workspace_teams list workspace_gid*
user_teams list user_gid*, organization*
attachments list parent*
attachments get attachment_gid*
attachments download attachment_gid*, range_header
workspace_tags list workspace_gid*
tags get tag_gid*
project_sections list project_gid*
sections get section_gid*
task_subtasks list task_gid*
task_dependencies list task_gid*
task_dependents list task_gid*
`

const searchable = {
  tasks:
    'actual_time_minutes approval_status assignee completed completed_at completed_by created_at custom_fields dependencies dependents due_at due_on external followers gid hearted hearts html_notes is_rendered_as_separator liked likes memberships modified_at name notes num_hearts num_likes num_subtasks parent permalink_url projects resource_subtype resource_type start_on tags workspace',
  projects:
    'archived color created_at current_status custom_field_settings custom_fields default_view due_date due_on followers gid html_notes icon is_template members modified_at name notes owner permalink_url public resource_type start_on team workspace',
  workspaces: 'email_domains gid is_organization name resource_type',
  users: 'email gid name photo resource_type workspaces',
  teams: 'description gid html_description name organization permalink_url resource_type',
  attachments:
    'connected_to_app created_at download_url gid host name parent permanent_url resource_subtype resource_type size view_url',
  tags: 'color followers gid name permalink_url resource_type workspace',
  sections: 'created_at gid name project resource_type',
}

describe('conex catalog', () => {
  let printed: Ended
  before(async () => {
    printed = await conex(['catalog', 'asana', '--json'])
  })

  it('lists the operations of the task-management kind, with exactly their names and params', async () => {
    assert.equal(printed.code, 0)
    const types = typesOf(printed)
    assert.equal(types.length, 1)
    const { connector_type, definition_id, entities, replication_config } = types[0]!
    assert.deepEqual(
      [connector_type, definition_id, replication_config],
      ['asana', 'd0243522-dccf-4978-8ba0-37ed47a0bdbf', null],
    )
    const told = entities.flatMap(({ name, actions }) =>
      actions
        .filter((action) => action.name !== 'search')
        .map((action) => {
          const { properties, required = [] } = action.params as unknown as {
            properties: object
            required?: readonly string[]
          }
          const params = Object.keys(properties)
            .filter((param) => action.name !== 'list' || (param !== 'limit' && param !== 'offset'))
            .map((param) => (required.includes(param) ? `${param}*` : param))
          if (action.name === 'list') assert.ok('limit' in properties && 'offset' in properties)
          return `${name} ${action.name} ${params.sort().join(', ')}`.trim()
        }),
    )
    const wanted = promised
      .trim()
      .split('\n')
      .map((line) => {
        const [entity, action, ...params] = line.split(' ')
        return `${entity} ${action} ${params.join(' ').split(', ').sort().join(', ')}`.trim()
      })
    assert.equal(wanted.length, 28)
    assert.deepEqual(told.sort(), wanted.sort())
  })

  it('lists the searchable entities with exactly their fields', async () => {
    const [type] = typesOf(printed)
    const entities = type!.entities.filter(({ actions }) => actions.some(({ name }) => name === 'search'))
    assert.deepEqual(
      Object.fromEntries(
        entities.map(({ name, searchable_fields }) => [name, Object.keys(searchable_fields).sort().join(' ')]),
      ),
      searchable,
    )
    for (const { name, searchable_fields } of type!.entities)
      assert.ok(name in searchable || Object.keys(searchable_fields).length === 0)
  })

  it('prints a table for people, all kinds when none is named, and refuses an unknown one', async () => {
    const [table, all, unknown] = await Promise.all([
      conex(['catalog', 'Asana', '--table']),
      conex(['catalog', '--json']),
      conex(['catalog', 'asna', '--table']),
    ])
    assert.match(table.stdout.toString(), /^Asana \(asana\)/)
    assert.match(table.stdout.toString(), /^ +\* +sql +sql\*, limit$/m)
    assert.match(table.stdout.toString(), /user_teams +list +.*user_gid\*.*organization\*/)
    assert.ok(typesOf(all).some(({ connector_type }) => connector_type === 'asana'))
    assert.equal(unknown.code, 2)
    assert.match(unknown.stderr, /asana/)
  })
})

/** Each line is one. */
const typesOf = ({ stdout }: Ended): ConnectorType[] =>
  stdout
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
