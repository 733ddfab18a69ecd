/** Projects: lists by workspace, team and task, and the complete project. */
import { entity, get, list, optional } from '../../kit/connector.ts'
import { archived, gid, pages, recordsOf } from './fields.ts'
import { listedProject, wholeProject } from './project-record.ts'
import { soleWorkspace } from './sole-workspace.ts'
import { projectStream } from './streams.ts'

const common = {
  ...recordsOf('project'),
  record: listedProject,
  paging: pages,
  scopes: ['projects:read'],
} as const

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
    ...recordsOf('project'),
    record: wholeProject,
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
  indexed: ['owner.gid', 'team.gid'],
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
