/** The fields of a task (Asana reference, TaskResponse). */
import { arrayOf, boolean, id, integer, nullable, number, partialOf, text, withOptional } from '../../kit/connector.ts'
import { customField } from './custom-fields.ts'
import { compactRecord } from './fields.ts'
import { createdBy, like, named, resource, taskReference } from './references.ts'

/** A task in a list. Asana returns `created_by` only on request (reference, "Input/output options"). */
const listed = {
  ...compactRecord,
  resource_subtype: text('default_task, milestone, approval or custom; Asana may add more.'),
  created_by: createdBy,
} as const

/** The fields to request so that every usual field of a listed task comes back. */
export const listedTaskFields = ['name', 'resource_subtype', 'created_by'] as const

/** Asana sends most of them with a whole task, and any of them on request. */
const documented = {
  ...listed,
  actual_time_minutes: nullable(number('The time that people tracked, in minutes.')),
  approval_status: text('pending, approved, rejected or changes_requested; only approvals have it.'),
  assigned_by: nullable(named('The user who assigned the task.')),
  assignee: nullable(named('The user to whom the task is assigned.')),
  assignee_section: nullable(named('The section of the assignee’s My tasks.')),
  assignee_status: text('today, upcoming, later, new or inbox; deprecated by Asana.'),
  completed: boolean(),
  completed_at: nullable(text('ISO 8601, in UTC; null if the task is incomplete.')),
  completed_by: nullable(named('The user who completed the task.')),
  created_at: text('ISO 8601, in UTC.'),
  custom_fields: arrayOf(customField, 'The custom fields and their values.'),
  custom_type: nullable(named('The type of a custom task.')),
  custom_type_status_option: nullable(named('The status of a custom task.')),
  dependencies: arrayOf(resource(), 'The tasks that this one waits for.'),
  dependents: arrayOf(resource(), 'The tasks that wait for this one.'),
  due_at: nullable(text('ISO 8601, in UTC; null if the task has no due time.')),
  due_on: nullable(text('YYYY-MM-DD; null if the task has no due date.')),
  external: nullable(partialOf({ gid: text(), data: text() }, 'What the application of the grant stored here.')),
  followers: arrayOf(named()),
  hearted: boolean('The older name of liked.'),
  hearts: arrayOf(like, 'The older name of likes.'),
  html_notes: text('The description, as HTML.'),
  is_rendered_as_separator: boolean('Whether lists show the task as a separator.'),
  liked: boolean('Whether the user of the credentials likes the task.'),
  likes: arrayOf(like),
  memberships: arrayOf(
    partialOf({ project: named(), section: nullable(named('The section in that project.')) }),
    'The projects of the task, each with its section.',
  ),
  modified_at: text('ISO 8601, in UTC.'),
  notes: text('The description, as plain text.'),
  num_hearts: integer('The older name of num_likes.'),
  num_likes: integer(),
  num_subtasks: integer(),
  parent: nullable(taskReference('The task that this is a subtask of.')),
  permalink_url: text('The address of the task in Asana.'),
  projects: arrayOf(named(), 'The projects that contain the task itself.'),
  start_at: nullable(text('ISO 8601, in UTC; null if the task has no start time.')),
  start_on: nullable(text('YYYY-MM-DD; null if the task has no start date.')),
  tags: arrayOf(named()),
  workspace: named(),
} as const

export const listedTask = withOptional(listed, documented)

export const wholeTask = withOptional({ gid: id() }, documented)
