/** Every address of the simulated interface, with its answer and the scope that it requires. */

import { getCall, listCalls, listExtensive, listTranscripts } from './call-routes.ts'
import { getUser, listCoaching, listUsers, listWorkspaces } from './people-routes.ts'
import type { RequestContext } from './request-context.ts'
import { listFolderContent, listFolders, listScorecards, listTrackers } from './setup-routes.ts'
import { listAggregate, listAnswered, listDayByDay, listInteraction } from './stats-routes.ts'

export interface Route {
  readonly method: 'GET' | 'POST'
  readonly scope: string
  answer(context: RequestContext): object
}

const read = (scope: string, answer: Route['answer']): Route => ({ method: 'GET', scope, answer })
const query = (scope: string, answer: Route['answer']): Route => ({ method: 'POST', scope, answer })

/** By path below `/v2/`; `*` stands for an id. */
export const routes: Readonly<Record<string, Route>> = {
  users: read('api:users:read', listUsers),
  'users/*': read('api:users:read', getUser),
  calls: read('api:calls:read:basic', listCalls),
  'calls/*': read('api:calls:read:basic', getCall),
  'calls/extensive': query('api:calls:read:extensive', listExtensive),
  'calls/transcript': query('api:calls:read:transcript', listTranscripts),
  workspaces: read('api:workspaces:read', listWorkspaces),
  'stats/activity/aggregate': query('api:stats:user-actions', listAggregate),
  'stats/activity/day-by-day': query('api:stats:user-actions:detailed', listDayByDay),
  'stats/interaction': query('api:stats:interaction', listInteraction),
  'stats/activity/scorecards': query('api:stats:scorecards', listAnswered),
  'settings/scorecards': read('api:settings:scorecards:read', listScorecards),
  'settings/trackers': read('api:settings:trackers:read', listTrackers),
  'library/folders': read('api:library:read', listFolders),
  'library/folder-content': read('api:library:read', listFolderContent),
  coaching: read('api:coaching:read', listCoaching),
}

/** The route of a path below `/v2/`, and the id in it. */
export function findRoute(path: string): { route: Route; id: string } | undefined {
  if (Object.hasOwn(routes, path)) return { route: routes[path]!, id: '' }
  const [list = '', id = '', ...rest] = path.split('/')
  const route = rest.length === 0 && id !== '' ? routes[`${list}/*`] : undefined
  return route === undefined ? undefined : { route, id }
}
