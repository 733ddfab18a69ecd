/** Asana's own task search: live, for paid plans, without pages of its own. */
import {
  atLeastOneOf,
  boolean,
  date,
  entity,
  integer,
  list,
  oneOf,
  optional,
  text,
  timePaging,
} from '../../kit/connector.ts'
import { choice, gid, gids, ofType, time } from './fields.ts'
import { listedTask, listedTaskFields } from './task-record.ts'

const filters = {
  text: optional(text('Words in the name or the description.', { minLength: 1, maxLength: 4000 })),
  completed: optional(boolean('true finds only completed tasks, false only the others.')),
  'assignee.any': optional(gids('Assigned to any of these users; null means unassigned.')),
  'projects.any': optional(gids('In any of these projects, or in any of sections.any.')),
  'sections.any': optional(gids('In any of these sections.')),
  'teams.any': optional(gids('In any of these teams.')),
  'followers.any': optional(gids('Followed by any of these users.')),
  'created_at.after': optional(time('Created after this time.')),
  'created_at.before': optional(time('Created before this time.')),
  'modified_at.after': optional(time('Modified after this time.')),
  'modified_at.before': optional(time('Modified before this time.')),
  'due_on.after': optional(date('Due after this date.')),
  'due_on.before': optional(date('Due before this date.')),
  resource_subtype: optional(text('default_task, milestone, approval or custom.', { minLength: 1, maxLength: 100 })),
} as const

/** The paging that the reference of searchTasksForWorkspace describes: by creation time, at most 100 in an answer. */
const pages = timePaging({
  params: {
    limit: optional(integer('Records per page, 1 to 100; 100 by default.', { minimum: 1, maximum: 100 })),
    offset: optional(text('next_page.offset of the previous page.', { minLength: 1 })),
  },
  limit: 'limit',
  offset: 'offset',
  size: 100,
  time: { field: 'created_at', before: 'created_at.before', after: 'created_at.after' },
  sort: { param: 'sort_by', byTime: 'created_at', ascending: 'sort_ascending' },
  cutWarning:
    'Asana returns at most 100 tasks here, and there may be more; sort by created_at to get pages, or narrow the filters.',
  blockName: 'next_page',
})

export const workspaceTaskSearch = entity({
  description: 'Live search for tasks in a workspace by Asana itself; needs a paid Asana plan.',
  list: list({
    description:
      'Search the tasks of a workspace live. The default order is newest first; only the order by created_at has pages.',
    path: '/workspaces/{workspace_gid}/tasks/search',
    params: {
      workspace_gid: gid('The workspace.'),
      ...filters,
      sort_by: optional(
        oneOf(
          ['due_date', 'created_at', 'completed_at', 'likes', 'modified_at', 'relevance'],
          'The order; created_at by default, the only order with pages.',
        ),
      ),
      sort_ascending: optional(boolean('true for ascending order; descending by default.')),
    },
    rules: [
      atLeastOneOf(
        Object.keys(filters),
        `Give at least one filter: ${Object.keys(filters).join(', ')}; sort_by and sort_ascending are not filters.`,
      ),
    ],
    paging: pages,
    recordsAt: ['data'],
    record: listedTask,
    reshape: ofType('task'),
    select: { ...choice, default: [...listedTaskFields, 'created_at'] },
    scopes: ['tasks:read'],
  }),
})
