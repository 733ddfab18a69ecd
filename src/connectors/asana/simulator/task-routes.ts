/** The lists of tasks, and the search: every filter narrows, lists of alternatives widen, and there is one page. */
import { inOrder, only, type PageStyle, param, type Ranked, recordsOf } from '../../../kit/simulator.ts'
import * as declare from './declare.ts'
import { limit, shownFields } from './pages.ts'
import type { Project, Section, Task } from './records.ts'
import { messages, refuse } from './refusals.ts'
import type { Ask } from './system.ts'

const { date, filter, flag, gid, lookUp, lookUpPerson, momentOf, one, own, person, persons, records, time } = declare

/** Open tasks, and those that were completed since. */
const completed_since = filter(time, ({ completed_at }: Task, value, ask) => {
  return completed_at === null || completed_at >= momentOf(value, ask)
})
const modified_since = filter(time, ({ modified_at }: Task, value, ask) => modified_at >= momentOf(value, ask))

const tagged = (ask: Ask, tag: string) => ask.world.taggedTasks(lookUp(ask, 'tag', tag))

/** Exactly one scope; a person and a workspace are one together. */
function tasksInScope(ask: Ask): Ranked<Task> {
  const { project, section, tag, user_task_list, assignee, workspace } = ask.args as Readonly<Record<string, string>>
  const single = [project, section, tag, user_task_list].filter((value) => value !== undefined)
  const pair = [assignee, workspace].filter((value) => value !== undefined)
  if (single.length * 2 + pair.length !== 2) refuse(400, messages.oneScope)
  if (project !== undefined) return ask.world.projectTasks(lookUp(ask, 'project', project))
  if (section !== undefined) return ask.world.sectionTasks(lookUp(ask, 'section', section))
  if (tag !== undefined) return tagged(ask, tag)
  if (user_task_list !== undefined) refuse(404, `user_task_list: Unknown object: ${user_task_list}`)
  const { gid } = lookUp(ask, 'workspace', workspace ?? '')
  return ask.world.assignedTasks(lookUpPerson(ask, assignee ?? ''), gid)
}

/** Tasks that wait for another, or that it waits for; a feature of paid plans. */
function linked(ask: Ask, field: 'dependencies' | 'dependents'): Ranked<Task> {
  const { workspace, [field]: gids } = own(ask, 'task')
  if (!ask.world.find('workspace', workspace)?.paid) refuse(402, 'Dependencies are only available to premium users.')
  return inOrder(gids.flatMap((gid) => ask.world.find('task', gid) ?? []))
}

/** Relevance here is the time of the last change. */
const orders: Readonly<Record<string, (task: Task) => number | string | null>> = {
  due_date: ({ due_on }) => due_on,
  created_at: ({ created_at }) => created_at,
  completed_at: ({ completed_at }) => completed_at,
  likes: ({ likes }) => likes.length,
  modified_at: ({ modified_at }) => modified_at,
  relevance: ({ modified_at }) => modified_at,
}

const oneOf = (words: readonly string[]) =>
  param.word(words, { fault: `Value must be one of ${words.join(', ')}, not: %` })

/** The first tasks in order, and no pointer to more; tasks without a value to sort by come last. */
const bestOf: PageStyle<Task> = {
  params: { limit, sort_by: oneOf(Object.keys(orders)), sort_ascending: flag, ...shownFields },
  cut({ rows, keep }, { limit: size = 20, sort_by = 'modified_at', sort_ascending = false }) {
    const orderOf = orders[String(sort_by)] as (task: Task) => number | string | null
    const found = recordsOf(only(rows as Ranked<Task>, keep)).map((task) => ({ task, at: orderOf(task) }))
    found.sort(({ at: a }, { at: b }) => {
      if (a === b) return 0
      return a !== null && (b === null || a < b === sort_ascending) ? -1 : 1
    })
    const best = found.slice(0, Number(size)).map(({ task }) => task)
    return { records: best, next: null, total: () => best.length, size: Number(size), number: 1 }
  },
}

/** Whether a person is among alternatives. */
const isAmong = (values: readonly string[], gid: string | null, { world, caller }: Ask) =>
  values.some((value) => {
    if (value === 'null') return gid === null
    if (value === 'me') return gid === caller.person.gid
    return gid === (value.includes('@') ? world.userAt(value)?.gid : value)
  })

const moments = (field: 'created_at' | 'modified_at') => ({
  [`${field}.after`]: filter(time, (task: Task, value, ask) => task[field] > momentOf(value, ask)),
  [`${field}.before`]: filter(time, (task: Task, value, ask) => task[field] < momentOf(value, ask)),
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
    projects.some((gid) => values.includes(world.find('project', gid)?.team ?? '')),
  ),
  ...moments('created_at'),
  ...moments('modified_at'),
  'due_on.after': filter(date, ({ due_on }: Task, value) => due_on !== null && due_on > value),
  'due_on.before': filter(date, ({ due_on }: Task, value) => due_on !== null && due_on < value),
  resource_subtype: filter(
    oneOf(['default_task', 'milestone', 'approval', 'custom']),
    ({ resource_subtype }: Task, value) => resource_subtype === value,
  ),
}

const places = { 'projects.any': param.words(), 'sections.any': param.words() }

/** Projects and sections widen each other; without any, the search is in the whole workspace. */
function searchedTasks(ask: Ask<param.ArgsOf<typeof places>>): Ranked<Task> {
  const { 'projects.any': projects, 'sections.any': sections, ...others } = ask.args
  const isNarrowed = Object.keys(others).some((name) => Object.hasOwn(searched, name))
  const isPlaced = projects !== undefined || sections !== undefined
  if (!isNarrowed && !isPlaced) refuse(400, messages.searchFilter)
  const { world } = ask
  const { gid, paid } = own(ask as Ask, 'workspace')
  if (!paid) refuse(402, messages.paidSearch)
  if (!isPlaced) return world.workspaceTasks(gid)
  const parts = [
    ...(projects ?? []).flatMap((one): Project[] | Project => world.find('project', one) ?? []).map(world.projectTasks),
    ...(sections ?? []).flatMap((one): Section[] | Section => world.find('section', one) ?? []).map(world.sectionTasks),
  ]
  const found = new Map(parts.flatMap(recordsOf).map((task) => [task.gid, task]))
  return only(inOrder([...found.values()]), (task) => task.workspace === gid)
}

const scope = { project: gid, section: gid, tag: gid, user_task_list: gid, assignee: person, workspace: gid }
const onlyCompleted = { filters: { completed_since } }

export const taskRoutes = [
  one('/tasks/{gid}', 'task'),
  records('/tasks', 'task', (ask) => tasksInScope(ask as Ask), {
    params: scope,
    filters: { completed_since, modified_since },
  }),
  records('/tasks/{gid}/subtasks', 'task', (ask) => ask.world.subtasks(own(ask, 'task'))),
  records('/tasks/{gid}/dependencies', 'task', (ask) => linked(ask, 'dependencies')),
  records('/tasks/{gid}/dependents', 'task', (ask) => linked(ask, 'dependents')),
  records('/projects/{gid}/tasks', 'task', (ask) => ask.world.projectTasks(own(ask, 'project')), onlyCompleted),
  records('/sections/{gid}/tasks', 'task', (ask) => ask.world.sectionTasks(own(ask, 'section')), onlyCompleted),
  records('/tags/{gid}/tasks', 'task', (ask) => tagged(ask, ask.path.gid ?? '')),
  records('/workspaces/{gid}/tasks/search', 'task', searchedTasks, {
    ...{ params: places, filters: searched, pages: bestOf },
  }),
]
