/** The addresses of the simulated Asana. `*` stands for a gid. */

import { filtered, type List } from './lists.ts'
import type { User } from './records.ts'
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
  showOne,
  showSeen,
  visible,
} from './request-context.ts'
import { attachmentShape } from './shape-attachment.ts'
import { tagShape, teamShape, userShape, workspaceShape } from './shape-parts.ts'
import { projectShape, sectionShape } from './shape-project.ts'
import { taskShape } from './shape-task.ts'
import { showEvents } from './show-events.ts'
import { linked, search, taggedTasks, tasks, timeFilter } from './task-lists.ts'

export type Route = (context: RequestContext) => unknown

/** The only workspace of the caller, for lists where it is optional. */
function workspaceMeant(context: RequestContext): string {
  const given = context.params.get('workspace')
  if (given !== undefined) return lookUp(context, 'workspace', given).gid
  return context.person.workspaces[0] as string
}

/** Part of the parameter checks: a person in several workspaces must name one. */
function scopeForm(context: RequestContext, names: readonly ('workspace' | 'team')[]): void {
  const given = names.filter((name) => context.params.has(name))
  for (const name of given) gidForm(name, context.params.get(name) ?? '')
  if (given.length > 0 || context.person.workspaces.length === 1) return
  refuse(400, context.params.has('limit') ? 'Need to specify a workspace to paginate!' : messages.workspaceNeeded)
}

function projects(context: RequestContext): unknown {
  scopeForm(context, ['workspace', 'team'])
  const page = pageOf(context)
  const archived = context.params.boolean('archived')
  const teamGid = context.params.get('team')
  const team = teamGid === undefined ? undefined : lookUp(context, 'team', teamGid)
  const workspace = team !== undefined && !context.params.has('workspace') ? team.workspace : workspaceMeant(context)
  return projectList(context, page, workspace, archived, team?.gid)
}

function projectList(
  context: RequestContext,
  page: ReturnType<typeof pageOf>,
  workspace: string,
  archived: boolean | undefined,
  team?: string,
): unknown {
  const list = filtered(
    context.system.lists.projects(workspace),
    (project) =>
      (archived === undefined || project.archived === archived) && (team === undefined || project.team === team),
  )
  return showList(context, page, projectShape, list)
}

function users(context: RequestContext): unknown {
  scopeForm(context, ['workspace', 'team'])
  const page = pageOf(context)
  const team = context.params.get('team')
  const list =
    team === undefined
      ? context.system.lists.users(workspaceMeant(context))
      : context.system.lists.teamUsers(lookUp(context, 'team', team))
  return showList(context, page, userShape, list)
}

/** People by name, never in pages, and silently cut at this number. */
const peopleCeiling = 2000

function byName(context: RequestContext, list: List<User>): unknown {
  const all: User[] = []
  for (const { record } of list(Number.NEGATIVE_INFINITY)) all.push(record)
  all.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  return showAll(context, userShape, all.slice(0, peopleCeiling))
}

function attachments(context: RequestContext): unknown {
  const gid = gidForm('parent', context.params.required('parent'))
  const page = pageOf(context)
  const parent = context.system.world.parent(gid)
  if (parent === undefined || context.system.world.isGone(parent)) refuse(404, `parent: Unknown object: ${gid}`)
  visible(context, parent)
  return showList(context, page, attachmentShape, context.system.lists.attachments(parent))
}

/** A list below one record. */
function below<K extends 'task' | 'project' | 'workspace' | 'team' | 'section' | 'tag'>(
  kind: K,
  show: (context: RequestContext, record: ReturnType<typeof lookUp<K>>, page: ReturnType<typeof pageOf>) => unknown,
): Route {
  return (context) => {
    gidForm(kind, context.gid)
    const page = pageOf(context)
    return show(context, lookUp(context, kind, context.gid), page)
  }
}

function one<K extends 'task' | 'project' | 'workspace' | 'team' | 'section' | 'tag' | 'attachment'>(
  kind: K,
  show: (context: RequestContext, record: ReturnType<typeof lookUp<K>>) => unknown,
): Route {
  return (context) => {
    gidForm(kind, context.gid)
    return show(context, lookUp(context, kind, context.gid))
  }
}

export const routes: Readonly<Record<string, Route>> = {
  events: showEvents,
  tasks,
  'tasks/*': one('task', (context, task) => showOne(context, taskShape, task)),
  'tasks/*/projects': below('task', (context, task, page) =>
    showList(context, page, projectShape, context.system.lists.taskProjects(task)),
  ),
  'tasks/*/subtasks': below('task', (context, task, page) =>
    showList(context, page, taskShape, context.system.lists.subtasks(task)),
  ),
  'tasks/*/dependencies': (context) => linked(context, (task) => task.dependencies),
  'tasks/*/dependents': (context) => linked(context, (task) => task.dependents),
  projects,
  'projects/*': one('project', (context, project) => showOne(context, projectShape, project)),
  'projects/*/tasks': (context) => {
    gidForm('project', context.gid)
    const page = pageOf(context)
    const narrow = timeFilter(context, ['completed_since'])
    const project = lookUp(context, 'project', context.gid)
    return showSeen(context, page, taskShape, narrow(context.system.lists.projectTasks(project)))
  },
  'projects/*/sections': below('project', (context, project, page) =>
    showList(context, page, sectionShape, context.system.lists.sections(project)),
  ),
  workspaces: (context) =>
    showList(context, pageOf(context), workspaceShape, context.system.lists.workspaces(context.person)),
  'workspaces/*': one('workspace', (context, workspace) => showOne(context, workspaceShape, workspace)),
  'workspaces/*/tasks/search': search,
  'workspaces/*/projects': (context) => {
    gidForm('workspace', context.gid)
    const page = pageOf(context)
    const archived = context.params.boolean('archived')
    return projectList(context, page, lookUp(context, 'workspace', context.gid).gid, archived)
  },
  'workspaces/*/users': one('workspace', (context, workspace) =>
    byName(context, context.system.lists.users(workspace.gid)),
  ),
  'workspaces/*/teams': below('workspace', (context, workspace, page) =>
    showList(context, page, teamShape, context.system.lists.teams(workspace.gid)),
  ),
  'workspaces/*/tags': below('workspace', (context, workspace, page) =>
    showList(context, page, tagShape, context.system.lists.tags(workspace.gid)),
  ),
  users,
  'users/*': (context) => {
    personForm(context.gid)
    return showOne(context, userShape, lookUpPerson(context, context.gid))
  },
  'users/*/teams': (context) => {
    personForm(context.gid)
    const organization = gidForm('organization', context.params.required('organization'))
    const page = pageOf(context)
    const user = lookUpPerson(context, context.gid)
    const { gid } = lookUp(context, 'workspace', organization, 'organization')
    const list = filtered(context.system.lists.userTeams(user), (team) => team.workspace === gid)
    return showList(context, page, teamShape, list)
  },
  'teams/*': one('team', (context, team) => showOne(context, teamShape, team)),
  'teams/*/users': one('team', (context, team) => byName(context, context.system.lists.teamUsers(team))),
  'teams/*/projects': (context) => {
    gidForm('team', context.gid)
    const page = pageOf(context)
    const archived = context.params.boolean('archived')
    const team = lookUp(context, 'team', context.gid)
    return projectList(context, page, team.workspace, archived, team.gid)
  },
  attachments,
  'attachments/*': one('attachment', (context, attachment) => showOne(context, attachmentShape, attachment)),
  tags: (context) => {
    scopeForm(context, ['workspace'])
    const page = pageOf(context)
    return showList(context, page, tagShape, context.system.lists.tags(workspaceMeant(context)))
  },
  'tags/*': one('tag', (context, tag) => showOne(context, tagShape, tag)),
  'tags/*/tasks': (context) => {
    gidForm('tag', context.gid)
    return showList(context, pageOf(context), taskShape, taggedTasks(context, context.gid))
  },
  'sections/*': one('section', (context, section) => showOne(context, sectionShape, section)),
  'sections/*/tasks': (context) => {
    gidForm('section', context.gid)
    const page = pageOf(context)
    const narrow = timeFilter(context, ['completed_since'])
    return showSeen(
      context,
      page,
      taskShape,
      narrow(context.system.lists.sectionTasks(lookUp(context, 'section', context.gid))),
    )
  },
}
