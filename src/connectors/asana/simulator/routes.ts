/** The addresses the simulated Asana answers. `*` stands for a gid. */

import { filtered, type List } from './lists.ts'
import type { User } from './records.ts'
import { messages, refuse } from './refusals.ts'
import {
  type Ask,
  gidForm,
  lookUp,
  lookUpPerson,
  pageOf,
  personForm,
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

export type Route = (ask: Ask) => unknown

/** The one workspace meant by lists that can leave it out. */
function workspaceMeant(ask: Ask): string {
  const given = ask.params.get('workspace')
  if (given !== undefined) return lookUp(ask, 'workspace', given).gid
  return ask.person.workspaces[0] as string
}

/** Part of the parameter checks: a person in several workspaces has to say which. */
function scopeForm(ask: Ask, names: readonly ('workspace' | 'team')[]): void {
  const given = names.filter((name) => ask.params.has(name))
  for (const name of given) gidForm(name, ask.params.get(name) ?? '')
  if (given.length > 0 || ask.person.workspaces.length === 1) return
  refuse(400, ask.params.has('limit') ? 'Need to specify a workspace to paginate!' : messages.workspaceNeeded)
}

function projects(ask: Ask): unknown {
  scopeForm(ask, ['workspace', 'team'])
  const page = pageOf(ask)
  const archived = ask.params.boolean('archived')
  const teamGid = ask.params.get('team')
  const team = teamGid === undefined ? undefined : lookUp(ask, 'team', teamGid)
  const workspace = team !== undefined && !ask.params.has('workspace') ? team.workspace : workspaceMeant(ask)
  return projectList(ask, page, workspace, archived, team?.gid)
}

function projectList(
  ask: Ask,
  page: ReturnType<typeof pageOf>,
  workspace: string,
  archived: boolean | undefined,
  team?: string,
): unknown {
  const list = filtered(
    ask.system.lists.projects(workspace),
    (project) =>
      (archived === undefined || project.archived === archived) && (team === undefined || project.team === team),
  )
  return showList(ask, page, projectShape, list)
}

function users(ask: Ask): unknown {
  scopeForm(ask, ['workspace', 'team'])
  const page = pageOf(ask)
  const team = ask.params.get('team')
  const list =
    team === undefined
      ? ask.system.lists.users(workspaceMeant(ask))
      : ask.system.lists.teamUsers(lookUp(ask, 'team', team))
  return showList(ask, page, userShape, list)
}

/** People by name, never in pages, and silently no more than this. */
const peopleCeiling = 2000

function byName(ask: Ask, list: List<User>): unknown {
  const all: User[] = []
  for (const { record } of list(Number.NEGATIVE_INFINITY)) all.push(record)
  all.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  return showAll(ask, userShape, all.slice(0, peopleCeiling))
}

function attachments(ask: Ask): unknown {
  const gid = gidForm('parent', ask.params.required('parent'))
  const page = pageOf(ask)
  const parent = ask.system.world.parent(gid)
  if (parent === undefined || ask.system.world.isGone(parent)) refuse(404, `parent: Unknown object: ${gid}`)
  visible(ask, parent)
  return showList(ask, page, attachmentShape, ask.system.lists.attachments(parent))
}

/** A list below one record. */
function below<K extends 'task' | 'project' | 'workspace' | 'team' | 'section' | 'tag'>(
  kind: K,
  show: (ask: Ask, record: ReturnType<typeof lookUp<K>>, page: ReturnType<typeof pageOf>) => unknown,
): Route {
  return (ask) => {
    gidForm(kind, ask.gid)
    const page = pageOf(ask)
    return show(ask, lookUp(ask, kind, ask.gid), page)
  }
}

function one<K extends 'task' | 'project' | 'workspace' | 'team' | 'section' | 'tag' | 'attachment'>(
  kind: K,
  show: (ask: Ask, record: ReturnType<typeof lookUp<K>>) => unknown,
): Route {
  return (ask) => {
    gidForm(kind, ask.gid)
    return show(ask, lookUp(ask, kind, ask.gid))
  }
}

export const routes: Readonly<Record<string, Route>> = {
  events: showEvents,
  tasks,
  'tasks/*': one('task', (ask, task) => showOne(ask, taskShape, task)),
  'tasks/*/projects': below('task', (ask, task, page) =>
    showList(ask, page, projectShape, ask.system.lists.taskProjects(task)),
  ),
  'tasks/*/subtasks': below('task', (ask, task, page) =>
    showList(ask, page, taskShape, ask.system.lists.subtasks(task)),
  ),
  'tasks/*/dependencies': (ask) => linked(ask, (task) => task.dependencies),
  'tasks/*/dependents': (ask) => linked(ask, (task) => task.dependents),
  projects,
  'projects/*': one('project', (ask, project) => showOne(ask, projectShape, project)),
  'projects/*/tasks': (ask) => {
    gidForm('project', ask.gid)
    const page = pageOf(ask)
    const narrow = timeFilter(ask, ['completed_since'])
    const project = lookUp(ask, 'project', ask.gid)
    return showSeen(ask, page, taskShape, narrow(ask.system.lists.projectTasks(project)))
  },
  'projects/*/sections': below('project', (ask, project, page) =>
    showList(ask, page, sectionShape, ask.system.lists.sections(project)),
  ),
  workspaces: (ask) => showList(ask, pageOf(ask), workspaceShape, ask.system.lists.workspaces(ask.person)),
  'workspaces/*': one('workspace', (ask, workspace) => showOne(ask, workspaceShape, workspace)),
  'workspaces/*/tasks/search': search,
  'workspaces/*/projects': (ask) => {
    gidForm('workspace', ask.gid)
    const page = pageOf(ask)
    const archived = ask.params.boolean('archived')
    return projectList(ask, page, lookUp(ask, 'workspace', ask.gid).gid, archived)
  },
  'workspaces/*/users': one('workspace', (ask, workspace) => byName(ask, ask.system.lists.users(workspace.gid))),
  'workspaces/*/teams': below('workspace', (ask, workspace, page) =>
    showList(ask, page, teamShape, ask.system.lists.teams(workspace.gid)),
  ),
  'workspaces/*/tags': below('workspace', (ask, workspace, page) =>
    showList(ask, page, tagShape, ask.system.lists.tags(workspace.gid)),
  ),
  users,
  'users/*': (ask) => {
    personForm(ask.gid)
    return showOne(ask, userShape, lookUpPerson(ask, ask.gid))
  },
  'users/*/teams': (ask) => {
    personForm(ask.gid)
    const organization = gidForm('organization', ask.params.required('organization'))
    const page = pageOf(ask)
    const user = lookUpPerson(ask, ask.gid)
    const { gid } = lookUp(ask, 'workspace', organization, 'organization')
    const list = filtered(ask.system.lists.userTeams(user), (team) => team.workspace === gid)
    return showList(ask, page, teamShape, list)
  },
  'teams/*': one('team', (ask, team) => showOne(ask, teamShape, team)),
  'teams/*/users': one('team', (ask, team) => byName(ask, ask.system.lists.teamUsers(team))),
  'teams/*/projects': (ask) => {
    gidForm('team', ask.gid)
    const page = pageOf(ask)
    const archived = ask.params.boolean('archived')
    const team = lookUp(ask, 'team', ask.gid)
    return projectList(ask, page, team.workspace, archived, team.gid)
  },
  attachments,
  'attachments/*': one('attachment', (ask, attachment) => showOne(ask, attachmentShape, attachment)),
  tags: (ask) => {
    scopeForm(ask, ['workspace'])
    const page = pageOf(ask)
    return showList(ask, page, tagShape, ask.system.lists.tags(workspaceMeant(ask)))
  },
  'tags/*': one('tag', (ask, tag) => showOne(ask, tagShape, tag)),
  'tags/*/tasks': (ask) => {
    gidForm('tag', ask.gid)
    return showList(ask, pageOf(ask), taskShape, taggedTasks(ask, ask.gid))
  },
  'sections/*': one('section', (ask, section) => showOne(ask, sectionShape, section)),
  'sections/*/tasks': (ask) => {
    gidForm('section', ask.gid)
    const page = pageOf(ask)
    const narrow = timeFilter(ask, ['completed_since'])
    return showSeen(ask, page, taskShape, narrow(ask.system.lists.sectionTasks(lookUp(ask, 'section', ask.gid))))
  },
}
