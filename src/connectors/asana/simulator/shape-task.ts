/** Tasks as answers. */
import { customValueInTask, customValueShape, customValues } from './custom-fields.ts'
import { gidOf } from './gids.ts'
import type { Place, Task } from './records.ts'
import {
  isoTime,
  isoTimeOrNull,
  numberOf,
  opening,
  tagShape,
  userOf,
  userShape,
  usersOf,
  workspaceShape,
} from './shape-parts.ts'
import { escapeHtml, projectShape, sectionShape } from './shape-project.ts'
import type { Shape, View } from './shapes.ts'

const placeShape: Shape<Place> = {
  plain: true,
  compact: [],
  fields: {
    project: { of: () => projectShape, get: (place, { world }) => world.find('project', place.project) },
    section: { of: () => sectionShape, get: (place, { world }) => world.find('section', place.section) },
  },
}

interface Like {
  readonly task: Task
  readonly user: string
}

const likeShape: Shape<Like> = {
  compact: ['user'],
  fields: {
    gid: { get: (like) => gidOf('like', (numberOf(like.task.gid) % 1_000_000) * 8 + (numberOf(like.user) % 8)) },
    user: { of: () => userShape, get: (like, view) => userOf(like.user, view) },
  },
}

/** Application data, with its existing names. */
const externalShape: Shape<Readonly<Record<string, unknown>>> = {
  plain: true,
  compact: ['gid', 'data'],
  fields: { gid: { get: (external) => external.gid }, data: { get: (external) => external.data } },
}

const likesOf = (task: Task) => task.likes.map((user) => ({ task, user }))
const likedBy = (task: Task, { person }: View) => task.likes.includes(person.gid)

function permalink(task: Task): string {
  const project = task.places[0]?.project
  const middle = project === undefined ? '' : `/project/${project}`
  return `https://app.asana.com/1/${task.workspace}${middle}/task/${task.gid}`
}

/** Answers leave out trashed projects. */
function placesOf(task: Task, { world }: View): readonly Place[] {
  if (!world.state.hasGoneRecords) return task.places
  return task.places.filter((place) => !world.state.gone.has(place.project))
}

function subtasks(task: Task, { world }: View): number {
  const generated = task.gid === gidOf('task', task.index)
  const { state } = world
  const key = `task/${task.gid}/subtasks`
  let count = state.added(key).filter((entry) => !state.gone.has(entry.gid)).length
  if (!generated) return count
  for (let nth = 0; nth < 8; nth++) {
    const subtask = world.subtaskAt(task, nth)
    if (subtask === undefined || state.hidden(key)?.has(subtask.gid) || state.gone.has(subtask.gid)) continue
    count += 1
  }
  return count
}

/** The due day determines the place of a task in the assignee's list. */
const assigneeStatus = (task: Task) =>
  task.completedAt !== null ? 'inbox' : task.dueOn === null ? 'later' : 'upcoming'

function customFieldsOf(task: Task, { world }: View) {
  const paid = world.find('workspace', task.workspace)?.paid ?? false
  if (!paid) return undefined
  const project = task.places[0] === undefined ? undefined : world.find('project', task.places[0].project)
  return project?.customFields ? customValues(task.index, false) : []
}

export const taskShape: Shape<Task> = {
  compact: ['gid', 'name', 'resource_type', 'resource_subtype'],
  fields: {
    ...opening<Task>(),
    resource_subtype: { get: (task) => task.subtype },
    actual_time_minutes: { get: (task) => task.actualMinutes },
    approval_status: { get: (task) => task.approval ?? undefined },
    assignee: { of: () => userShape, get: (task, view) => userOf(task.assignee, view) },
    assignee_status: { get: assigneeStatus },
    assignee_section: {
      of: () => sectionShape,
      get: (task, { person, world }) =>
        task.assignee === person.gid ? world.find('section', gidOf('section', 9 * 8)) : undefined,
    },
    completed: { get: (task) => task.completedAt !== null },
    completed_at: { get: (task) => isoTimeOrNull(task.completedAt) },
    completed_by: { optIn: true, of: () => userShape, get: (task, view) => userOf(task.completedBy, view) },
    created_at: { get: (task) => isoTime(task.createdAt) },
    created_by: {
      optIn: true,
      of: () => userShape,
      bare: ['resource_type'],
      get: (task, view) => userOf(task.createdBy, view),
    },
    custom_fields: { of: () => customValueShape, full: customValueInTask, get: customFieldsOf },
    dependencies: {
      optIn: true,
      of: () => taskShape,
      bare: ['resource_type'],
      get: (task, { world }) => linkedOf(task.dependencies, world),
    },
    dependents: {
      optIn: true,
      of: () => taskShape,
      bare: ['resource_type'],
      get: (task, { world }) => linkedOf(task.dependents, world),
    },
    due_at: { get: (task) => isoTimeOrNull(task.dueAt) },
    due_on: { get: (task) => task.dueOn },
    external: {
      optIn: true,
      of: () => externalShape,
      get: (task, { oauth }) => (oauth && task.external !== null ? task.external : undefined),
    },
    followers: { of: () => userShape, get: (task, view) => usersOf(task.followers, view) },
    hearted: { get: likedBy },
    hearts: { of: () => likeShape, get: likesOf },
    html_notes: { optIn: true, get: (task) => `<body>${escapeHtml(task.notes)}</body>` },
    is_rendered_as_separator: {
      optIn: true,
      get: (task) => (task.subtype === 'default_task' ? task.separator : undefined),
    },
    liked: { get: likedBy },
    likes: { of: () => likeShape, get: likesOf },
    memberships: { of: () => placeShape, full: ['project', 'section'], bare: [], get: placesOf },
    modified_at: { get: (task) => isoTime(task.modifiedAt) },
    notes: { get: (task) => task.notes },
    num_hearts: { get: (task) => task.likes.length },
    num_likes: { get: (task) => task.likes.length },
    num_subtasks: { optIn: true, get: subtasks },
    parent: {
      of: () => taskShape,
      get: (task, { world }) => (task.parent === null ? null : world.find('task', task.parent)),
    },
    permalink_url: { get: permalink },
    projects: {
      of: () => projectShape,
      get: (task, view) => placesOf(task, view).map((place) => view.world.find('project', place.project)),
    },
    start_at: { get: () => null },
    start_on: { get: (task) => task.startOn },
    tags: {
      of: () => tagShape,
      get: (task, { world }) => task.tags.map((gid) => world.find('tag', gid)).filter((tag) => tag !== undefined),
    },
    workspace: { of: () => workspaceShape, get: (task, { world }) => world.find('workspace', task.workspace) },
    assigned_by: { optIn: true, of: () => userShape, get: () => null },
    custom_type: { optIn: true, get: () => null },
    custom_type_status_option: { optIn: true, get: () => null },
  },
}

function linkedOf(gids: readonly string[], world: View['world']): Task[] {
  return gids.map((gid) => world.find('task', gid)).filter((task) => task !== undefined)
}
