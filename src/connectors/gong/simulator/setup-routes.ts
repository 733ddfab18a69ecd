/** Scorecards, trackers and the library. */

import { dateTime, day } from './calendar.ts'
import { idOf, indexOf } from './ids.ts'
import { id } from './inputs.ts'
import { refuse } from './replies.ts'
import type { RequestContext } from './request-context.ts'
import { type Folder, folderRecord, folders, scorecardRecord, scorecards, trackerRecords } from './setup.ts'

/** No parameter narrows this list. */
export const listScorecards = ({ company: { state } }: RequestContext): object => ({
  scorecards: scorecards
    .filter(({ id }) => !state.gone.has(id))
    .map((scorecard) => ({ ...scorecardRecord(scorecard), ...state.edits.get(scorecard.id) })),
})

export function listTrackers({ query }: RequestContext): object {
  const given = query.get('workspaceId')
  if (given === undefined) return { keywordTrackers: trackerRecords }
  const workspace = workspaceIndex(given)
  if (workspace === undefined) refuse(404, `Workspace ${given} was not found`)
  return {
    keywordTrackers: trackerRecords.filter(({ workspaceId }) => workspaceId === null || workspaceId === given),
  }
}

export function listFolders({ query, company }: RequestContext): object {
  const given = query.get('workspaceId')
  const workspace = given === undefined ? undefined : workspaceIndex(given)
  const found = folders.filter((folder) => given === undefined || folder.workspace === workspace)
  if (found.length === 0 && !company.state.settings.emptyAs200) refuse(404, 'No library folders were found')
  return { folders: found.map(folderRecord) }
}

export function listFolderContent(context: RequestContext): object {
  const given = context.query.get('folderId')
  if (given === undefined) refuse(400, 'folderId: is required')
  const folder = folders[indexOf('folder', id(given)) ?? -1]
  if (folder === undefined) return refuse(404, `Library folder ${given} was not found`)
  const { parentFolderId: _, ...told } = folderRecord(folder)
  return { ...told, calls: callsIn(folder, context) }
}

/** Calls in the library's form: their title and when they were added, without start or length. */
function callsIn(folder: Folder, { company }: RequestContext): object[] {
  const { calls, state } = company
  return Array.from({ length: folder.calls }, (_, n) => n).flatMap((n) => {
    const call = calls.facts(calls.first() + 40 + n + folder.index * 3)
    if (state.gone.has(call.id)) return []
    const { title, url } = calls.metaData(call)
    const begins = Math.floor(call.duration / 4)
    return {
      id: call.id,
      title,
      ...(n % 3 === 0 ? { note: 'Listen to the second half' } : {}),
      addedBy: idOf('user', 9),
      created: dateTime(call.started + 2 * day, -10, 3),
      url: `${String(url)}&highlights=%5B%7B%22from%22%3A${begins}%7D%5D`,
      ...(n % 2 === 0 ? { snippet: { fromSec: begins, toSec: begins + 45 } } : {}),
    }
  })
}

function workspaceIndex(given: string): 0 | 1 | undefined {
  const index = indexOf('workspace', id(given))
  return index === 0 || index === 1 ? index : undefined
}
