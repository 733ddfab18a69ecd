/** The lists of tasks, and the search: every filter narrows, lists of alternatives widen, and there is one page. */
import { inOrder, onePage, only, type PageStyle, param, type Ranked, recordsOf } from '../../../kit/simulator.ts'
import * as declare from './declare.ts'
import type { Task } from './records.ts'
import { messages, refuse } from './refusals.ts'
import type { Ask } from './world.ts'

const { date, filter, flag, gid, limit, lookUp, one, own, person, personNamed, persons } = declare
const { records, shownFields, time } = declare

/** Open tasks, and those that were completed since. */
const completed_since = filter(time, ({ completed_at }: Task, value) => completed_at === null || completed_at >= value)
const modified_since = filter(time, ({ modified_at }: Task, value) => modified_at >= value)

/** Exactly one scope; a person and a workspace are one together. */
function tasksInScope(ask: Ask): Ranked<Task> {
  const { project, section, tag, user_task_list, assignee, workspace } = ask.args as Readonly<Record<string, string>>
  const single = [project, section, tag, user_task_list].filter((value) => value !== undefined)
  const pair = [assignee, workspace].filter((value) => value !== undefined)
  if (single.length * 2 + pair.length !== 2)
    refuse(400, 'Must specify exactly one of project, tag, section, user task list, or assignee + workspace')
  if (project !== undefined) return ask.world.projectTasks(lookUp(ask, 'project', project))
  if (section !== undefined) return ask.world.sectionTasks(lookUp(ask, 'section', section))
  if (tag !== undefined) return ask.world.tasksBy('tags', lookUp(ask, 'tag', tag).gid)
  if (user_task_list !== undefined) refuse(404, `user_task_list: Unknown object: ${user_task_list}`)
  const { gid } = lookUp(ask, 'workspace', workspace ?? '')
  const assigned = ask.world.tasksBy('assignee', lookUp(ask, 'user', assignee ?? '').gid)
  return only(assigned, (task) => task.workspace === gid)
}

/** Tasks that wait for another, or that it waits for; a feature of paid plans. */
function linked(ask: Ask, field: 'dependencies' | 'dependents'): Ranked<Task> {
  const { workspace, [field]: gids } = own(ask, 'task')
  if (!ask.world.find('workspace', workspace)?.paid) refuse(402, 'Dependencies are only available to premium users.')
  return inOrder(gids.flatMap((gid) => ask.world.find('task', gid) ?? []))
}

/** Relevance here is the time of the last change. */
const orders = ['due_date', 'created_at', 'completed_at', 'likes', 'modified_at', 'relevance']
const fields: Readonly<Record<string, string>> = { due_date: 'due_on', relevance: 'modified_at' }

/** What a search sorts by: likes by their number. */
function keyOf(task: Task, order: string): number | string | null {
  const value = task[fields[order] ?? order]
  return Array.isArray(value) ? value.length : (value as string | null)
}

const oneOf = (words: readonly string[]) =>
  param.word(words, { fault: `Value must be one of ${words.join(', ')}, not: %` })

/** The first tasks in order, and no pointer to more; tasks without a value to sort by come last. */
const bestOf: PageStyle<Task> = {
  params: { limit, sort_by: oneOf(orders), sort_ascending: flag, ...shownFields },
  cut({ rows, keep }, { limit: size = 20, sort_by = 'modified_at', sort_ascending = false }) {
    const found = recordsOf(rows, keep).map((task) => ({ task, key: keyOf(task, String(sort_by)) }))
    found.sort(({ key: a }, { key: b }) => {
      if (a === b) return 0
      return a !== null && (b === null || a < b === sort_ascending) ? -1 : 1
    })
    return onePage(found.slice(0, Number(size)).map(({ task }) => task))
  },
}

/** Whether a person is among alternatives. */
const isAmong = (values: readonly string[], gid: string | null, ask: Ask) =>
  values.some((value) => (value === 'null' ? gid === null : gid === (personNamed(ask, value)?.gid ?? value)))

const bounds = (field: 'created_at' | 'modified_at' | 'due_on', kind = time) => ({
  [`${field}.after`]: filter(kind, ({ [field]: at }: Task, value) => at !== null && at > value),
  [`${field}.before`]: filter(kind, ({ [field]: at }: Task, value) => at !== null && at < value),
})

const searched = {
  text: filter(param.text(), ({ name, notes }: Task, value) =>
    [name, notes].some((text) => text.toLowerCase().includes(value.toLowerCase())),
  ),
  completed: filter(flag, ({ completed_at }: Task, value) => (completed_at !== null) === value),
  'assignee.any': filter(persons, ({ assignee }: Task, values, ask) => isAmong(values, assignee, ask)),
  'followers.any': filter(persons, ({ followers }: Task, values, ask) =>
    followers.some((follower) => isAmong(values, follower, ask)),
  ),
  'teams.any': filter(param.words(), ({ projects }: Task, values, { world }) =>
    projects.some((gid) => values.some((team) => world.find('project', gid)?.team === team)),
  ),
  ...bounds('created_at'),
  ...bounds('modified_at'),
  ...bounds('due_on', date),
  resource_subtype: filter(
    oneOf(['default_task', 'milestone', 'approval', 'custom']),
    ({ resource_subtype }: Task, value) => resource_subtype === value,
  ),
}

const places = { 'projects.any': param.words(), 'sections.any': param.words() }

/** Projects and sections widen each other; without any, the search is in the whole workspace. */
function searchedTasks(ask: Ask<param.ArgsOf<typeof places>>): Ranked<Task> {
  const { world, args } = ask
  const { 'projects.any': projects, 'sections.any': sections } = args
  const filters = [...Object.keys(searched), ...Object.keys(places)]
  if (!Object.keys(args).some((name) => filters.includes(name)))
    refuse(400, 'You must specify at least one search filter.')
  const { gid, paid } = own(ask, 'workspace')
  if (!paid) refuse(402, messages.paidSearch)
  if (projects === undefined && sections === undefined) return world.tasksBy('workspace', gid)
  const inProjects = projects?.flatMap((one) => world.find('project', one) ?? []).map(world.projectTasks) ?? []
  const inSections = sections?.flatMap((one) => world.find('section', one) ?? []).map(world.sectionTasks) ?? []
  const found = [...inProjects, ...inSections].flatMap((rows) => recordsOf(rows, (task) => task.workspace === gid))
  return inOrder([...new Map(found.map((task) => [task.gid, task])).values()])
}

const scope = { project: gid, section: gid, tag: gid, user_task_list: gid, assignee: person, workspace: gid }

export const taskRoutes = [
  one('/tasks/{gid}', 'task'),
  records('/tasks', 'task', tasksInScope, { params: scope, filters: { completed_since, modified_since } }),
  records('/tasks/{gid}/subtasks', 'task', (ask) => ask.world.subtasks(own(ask, 'task'))),
  records('/tasks/{gid}/dependencies', 'task', (ask) => linked(ask, 'dependencies')),
  records('/tasks/{gid}/dependents', 'task', (ask) => linked(ask, 'dependents')),
  records('/projects/{gid}/tasks', 'task', (ask) => ask.world.projectTasks(own(ask, 'project')), {
    filters: { completed_since },
  }),
  records('/sections/{gid}/tasks', 'task', (ask) => ask.world.sectionTasks(own(ask, 'section')), {
    filters: { completed_since },
  }),
  records('/tags/{gid}/tasks', 'task', (ask) => ask.world.tasksBy('tags', own(ask, 'tag').gid)),
  records('/workspaces/{gid}/tasks/search', 'task', searchedTasks, {
    params: places,
    filters: searched,
    pages: bestOf,
  }),
]
