/** Projects: lists by workspace, team and task, and the complete project. */
import {
  array,
  arrayOf,
  boolean,
  entity,
  get,
  id,
  list,
  nullable,
  object,
  optional,
  text,
} from '../../kit/connector.ts'
import { archived, compactRecord, gid, pages } from './fields.ts'
import { soleWorkspace } from './sole-workspace.ts'
import { projectStream } from './streams.ts'

const common = { recordsAt: ['data'], record: compactRecord, paging: pages, scopes: ['projects:read'] } as const

export const projects = entity({
  description: 'Projects of a workspace or a team.',
  list: list({
    ...common,
    description: 'List the projects of a workspace or a team. Both are optional for people with a single workspace.',
    path: '/projects',
    params: {
      workspace: optional(gid('The workspace of the projects.')),
      team: optional(gid('The team of the projects.')),
      archived,
    },
    prepare: soleWorkspace,
  }),
  get: get({
    description: 'Get one project.',
    path: '/projects/{project_gid}',
    params: { project_gid: gid('The project.') },
    recordsAt: ['data'],
    record: {
      gid: id(),
      archived: boolean(),
      color: nullable(text()),
      completed: boolean(),
      completed_at: nullable(text()),
      created_at: text(),
      current_status: nullable(object()),
      current_status_update: nullable(object()),
      custom_fields: array(),
      default_access_level: text(),
      default_view: text(),
      due_on: nullable(text()),
      due_date: nullable(text('The older name of due_on.')),
      followers: arrayOf(object()),
      members: arrayOf(object()),
      minimum_access_level_for_customization: text(),
      minimum_access_level_for_sharing: text(),
      modified_at: text(),
      name: text(),
      notes: text(),
      // Null for projects whose owner has left, and for projects without a team.
      owner: nullable(object()),
      permalink_url: text(),
      privacy_setting: text(),
      public: boolean(),
      resource_type: text(),
      start_on: nullable(text()),
      team: nullable(object()),
      workspace: object(),
    },
    scopes: ['projects:read', 'teams:read'],
  }),
  searchable: {
    archived: 'boolean',
    color: 'string',
    created_at: 'string',
    current_status: 'object',
    custom_field_settings: 'array',
    custom_fields: 'array',
    default_view: 'string',
    due_date: 'string',
    due_on: 'string',
    followers: 'array',
    gid: 'string',
    html_notes: 'string',
    icon: 'string',
    is_template: 'boolean',
    members: 'array',
    modified_at: 'string',
    name: 'string',
    notes: 'string',
    owner: 'object',
    permalink_url: 'string',
    public: 'boolean',
    resource_type: 'string',
    start_on: 'string',
    team: 'object',
    workspace: 'object',
  },
  sync: projectStream,
})

export const taskProjects = entity({
  description: 'Projects that one task is in.',
  list: list({
    ...common,
    description: 'List the projects that a task is in.',
    path: '/tasks/{task_gid}/projects',
    params: { task_gid: gid('The task.') },
  }),
})

export const teamProjects = entity({
  description: 'Projects of one team.',
  list: list({
    ...common,
    description: 'List the projects of a team.',
    path: '/teams/{team_gid}/projects',
    params: { team_gid: gid('The team.'), archived },
  }),
})

export const workspaceProjects = entity({
  description: 'Projects of one workspace.',
  list: list({
    ...common,
    description: 'List the projects of a workspace.',
    path: '/workspaces/{workspace_gid}/projects',
    params: { workspace_gid: gid('The workspace.'), archived },
  }),
})
