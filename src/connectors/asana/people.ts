/** Workspaces, users and teams. */
import { entity, get, list, optional } from '../../kit/connector.ts'
import { gid, pages, recordsOf, user, userPages } from './fields.ts'
import { listedTeam, listedUser, listedWorkspace, wholeTeam, wholeUser, wholeWorkspace } from './people-records.ts'
import { soleWorkspace } from './sole-workspace.ts'
import { teamStream, userStream, workspaceStream } from './streams.ts'

export const workspaces = entity({
  description: 'Workspaces and organizations that the credentials can see.',
  list: list({
    ...recordsOf('workspace'),
    record: listedWorkspace,
    paging: pages,
    description: 'List the workspaces that the credentials can see.',
    path: '/workspaces',
    scopes: ['workspaces:read'],
  }),
  get: get({
    description: 'Get one workspace.',
    path: '/workspaces/{workspace_gid}',
    params: { workspace_gid: gid('The workspace.') },
    ...recordsOf('workspace'),
    record: wholeWorkspace,
    scopes: ['workspaces:read'],
  }),
  searchable: {
    email_domains: 'array',
    gid: 'string',
    is_organization: 'boolean',
    name: 'string',
    resource_type: 'string',
  },
  sync: workspaceStream,
})

export const users = entity({
  description: 'People of a workspace or a team.',
  list: list({
    ...recordsOf('user'),
    record: listedUser,
    paging: pages,
    description: 'List the users of a workspace or a team. Both are optional for people with a single workspace.',
    path: '/users',
    params: {
      workspace: optional(gid('The workspace of the users.')),
      team: optional(gid('The team of the users.')),
    },
    prepare: soleWorkspace,
    scopes: ['users:read'],
  }),
  get: get({
    description: 'Get one user.',
    path: '/users/{user_gid}',
    params: { user_gid: user('The user: a gid, an e-mail address or me.') },
    ...recordsOf('user'),
    record: wholeUser,
    scopes: ['users:read'],
  }),
  searchable: {
    email: 'string',
    gid: 'string',
    name: 'string',
    photo: 'object',
    resource_type: 'string',
    workspaces: 'array',
  },
  sync: userStream,
})

export const workspaceUsers = entity({
  description: 'People of one workspace, by name.',
  list: list({
    ...recordsOf('user'),
    record: listedUser,
    description: 'List the users of a workspace.',
    path: '/workspaces/{workspace_gid}/users',
    params: { workspace_gid: gid('The workspace.') },
    paging: userPages,
    scopes: ['users:read'],
  }),
})

export const teamUsers = entity({
  description: 'People of one team, by name.',
  list: list({
    ...recordsOf('user'),
    record: listedUser,
    description: 'List the users of a team.',
    path: '/teams/{team_gid}/users',
    params: { team_gid: gid('The team.') },
    paging: userPages,
    scopes: ['users:read'],
  }),
})

export const teams = entity({
  description: 'Teams of an organization.',
  get: get({
    description: 'Get one team.',
    path: '/teams/{team_gid}',
    params: { team_gid: gid('The team.') },
    ...recordsOf('team'),
    record: wholeTeam,
    scopes: ['teams:read'],
  }),
  searchable: {
    description: 'string',
    gid: 'string',
    html_description: 'string',
    name: 'string',
    organization: 'object',
    permalink_url: 'string',
    resource_type: 'string',
  },
  sync: teamStream,
})

export const workspaceTeams = entity({
  description: 'Teams of one organization.',
  list: list({
    ...recordsOf('team'),
    record: listedTeam,
    paging: pages,
    description: 'List the teams of an organization.',
    path: '/workspaces/{workspace_gid}/teams',
    params: { workspace_gid: gid('The organization.') },
    scopes: ['teams:read'],
  }),
})

export const userTeams = entity({
  description: 'Teams that one user is in.',
  list: list({
    ...recordsOf('team'),
    record: listedTeam,
    paging: pages,
    description: 'List the teams of a user in an organization.',
    path: '/users/{user_gid}/teams',
    params: {
      user_gid: user('The user: a gid, an e-mail address or me.'),
      organization: gid('The workspace or organization of the teams.'),
    },
    scopes: ['teams:read'],
  }),
})
