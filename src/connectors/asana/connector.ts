/** The task-management connector: Asana's REST API 1.0 (developers.asana.com/reference). */
import { authMethod, connector, grantMethod, secret } from '../../kit/connector.ts'
import { attachments } from './attachments.ts'
import { readRefusal } from './errors.ts'
import { examples } from './examples.ts'
import { projectSections, sections, tags, workspaceTags } from './labels.ts'
import { teams, teamUsers, users, userTeams, workspaces, workspaceTeams, workspaceUsers } from './people.ts'
import { projects, taskProjects, teamProjects, workspaceProjects } from './projects.ts'
import { workspaceTaskSearch } from './task-search.ts'
import { projectTasks, taskDependencies, taskDependents, taskSubtasks, tasks } from './tasks.ts'

export const asana = connector({
  kind: 'asana',
  definitionId: 'd0243522-dccf-4978-8ba0-37ed47a0bdbf',
  title: 'Asana',
  baseUrl: 'https://app.asana.com/api/1.0',
  authMethods: [
    grantMethod({
      refreshToken: 'The refresh token of the user’s grant.',
      // Documentation, "OAuth": the token exchange endpoint takes the client's credentials in the form.
      tokens: {
        tokenAddress: { url: 'https://app.asana.com/-/oauth_token', relativeToBase: '../../-/oauth_token' },
        clientAuthentication: 'body',
      },
      consent: {
        consentAddress: { url: 'https://app.asana.com/-/oauth_authorize', relativeToBase: '../../-/oauth_authorize' },
        // Everything that the person may see ("OAuth scopes").
        scopes: ['default'],
        scopeSeparator: ' ',
        pkce: true,
      },
      // Accepts only refresh tokens; their access tokens end with them.
      revocation: {
        address: { url: 'https://app.asana.com/-/oauth_revoke', relativeToBase: '../../-/oauth_revoke' },
        token: 'refresh_token',
        tokenIn: 'form',
        application: true,
      },
    }),
    authMethod({
      name: 'token',
      title: 'Personal access token',
      credentials: { token: secret('A personal access token from Asana’s developer console.') },
      authorization: { style: 'bearer', token: 'token' },
    }),
  ],
  replicationConfig: null,
  check: { entity: 'workspaces', action: 'list', params: { limit: 1 } },
  // A method in the query, as some interfaces take it, would make a read a write.
  rawReads: { get: ['/**'], refusedQuery: ['method', 'opt_method'] },
  readRefusal,
  // Documentation, "Rate limits": for each token 1,500 calls a minute, 150 in free domains, and separately 60
  // searches. Only a refusal tells the domains apart.
  limits: [
    { calls: 1500, seconds: 60, reserve: 0.2, smallestPlan: 150 },
    { calls: 60, seconds: 60, only: { name: 'search', path: /^\/workspaces\/[^/]+\/tasks\/search$/ } },
  ],
  atOnce: 50,
  examples,
  entities: {
    tasks,
    project_tasks: projectTasks,
    workspace_task_search: workspaceTaskSearch,
    projects,
    task_projects: taskProjects,
    team_projects: teamProjects,
    workspace_projects: workspaceProjects,
    workspaces,
    users,
    workspace_users: workspaceUsers,
    team_users: teamUsers,
    teams,
    workspace_teams: workspaceTeams,
    user_teams: userTeams,
    attachments,
    workspace_tags: workspaceTags,
    tags,
    project_sections: projectSections,
    sections,
    task_subtasks: taskSubtasks,
    task_dependencies: taskDependencies,
    task_dependents: taskDependents,
  },
})
