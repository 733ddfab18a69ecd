/** The addresses of everything but tasks. */
import { param, wholePages } from '../../../kit/simulator.ts'
import { type Ask, admitted, flag, gid, lookUp, lookUpPerson, one, own, records } from './declare.ts'
import { eventRoute } from './events.ts'
import { inOrder, type Ranked, shownFields } from './ranked.ts'
import type { AnyRecord, Project, User } from './records.ts'
import { messages, refuse } from './refusals.ts'
import { taskRoutes } from './task-routes.ts'

const inPlace = <R extends AnyRecord>(all: readonly R[]): Ranked<R> => inOrder(all, ({ rank }) => rank)

const byName = (a: AnyRecord, b: AnyRecord) =>
  Number((a.name ?? '') > (b.name ?? '')) - Number((a.name ?? '') < (b.name ?? ''))

/** A person in several workspaces must name one, or a team. */
function workspaceMeant(ask: Ask): string {
  const { workspace, team, limit } = ask.args
  if (typeof workspace === 'string') return lookUp(ask, 'workspace', workspace).gid
  if (typeof team === 'string') return lookUp(ask, 'team', team).workspace
  const [only, ...others] = ask.caller.person.workspaces
  if (only !== undefined && others.length === 0) return only
  return refuse(400, limit === undefined ? messages.workspaceNeeded : 'Need to specify a workspace to paginate!')
}

const projectsIn = ({ world }: Ask, workspace: string) => inPlace(world.collections.project.by('workspace', workspace))

const scope = { workspace: gid, team: gid }
const isArchived = {
  params: { archived: flag },
  filters: { archived: (project: Project, { args }: Ask) => project.archived === args.archived },
}

/** People by name, never in pages, and silently cut at this number. */
const peopleCeiling = 2000
const unpaged = { pages: { ...wholePages<User>(), params: shownFields } }

const sorted = ({ world }: Ask, people: readonly User[]) =>
  inOrder(
    people
      .filter((person) => !world.isGone(person))
      .toSorted(byName)
      .slice(0, peopleCeiling),
  )

const members = ({ world }: Ask, workspace: string): readonly User[] =>
  world.collections.user.by('workspaces', workspace)

function teamMembers(ask: Ask, team: string): readonly User[] {
  const { gid, workspace } = lookUp(ask, 'team', team)
  return members(ask, workspace).filter((person) => ask.world.teamsOfUser(person).includes(gid))
}

const routesOfPeople = [
  records('/workspaces', 'workspace', (ask) =>
    inPlace(ask.world.collections.workspace.rows.filter(({ gid }) => ask.caller.person.workspaces.includes(gid))),
  ),
  one('/workspaces/{gid}', 'workspace'),
  records(
    '/users',
    'user',
    (ask) => {
      const workspace = workspaceMeant(ask)
      return inPlace(ask.args.team === undefined ? members(ask, workspace) : teamMembers(ask, ask.args.team))
    },
    { params: scope },
  ),
  one('/users/{gid}', 'user', (ask) => lookUpPerson(ask, ask.path.gid ?? '')),
  records('/workspaces/{gid}/users', 'user', (ask) => sorted(ask, members(ask, own(ask, 'workspace').gid)), unpaged),
  records('/teams/{gid}/users', 'user', (ask) => sorted(ask, teamMembers(ask, ask.path.gid ?? '')), unpaged),
  one('/teams/{gid}', 'team'),
  records('/workspaces/{gid}/teams', 'team', (ask) =>
    inOrder(ask.world.collections.team.by('workspace', own(ask, 'workspace').gid).toSorted(byName)),
  ),
  records(
    '/users/{gid}/teams',
    'team',
    (ask) => {
      const teams = ask.world.teamsOfUser(lookUpPerson(ask, ask.path.gid ?? ''))
      const { gid } = lookUp(ask, 'workspace', ask.args.organization, 'organization')
      const all = ask.world.collections.team.by('workspace', gid)
      return inOrder(all.filter((team) => teams.includes(team.gid)).toSorted(byName))
    },
    { params: { organization: param.required(gid) } },
  ),
]

const routesOfWork = [
  records('/projects', 'project', (ask) => projectsIn(ask, workspaceMeant(ask)), {
    params: { ...scope, ...isArchived.params },
    filters: { ...isArchived.filters, team: (project, { args }) => project.team === args.team },
  }),
  one('/projects/{gid}', 'project'),
  records('/workspaces/{gid}/projects', 'project', (ask) => projectsIn(ask, own(ask, 'workspace').gid), isArchived),
  records(
    '/teams/{gid}/projects',
    'project',
    (ask) => {
      const { gid, workspace } = own(ask, 'team')
      return inPlace(ask.world.collections.project.by('workspace', workspace).filter(({ team }) => team === gid))
    },
    isArchived,
  ),
  records('/tasks/{gid}/projects', 'project', (ask) =>
    inOrder(own(ask, 'task').projects.flatMap((gid) => ask.world.find('project', gid) ?? [])),
  ),
  records('/projects/{gid}/sections', 'section', (ask) =>
    inPlace(ask.world.collections.section.by('project', own(ask, 'project').gid)),
  ),
  one('/sections/{gid}', 'section'),
  records('/tags', 'tag', (ask) => inPlace(ask.world.collections.tag.by('workspace', workspaceMeant(ask))), {
    params: { workspace: gid },
  }),
  records('/workspaces/{gid}/tags', 'tag', (ask) =>
    inPlace(ask.world.collections.tag.by('workspace', own(ask, 'workspace').gid)),
  ),
  one('/tags/{gid}', 'tag'),
  records(
    '/attachments',
    'attachment',
    (ask) => {
      const { parent } = ask.args
      return inPlace(ask.world.attachments(admitted(ask, ask.world.parent(parent), 'parent', parent)))
    },
    { params: { parent: param.required(gid) } },
  ),
  one('/attachments/{gid}', 'attachment'),
]

export const routes = [...routesOfPeople, ...routesOfWork, ...taskRoutes, eventRoute]
