/** Tasks: lists by scope, by project and around one task, and the complete task. */
import { entity, exactlyOneOf, get, list, optional } from '../../kit/connector.ts'
import { choice, gid, pages, recordsOf, time, timeOrNow, user } from './fields.ts'
import { taskStream } from './streams.ts'
import { listedTask, listedTaskFields, wholeTask } from './task-record.ts'

const completedSince = optional(
  timeOrNow('Only tasks that are incomplete or were completed since this time; now means incomplete ones.'),
)

const common = {
  ...recordsOf('task'),
  record: listedTask,
  paging: pages,
  select: { ...choice, default: listedTaskFields },
  scopes: ['tasks:read'],
} as const

export const tasks = entity({
  description: 'Tasks of a project, a section, or an assignee in a workspace.',
  list: list({
    ...common,
    description: 'List the tasks of one project, of one section, or of one assignee in a workspace.',
    path: '/tasks',
    params: {
      project: optional(gid('The project of the tasks.')),
      workspace: optional(gid('The workspace of the assignee’s tasks.')),
      section: optional(gid('The section of the tasks.')),
      assignee: optional(user('The assignee of the tasks: a gid, an e-mail address or me.')),
      completed_since: completedSince,
      modified_since: optional(time('Only tasks modified since this time.')),
    },
    rules: [
      exactlyOneOf(
        [['project'], ['section'], ['workspace', 'assignee']],
        'Give exactly one scope: project, or section, or workspace together with assignee.',
      ),
    ],
  }),
  get: get({
    description: 'Get one task with all of its fields.',
    path: '/tasks/{task_gid}',
    params: { task_gid: gid('The task.') },
    ...recordsOf('task'),
    record: wholeTask,
    scopes: ['tasks:read'],
  }),
  searchable: {
    actual_time_minutes: 'integer',
    approval_status: 'string',
    assignee: 'object',
    completed: 'boolean',
    completed_at: 'string',
    completed_by: 'object',
    created_at: 'string',
    custom_fields: 'array',
    dependencies: 'array',
    dependents: 'array',
    due_at: 'string',
    due_on: 'string',
    external: 'object',
    followers: 'array',
    gid: 'string',
    hearted: 'boolean',
    hearts: 'array',
    html_notes: 'string',
    is_rendered_as_separator: 'boolean',
    liked: 'boolean',
    likes: 'array',
    memberships: 'array',
    modified_at: 'string',
    name: 'string',
    notes: 'string',
    num_hearts: 'integer',
    num_likes: 'integer',
    num_subtasks: 'integer',
    parent: 'object',
    permalink_url: 'string',
    projects: 'array',
    resource_subtype: 'string',
    resource_type: 'string',
    start_on: 'string',
    tags: 'array',
    workspace: 'object',
  },
  indexed: ['assignee.gid', 'assignee.name', 'completed_by.gid', 'parent.gid'],
  sync: taskStream,
})

export const projectTasks = entity({
  description: 'Tasks of one project, in the project’s order.',
  list: list({
    ...common,
    description: 'List the tasks of a project.',
    path: '/projects/{project_gid}/tasks',
    params: { project_gid: gid('The project.'), completed_since: completedSince },
  }),
})

/** A list that belongs to one task. */
const ofTask = (path: string, description: string) =>
  list({ ...common, description, path, params: { task_gid: gid('The task.') } })

export const taskSubtasks = entity({
  description: 'Subtasks of one task.',
  list: ofTask('/tasks/{task_gid}/subtasks', 'List the subtasks of a task.'),
})

export const taskDependencies = entity({
  description: 'Tasks that one task depends on.',
  list: ofTask('/tasks/{task_gid}/dependencies', 'List the tasks that a task depends on.'),
})

export const taskDependents = entity({
  description: 'Tasks that depend on one task.',
  list: ofTask('/tasks/{task_gid}/dependents', 'List the tasks that depend on a task.'),
})
