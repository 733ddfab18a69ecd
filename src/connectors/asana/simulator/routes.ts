/** The addresses of everything but tasks. */
import { inOrder, param, type Ranked, wholePages } from '../../../kit/simulator.ts'
import { admitted, filter, flag, gid, lookUp, lookUpPerson, one, own, records } from './declare.ts'
import { eventRoute } from './event-route.ts'
import { shownFields } from './pages.ts'
import type { AnyRecord, Project, Team, User } from './records.ts'
import { messages, refuse } from './refusals.ts'
import type { Ask } from './system.ts'
import { taskRoutes } from './task-routes.ts'

const inPlace = <R extends AnyRecord>(all: readonly R[]): Ranked<R> => inOrder(all, ({ rank }) => rank)

const byName = (a: User | Team, b: User | Team) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)

/** A person in several workspaces must name one, or a team. */
function workspaceMeant(ask: Ask): string {
  const { workspace, team, limit } = ask.args
  if (typeof workspace === 'string') return lookUp(ask, 'workspace', workspace).gid
  if (typeof team === 'string') return lookUp(ask, 'team', team).workspace
  const [only, ...others] = ask.caller.person.workspaces
  if (only !== undefined && others.length === 0) return only
  return refuse(400, limit === undefined ? messages.workspaceNeeded : 'Need to specify a workspace to paginate!')
}

/** The records of a workspace, in order. */
const within = <K extends 'project' | 'team' | 'tag'>({ world }: Ask, kind: K, workspace: string) =>
  inPlace(world.within(kind, workspace))

const archived = filter(flag, (project: Project, value) => project.archived === value)
const ofTeam = filter(gid, ({ team }: Project, value) => team === value)
const scope = { params: { workspace: gid, team: gid } }

/** People by name, never in pages, and silently cut at 2,000. */
const unpaged = { pages: { ...wholePages<User>(), params: shownFields } }
const sorted = ({ world }: Ask, people: readonly User[]) =>
  inOrder(
    people
      .filter((one) => !world.isGone(one))
      .toSorted(byName)
      .slice(0, 2000),
  )

const members = ({ world }: Ask, workspace: string) => world.collections.user.by('workspaces', workspace)

function teamMembers(ask: Ask, team: string): readonly User[] {
  const { gid, workspace } = lookUp(ask, 'team', team)
  return members(ask, workspace).filter((person) => ask.world.teamsOfUser(person).includes(gid))
}

const routesOfPeople = [
  records('/workspaces', 'workspace', ({ world, caller }) =>
    inPlace(world.collections.workspace.rows.filter(({ gid }) => caller.person.workspaces.includes(gid))),
  ),
  one('/workspaces/{gid}', 'workspace'),
  records('/users', 'user', usersMeant, scope),
  one('/users/{gid}', 'user', (ask) => lookUpPerson(ask, ask.path.gid ?? '')),
  records('/workspaces/{gid}/users', 'user', (ask) => sorted(ask, members(ask, own(ask, 'workspace').gid)), unpaged),
  records('/teams/{gid}/users', 'user', (ask) => sorted(ask, teamMembers(ask, ask.path.gid ?? '')), unpaged),
  one('/teams/{gid}', 'team'),
  records('/workspaces/{gid}/teams', 'team', (ask) =>
    inOrder(ask.world.within('team', own(ask, 'workspace').gid).toSorted(byName)),
  ),
  records('/users/{gid}/teams', 'team', teamsOfPerson, { params: { organization: param.required(gid) } }),
]

function usersMeant(ask: Ask): Ranked<User> {
  const workspace = workspaceMeant(ask)
  return inPlace(typeof ask.args.team === 'string' ? teamMembers(ask, ask.args.team) : members(ask, workspace))
}

function teamsOfPerson(ask: Ask<{ readonly organization: string }>): Ranked<Team> {
  const teams = ask.world.teamsOfUser(lookUpPerson(ask as Ask, ask.path.gid ?? ''))
  const { gid } = lookUp(ask as Ask, 'workspace', ask.args.organization, 'organization')
  const all = ask.world.within('team', gid)
  return inOrder(all.filter((team) => teams.includes(team.gid)).toSorted(byName))
}

const routesOfWork = [
  records('/projects', 'project', (ask) => within(ask, 'project', workspaceMeant(ask)), {
    ...scope,
    filters: { archived, team: ofTeam },
  }),
  one('/projects/{gid}', 'project'),
  records('/workspaces/{gid}/projects', 'project', (ask) => within(ask, 'project', own(ask, 'workspace').gid), {
    filters: { archived },
  }),
  records('/teams/{gid}/projects', 'project', projectsOfTeam, { filters: { archived } }),
  records('/tasks/{gid}/projects', 'project', (ask) =>
    inOrder(own(ask, 'task').projects.flatMap((gid) => ask.world.find('project', gid) ?? [])),
  ),
  records('/projects/{gid}/sections', 'section', (ask) =>
    inPlace(ask.world.collections.section.by('project', own(ask, 'project').gid)),
  ),
  one('/sections/{gid}', 'section'),
  records('/tags', 'tag', (ask) => within(ask, 'tag', workspaceMeant(ask)), { params: { workspace: gid } }),
  records('/workspaces/{gid}/tags', 'tag', (ask) => within(ask, 'tag', own(ask, 'workspace').gid)),
  one('/tags/{gid}', 'tag'),
  records('/attachments', 'attachment', attachmentsOf, { params: { parent: param.required(gid) } }),
  one('/attachments/{gid}', 'attachment'),
]

function projectsOfTeam(ask: Ask): Ranked<Project> {
  const { gid, workspace } = own(ask, 'team')
  return inPlace(ask.world.within('project', workspace).filter(({ team }) => team === gid))
}

function attachmentsOf(ask: Ask<{ readonly parent: string }>) {
  const { parent } = ask.args
  return inPlace(ask.world.attachments(admitted(ask as Ask, ask.world.parent(parent), 'parent', parent)))
}

export const routes = [...routesOfPeople, ...routesOfWork, ...taskRoutes, eventRoute]
