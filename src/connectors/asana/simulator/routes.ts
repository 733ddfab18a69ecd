/** The addresses of everything but tasks. */
import { inOrder, jsonReply, param, type Ranked, wholePages } from '../../../kit/simulator.ts'
import { admitted, filter, flag, gid, lookUp, lookUpPerson, one, own, records, route, shownFields } from './declare.ts'
import type { AnyRecord, Project, Team, User } from './records.ts'
import { errorBody, messages, refuse } from './refusals.ts'
import { taskRoutes } from './task-routes.ts'
import type { Ask } from './world.ts'

const inPlace = <R extends AnyRecord>(all: readonly R[]): Ranked<R> => inOrder(all, ({ rank }) => rank)

const byName = <R extends User | Team>(all: readonly R[]): R[] =>
  all.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))

/** A person in several workspaces must name one, or a team. */
function workspaceMeant(ask: Ask): string {
  const { workspace, team, limit } = ask.args
  if (typeof workspace === 'string') return lookUp(ask, 'workspace', workspace).gid
  if (typeof team === 'string') return lookUp(ask, 'team', team).workspace
  const [only, ...others] = ask.caller.person.workspaces
  if (only !== undefined && others.length === 0) return only
  const inPages = 'Need to specify a workspace to paginate!'
  return refuse(400, limit === undefined ? 'workspace: You are in several workspaces; say which one' : inPages)
}

const workspaceOf = (ask: Ask): string => own(ask, 'workspace').gid

/** The records of a workspace, in order. */
const within = <K extends 'project' | 'team' | 'tag'>({ world }: Ask, kind: K, workspace: string) =>
  inPlace(world.within(kind, workspace))

const archived = filter(flag, (project: Project, value) => project.archived === value)
const team = filter(gid, (project: Project, value) => project.team === value)
const scope = { params: { workspace: gid, team: gid } }

/** People by name, never in pages, and silently cut at 2,000. */
const unpaged = { pages: { ...wholePages<User>(), params: shownFields } }
const sorted = ({ world }: Ask, people: readonly User[]) =>
  inOrder(byName(people.filter((one) => !world.isGone(one))).slice(0, 2000))

const members = ({ world }: Ask, workspace: string) => world.collections.user.by('workspaces', workspace)

const teamMembers = (ask: Ask, team: string): readonly User[] =>
  ask.world.collections.user.by('teams', lookUp(ask, 'team', team).gid)

const routesOfPeople = [
  records('/workspaces', 'workspace', ({ world, caller }) =>
    inPlace(world.collections.workspace.rows.filter(({ gid }) => caller.person.workspaces.includes(gid))),
  ),
  one('/workspaces/{gid}', 'workspace'),
  records('/users', 'user', usersMeant, scope),
  one('/users/{gid}', 'user', (ask) => lookUpPerson(ask, ask.path.gid ?? '')),
  records('/workspaces/{gid}/users', 'user', (ask) => sorted(ask, members(ask, workspaceOf(ask))), unpaged),
  records('/teams/{gid}/users', 'user', (ask) => sorted(ask, teamMembers(ask, ask.path.gid ?? '')), unpaged),
  one('/teams/{gid}', 'team'),
  records('/workspaces/{gid}/teams', 'team', (ask) => inOrder(byName(ask.world.within('team', workspaceOf(ask))))),
  records('/users/{gid}/teams', 'team', teamsOfPerson, { params: { organization: param.required(gid) } }),
]

function usersMeant(ask: Ask): Ranked<User> {
  const workspace = workspaceMeant(ask)
  return inPlace(typeof ask.args.team === 'string' ? teamMembers(ask, ask.args.team) : members(ask, workspace))
}

function teamsOfPerson(ask: Ask<{ readonly organization: string }>): Ranked<Team> {
  const { teams } = lookUpPerson(ask, ask.path.gid ?? '')
  const { gid } = lookUp(ask, 'workspace', ask.args.organization, 'organization')
  return inOrder(byName(ask.world.within('team', gid).filter((team) => teams.includes(team.gid))))
}

const routesOfWork = [
  records('/projects', 'project', (ask) => within(ask, 'project', workspaceMeant(ask)), {
    params: { workspace: gid },
    filters: { archived, team },
  }),
  one('/projects/{gid}', 'project'),
  records('/workspaces/{gid}/projects', 'project', (ask) => within(ask, 'project', workspaceOf(ask)), {
    filters: { archived },
  }),
  records(
    '/teams/{gid}/projects',
    'project',
    (ask) => {
      return inPlace(ask.world.collections.project.by('team', own(ask, 'team').gid))
    },
    { filters: { archived } },
  ),
  records('/tasks/{gid}/projects', 'project', (ask) =>
    inOrder(own(ask, 'task').projects.flatMap((gid) => ask.world.find('project', gid) ?? [])),
  ),
  records('/projects/{gid}/sections', 'section', (ask) =>
    inPlace(ask.world.collections.section.by('project', own(ask, 'project').gid)),
  ),
  one('/sections/{gid}', 'section'),
  records('/tags', 'tag', (ask) => within(ask, 'tag', workspaceMeant(ask)), { params: { workspace: gid } }),
  records('/workspaces/{gid}/tags', 'tag', (ask) => within(ask, 'tag', workspaceOf(ask))),
  one('/tags/{gid}', 'tag'),
  records('/attachments', 'attachment', attachmentsOf, { params: { parent: param.required(gid) } }),
  one('/attachments/{gid}', 'attachment'),
]

function attachmentsOf(ask: Ask<{ readonly parent: string }>) {
  const { world, args } = ask
  const { gid } = admitted(ask, world.parent(args.parent), 'parent', args.parent)
  return inPlace(world.collections.attachment.by('parent', gid))
}

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
