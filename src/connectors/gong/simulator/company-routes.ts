/** Users, workspaces, scorecards, trackers, and the library. */
import { param } from '../../../kit/simulator.ts'
import { dateTime, day } from './calendar.ts'
import { byIndex, list, metaData, paged, route } from './declare.ts'
import { idOf } from './ids.ts'
import { id, idIn } from './params.ts'
import type { User } from './people.ts'
import { refuse } from './replies.ts'
import { folders, scorecards, trackers, workspaces } from './setup.ts'
import type { World } from './world.ts'

const { required, text } = param

/** Calls in the library's form: their title and when they were added, without start or length. */
function callsIn({ index, calls }: (typeof folders)[number], world: World): object[] {
  return Array.from({ length: calls }, (_, n) => {
    const call = world.calls.facts(world.calls.first + 40 + n + index * 3)
    const { title, url } = metaData(world, call)
    const begins = Math.floor(call.duration / 4)
    return {
      id: call.id,
      title,
      ...(n % 3 === 0 && { note: 'Listen to the second half' }),
      addedBy: idOf('user', 9),
      created: dateTime(call.started + 2 * day, -10, 3),
      url: `${String(url)}&highlights=%5B%7B%22from%22%3A${begins}%7D%5D`,
      ...(n % 2 === 0 && { snippet: { fromSec: begins, toSec: begins + 45 } }),
    }
  }).filter((call) => !world.gone.has(call.id))
}

export const companyRoutes = [
  list({
    path: '/users',
    scopes: ['api:users:read'],
    params: { includeAvatars: text() },
    rows: ({ world }) => world.people.all,
    visible: ({ isAvatar, record }, { world, args }) =>
      (args.includeAvatars === 'true' || !isAvatar) && !world.gone.has(record.id),
    pages: byIndex<User>(),
    show: ({ record }) => record,
    body: paged('users'),
  }),
  route({
    path: '/users/{id}',
    scopes: ['api:users:read'],
    answer({ world, path }) {
      const wanted = idIn(path)
      const user = world.people.find(wanted)
      return user === undefined || world.gone.has(wanted)
        ? refuse(404, `User ID ${wanted} was not found`)
        : { user: user.record }
    },
  }),
  route({ path: '/workspaces', scopes: ['api:workspaces:read'], answer: () => ({ workspaces }) }),
  // No parameter narrows this list.
  route({
    path: '/settings/scorecards',
    scopes: ['api:settings:scorecards:read'],
    answer: ({ world: { gone, edits } }) => ({
      scorecards: scorecards
        .filter(({ scorecardId }) => !gone.has(scorecardId))
        .map((scorecard) => ({ ...scorecard, ...edits.get(scorecard.scorecardId) })),
    }),
  }),
  route({
    path: '/settings/trackers',
    scopes: ['api:settings:trackers:read'],
    params: { workspaceId: id },
    answer({ args: { workspaceId: wanted } }) {
      if (wanted === undefined) return { keywordTrackers: trackers }
      if (!workspaces.some((workspace) => workspace.id === wanted)) refuse(404, `Workspace ${wanted} was not found`)
      return { keywordTrackers: trackers.filter(({ workspaceId }) => (workspaceId ?? wanted) === wanted) }
    },
  }),
  route({
    path: '/library/folders',
    scopes: ['api:library:read'],
    params: { workspaceId: id },
    answer({ world, args: { workspaceId: wanted } }) {
      const found = folders.filter(({ workspaceId }) => wanted === undefined || workspaceId === wanted)
      if (found.length === 0 && !world.settings.empty_as_200) refuse(404, 'No library folders were found')
      return { folders: found.map(({ record, parentFolderId }) => ({ ...record, parentFolderId })) }
    },
  }),
  route({
    path: '/library/folder-content',
    scopes: ['api:library:read'],
    params: { folderId: required(id) },
    answer({ world, args: { folderId } }) {
      const folder = folders.find(({ record }) => record.id === folderId)
      if (folder === undefined) return refuse(404, `Library folder ${folderId} was not found`)
      return { ...folder.record, calls: callsIn(folder, world) }
    },
  }),
]
