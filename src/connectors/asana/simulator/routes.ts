/** The addresses of everything but tasks. */
import { inOrder, jsonReply, onePage, type PageStyle, param, type Ranked, recordsOf } from '../../../kit/simulator.ts'
import { admitted, filter, flag, gid, lookUp, one, own, records, route, shownFields } from './declare.ts'
import type { AnyRecord, Kind, Of, Project, Team, User } from './records.ts'
import { errorBody, messages, refuse } from './refusals.ts'
import { taskRoutes } from './task-routes.ts'
import type { Ask } from './world.ts'

const inPlace = <R extends AnyRecord>(all: readonly R[]): Ranked<R> => inOrder(all, ({ rank }) => rank)

/** The records with a gid in a field: that of the record in the path, or another one that the call means. */
const by =
  <K extends Exclude<Kind, 'task'>>(kind: K, field: string, meant: (ask: Ask) => string) =>
  (ask: Ask) =>
    inPlace(ask.world.collections[kind].by(field as 'gid', meant(ask)) as unknown as readonly Of<K>[])

/** The gid of the record in the path. */
const its = (kind: Kind) => (ask: Ask) => own(ask, kind).gid

const byName =
  <R extends User | Team>(rows: (ask: Ask) => Ranked<R>) =>
  (ask: Ask) =>
    inOrder(recordsOf(rows(ask)).toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)))

/** A person in several workspaces must name one, or a team. */
function workspaceMeant(ask: Ask): string {
  const { workspace, team, limit } = ask.args
  const home = typeof team === 'string' ? lookUp(ask, 'team', team).workspace : undefined
  if (typeof workspace === 'string') return lookUp(ask, 'workspace', workspace).gid
  if (home !== undefined) return home
  const [only, ...others] = ask.caller.person.workspaces
  if (only !== undefined && others.length === 0) return only
  const inPages = 'Need to specify a workspace to paginate!'
  return refuse(400, limit === undefined ? 'workspace: You are in several workspaces; say which one' : inPages)
}

const params = { workspace: gid }
const archived = filter(flag, (project: Project, value) => project.archived === value)
const filters = { archived }
const team = filter(gid, (project: Project, value) => project.team === value)
const member = filter(gid, ({ teams }: User, value) => teams.includes(value))

/** People of a workspace or team are never in pages, and silently cut at 2,000. */
const pages: PageStyle<User> = {
  params: shownFields,
  cut: ({ rows, keep }) => onePage(recordsOf(rows, keep).slice(0, 2000)),
}

const organizationMeant = (ask: Ask) => lookUp(ask, 'workspace', String(ask.args.organization), 'organization').gid

function teamsOfPerson(ask: Ask): Ranked<Team> {
  const { teams } = own(ask, 'user')
  const all = byName(by('team', 'workspace', organizationMeant))(ask)
  return inOrder(recordsOf(all, ({ gid }) => teams.includes(gid)))
}

function parentMeant(ask: Ask): string {
  const parent = String(ask.args.parent)
  return admitted(ask, ask.world.parent(parent), 'parent', parent).gid
}

const routesOfPeople = [
  records('/workspaces', 'workspace', ({ world, caller }) =>
    inPlace(world.collections.workspace.rows.filter(({ gid }) => caller.person.workspaces.includes(gid))),
  ),
  one('/workspaces/{gid}', 'workspace'),
  records('/users', 'user', by('user', 'workspaces', workspaceMeant), { params, filters: { team: member } }),
  one('/users/{gid}', 'user'),
  records('/workspaces/{gid}/users', 'user', byName(by('user', 'workspaces', its('workspace'))), { pages }),
  records('/teams/{gid}/users', 'user', byName(by('user', 'teams', its('team'))), { pages }),
  one('/teams/{gid}', 'team'),
  records('/workspaces/{gid}/teams', 'team', byName(by('team', 'workspace', its('workspace')))),
  records('/users/{gid}/teams', 'team', teamsOfPerson, { params: { organization: param.required(gid) } }),
]

const routesOfWork = [
  records('/projects', 'project', by('project', 'workspace', workspaceMeant), { params, filters: { archived, team } }),
  one('/projects/{gid}', 'project'),
  records('/workspaces/{gid}/projects', 'project', by('project', 'workspace', its('workspace')), { filters }),
  records('/teams/{gid}/projects', 'project', by('project', 'team', its('team')), { filters }),
  records('/tasks/{gid}/projects', 'project', (ask) =>
    inOrder(own(ask, 'task').projects.flatMap((gid) => ask.world.find('project', gid) ?? [])),
  ),
  records('/projects/{gid}/sections', 'section', by('section', 'project', its('project'))),
  one('/sections/{gid}', 'section'),
  records('/tags', 'tag', by('tag', 'workspace', workspaceMeant), { params }),
  records('/workspaces/{gid}/tags', 'tag', by('tag', 'workspace', its('workspace'))),
  one('/tags/{gid}', 'tag'),
  records('/attachments', 'attachment', by('attachment', 'parent', parentMeant), {
    params: { parent: param.required(gid) },
  }),
  one('/attachments/{gid}', 'attachment'),
]

/** Without a valid token, the answer is 412 with a new one. */
const eventRoute = route({
  path: '/events',
  params: { resource: param.required(gid), sync: param.text() },
  answer({ world, args: { resource, sync: token = '' }, caller: { person }, now }) {
    // A trashed record still tells that it was deleted.
    const record = world.find('task', resource) ?? world.find('project', resource)
    if (record === undefined) refuse(404, `resource: Unknown object: ${resource}`)
    if (!world.sees(person, record)) refuse(403, `You do not have access to this ${record.resource_type}.`)
    const { found, sync, more } = world.events.since(token, resource, now)
    if (found === undefined) return jsonReply(412, { ...errorBody(412, messages.staleSync), sync })
    const data = found.map(({ action, at, record: { gid, resource_type, name, parent } }) => ({
      user: { gid: person.gid, resource_type: 'user', name: person.name },
      ...{ created_at: at, type: resource_type, action, resource: { gid, resource_type, name } },
      parent: typeof parent === 'string' ? { gid: parent, resource_type: 'task' } : null,
    }))
    return { data, sync, has_more: more }
  },
})

export const routes = [...routesOfPeople, ...routesOfWork, ...taskRoutes, eventRoute]
