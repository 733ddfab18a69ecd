/** The lists of tasks: by scope, by tag, by search, by dependency. */

import { filtered, type List } from './lists.ts'
import type { Task } from './records.ts'
import { messages, refuse } from './refusals.ts'
import {
  gidForm,
  lookUp,
  lookUpPerson,
  pageOf,
  personForm,
  type RequestContext,
  showAll,
  showList,
  showSeen,
} from './request-context.ts'
import { readSearch, runSearch, type SearchOrder } from './search.ts'
import { taskShape } from './shape-task.ts'

/** Reads the two time filters of task lists; call it before any look-up. */
export function timeFilter(
  context: RequestContext,
  names: readonly ('completed_since' | 'modified_since')[],
): (list: List<Task>) => List<Task> {
  const completed = names.includes('completed_since') ? context.params.time('completed_since', context.now) : undefined
  const modified = names.includes('modified_since') ? context.params.time('modified_since', context.now) : undefined
  if (completed === undefined && modified === undefined) return (list) => list
  return (list) =>
    filtered(
      list,
      (task) =>
        (completed === undefined || task.completedAt === null || task.completedAt >= completed) &&
        (modified === undefined || task.modifiedAt >= modified),
    )
}

export function tasks(context: RequestContext): unknown {
  const { params, system } = context
  const single = ['project', 'section', 'tag', 'user_task_list'].filter((name) => params.has(name))
  const pair = ['assignee', 'workspace'].filter((name) => params.has(name))
  if (single.length * 2 + pair.length !== 2) refuse(400, messages.oneScope)
  const [name] = single
  if (name !== undefined) gidForm(name as 'project', params.get(name) ?? '')
  else {
    personForm(params.get('assignee') ?? '')
    gidForm('workspace', params.get('workspace') ?? '')
  }
  const page = pageOf(context)
  const narrow = timeFilter(context, ['completed_since', 'modified_since'])
  const gid = params.get(name ?? 'assignee') ?? ''
  const show = (list: List<Task>) => showList(context, page, taskShape, narrow(list))
  switch (name) {
    case 'project':
      return showSeen(context, page, taskShape, narrow(system.lists.projectTasks(lookUp(context, 'project', gid))))
    case 'section':
      return showSeen(context, page, taskShape, narrow(system.lists.sectionTasks(lookUp(context, 'section', gid))))
    case 'tag':
      return show(taggedTasks(context, gid))
    case 'user_task_list':
      return refuse(404, `user_task_list: Unknown object: ${gid}`)
    default: {
      const workspace = lookUp(context, 'workspace', params.get('workspace') ?? '')
      return show(system.lists.assigned(lookUpPerson(context, gid), workspace.gid))
    }
  }
}

export function taggedTasks(context: RequestContext, gid: string): List<Task> {
  const tag = lookUp(context, 'tag', gid)
  return filtered(context.system.lists.allTasks(tag.workspace), (task) => task.tags.includes(gid))
}

export function search(context: RequestContext): unknown {
  gidForm('workspace', context.gid)
  const { system, params, now } = context
  const read = readSearch(params, system.world, now, (value) => {
    const known = value.includes('@') ? system.world.userByEmail(value)?.gid : undefined
    return value === 'me' ? context.person.gid : (known ?? personForm(value))
  })
  const workspace = lookUp(context, 'workspace', context.gid)
  if (!workspace.paid) refuse(402, messages.paidSearch)
  const sees = (task: Task) => task.workspace === workspace.gid && system.visibility.sees(context.person, task)
  const source = read.within === undefined ? system.lists.allTasks(workspace.gid) : tasksWithin(context, read.within)
  return showAll(context, taskShape, runSearch(source, read, sees))
}

/** The tasks of some projects and sections, each once. */
function tasksWithin(context: RequestContext, { projects, sections }: NonNullable<SearchOrder['within']>): List<Task> {
  const { world, lists } = context.system
  const parts = [
    ...projects.map((gid) => world.find('project', gid)).map((project) => project && lists.projectTasks(project)),
    ...sections.map((gid) => world.find('section', gid)).map((section) => section && lists.sectionTasks(section)),
  ]
  return function* (after) {
    const shown = new Set<string>()
    for (const part of parts) {
      for (const row of part?.(after) ?? []) {
        if (shown.has(row.record.gid)) continue
        shown.add(row.record.gid)
        yield row
      }
    }
  }
}

export function linked(context: RequestContext, gids: (task: Task) => readonly string[]): unknown {
  gidForm('task', context.gid)
  const page = pageOf(context)
  const task = lookUp(context, 'task', context.gid)
  const paid = context.system.world.find('workspace', task.workspace)?.paid ?? false
  if (!paid) refuse(402, 'Dependencies are only available to premium users.')
  return showList(context, page, taskShape, context.system.lists.linked(gids(task)))
}
