/** The lists of tasks, and the search: every filter narrows, lists of alternatives widen, and there is one page. */
import { type PageStyle, param } from '../../../kit/simulator.ts'
import {
  type Ask,
  date,
  flag,
  gid,
  gids,
  lookUp,
  lookUpPerson,
  momentOf,
  one,
  own,
  people,
  person,
  records,
  time,
} from './declare.ts'
import { inOrder, limit, only, type Ranked, recordsOf, shownFields } from './ranked.ts'
import type { Project, Section, Task } from './records.ts'
import { messages, refuse } from './refusals.ts'

/** Open tasks, and those that were completed since; tasks that changed since. */
const since = {
  completed_since: (task: Task, { args, now }: Ask) =>
    task.completed_at === null || task.completed_at >= momentOf(args.completed_since, now),
  modified_since: (task: Task, { args, now }: Ask) => task.modified_at >= momentOf(args.modified_since, now),
}
const completedSince = { params: { completed_since: time }, filters: { completed_since: since.completed_since } }

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
  const task = own(ask, 'task')
  if (!ask.world.find('workspace', task.workspace)?.paid)
    refuse(402, 'Dependencies are only available to premium users.')
  return inOrder(task[field].flatMap((gid) => ask.world.find('task', gid) ?? []))
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
  cut({ rows, keep }, args) {
    const size = (args.limit as number | undefined) ?? 20
    const orderOf = orders[String(args.sort_by ?? 'modified_at')] as (task: Task) => number | string | null
    const isBefore = (a: number | string | null, b: number | string | null): boolean => {
      if (a === b || a === null) return false
      return b === null || a < b === (args.sort_ascending === true)
    }
    // Keeps only as many as the answer shows.
    const best: Task[] = []
    for (let place = 0; place < rows.length; place++) {
      const task = rows.at(place)
      if (task === undefined || !keep(task)) continue
      let at = best.length
      while (at > 0 && isBefore(orderOf(task), orderOf(best[at - 1] as Task))) at -= 1
      best.splice(at, 0, task)
      if (best.length > size) best.pop()
    }
    return { records: best, next: null, total: () => best.length, size, number: 1 }
  },
}

const searched = {
  text: param.text(),
  completed: flag,
  'assignee.any': people,
  'projects.any': gids,
  'sections.any': gids,
  'teams.any': gids,
  'followers.any': people,
  'created_at.after': time,
  'created_at.before': time,
  'modified_at.after': time,
  'modified_at.before': time,
  'due_on.after': date,
  'due_on.before': date,
  resource_subtype: oneOf(['default_task', 'milestone', 'approval', 'custom']),
}

type Searched = Ask<param.ArgsOf<typeof searched>>

/** The gid of a person in an alternative; null for nobody. */
function gidOfPerson({ world, caller }: Searched, value: string): string | null {
  if (value === 'null') return null
  if (value === 'me') return caller.person.gid
  return value.includes('@') ? (world.collections.user.by('email', value.toLowerCase())[0]?.gid ?? value) : value
}

const isAmong = (ask: Searched, values: readonly string[] = [], gid: string | null) =>
  values.some((value) => gidOfPerson(ask, value) === gid)

const teamsOf = ({ world }: Searched, { projects }: Task) =>
  projects.map((gid) => world.find('project', gid)?.team ?? '')

/** A part of a time filter, for both its ends. */
const bounds = <N extends 'created_at' | 'modified_at'>(name: N) =>
  ({
    [`${name}.after`]: (task: Task, { args, now }: Ask) => task[name] > momentOf(args[`${name}.after`], now),
    [`${name}.before`]: (task: Task, { args, now }: Ask) => task[name] < momentOf(args[`${name}.before`], now),
  }) as Readonly<Record<`${N}.after` | `${N}.before`, (task: Task, ask: Ask) => boolean>>

const filters = {
  text({ name, notes }: Task, { args }: Searched) {
    const wanted = args.text?.toLowerCase() ?? ''
    return name.toLowerCase().includes(wanted) || notes.toLowerCase().includes(wanted)
  },
  completed: ({ completed_at }: Task, { args }: Searched) => (completed_at !== null) === args.completed,
  'assignee.any': ({ assignee }: Task, ask: Searched) => isAmong(ask, ask.args['assignee.any'], assignee),
  'teams.any': (task: Task, ask: Searched) => teamsOf(ask, task).some((team) => ask.args['teams.any']?.includes(team)),
  'followers.any': ({ followers }: Task, ask: Searched) =>
    followers.some((follower) => isAmong(ask, ask.args['followers.any'], follower)),
  ...bounds('created_at'),
  ...bounds('modified_at'),
  'due_on.after': ({ due_on }: Task, { args }: Searched) => due_on !== null && due_on > (args['due_on.after'] ?? ''),
  'due_on.before': ({ due_on }: Task, { args }: Searched) => due_on !== null && due_on < (args['due_on.before'] ?? ''),
  resource_subtype: (task: Task, { args }: Searched) => task.resource_subtype === args.resource_subtype,
}

function searchedTasks(ask: Searched): Ranked<Task> {
  if (!Object.keys(searched).some((name) => (ask as Ask).args[name] !== undefined)) refuse(400, messages.searchFilter)
  const { world, args } = ask
  const workspace = own(ask as Ask, 'workspace')
  if (!workspace.paid) refuse(402, messages.paidSearch)
  if (args['projects.any'] === undefined && args['sections.any'] === undefined)
    return world.workspaceTasks(workspace.gid)
  const projects = (args['projects.any'] ?? []).flatMap((gid): Project[] | Project => world.find('project', gid) ?? [])
  const sections = (args['sections.any'] ?? []).flatMap((gid): Section[] | Section => world.find('section', gid) ?? [])
  const parts = [...projects.map(world.projectTasks), ...sections.map(world.sectionTasks)]
  const found = new Map(parts.flatMap(recordsOf).map((task) => [task.gid, task]))
  return only(inOrder([...found.values()]), (task) => task.workspace === workspace.gid)
}

export const taskRoutes = [
  one('/tasks/{gid}', 'task'),
  records('/tasks', 'task', (ask) => tasksInScope(ask as Ask), {
    params: {
      ...{ project: gid, section: gid, tag: gid, user_task_list: gid, assignee: person, workspace: gid },
      ...{ completed_since: time, modified_since: time },
    },
    filters: since,
  }),
  records('/tasks/{gid}/subtasks', 'task', (ask) => ask.world.subtasks(own(ask, 'task'))),
  records('/tasks/{gid}/dependencies', 'task', (ask) => linked(ask, 'dependencies')),
  records('/tasks/{gid}/dependents', 'task', (ask) => linked(ask, 'dependents')),
  records('/projects/{gid}/tasks', 'task', (ask) => ask.world.projectTasks(own(ask, 'project')), completedSince),
  records('/sections/{gid}/tasks', 'task', (ask) => ask.world.sectionTasks(own(ask, 'section')), completedSince),
  records('/tags/{gid}/tasks', 'task', (ask) => tagged(ask, ask.path.gid ?? '')),
  records('/workspaces/{gid}/tasks/search', 'task', searchedTasks, { params: searched, filters, pages: bestOf }),
]
