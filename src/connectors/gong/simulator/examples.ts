/** The records that tests and demonstrations look for, and params for every operation with which it finds something. */
import type { SystemExamples } from '../../../kit/simulator.ts'
import { dateOf, day } from './calendar.ts'
import type { CallFacts } from './calls.ts'
import { isReviewed } from './reviews.ts'
import { folders, scorecards, workspaces } from './setup.ts'
import type { World } from './world.ts'

/** The first of their kind since the company's beginning. */
export function landmarksOf({ calls, people }: World, now: number) {
  const find = (fits: (call: CallFacts) => boolean): string => {
    for (const call of calls.seen(now)) if (fits(call)) return call.id
    throw new Error('The company is too young.')
  }
  return {
    'meeting with video': find(({ kind, hasMedia }) => kind === 'meeting' && hasMedia),
    'call of half a minute': find(({ kind, hasMedia, duration }) => kind === 'meeting' && hasMedia && duration === 30),
    'call by telephone': find(({ kind, hasMedia }) => kind === 'telephone' && hasMedia),
    'imported call': find(({ kind }) => kind === 'imported'),
    'meeting without a recording': find(({ kind, hasMedia }) => kind === 'meeting' && !hasMedia),
    'private call': find(({ isPrivate }) => isPrivate),
    'reviewed call': find(isReviewed),
    manager: people.managers[1]!.record.id,
    user: people.hosts[0]!.record.id,
    'sales workspace': workspaces[0].id,
    'success workspace': workspaces[1].id,
    scorecard: scorecards[0]!.scorecardId,
    'library folder': folders[1]!.record.id,
    'large library folder': folders[2]!.record.id,
    'empty library folder': folders[3]!.record.id,
  } as const
}

/** For any seed and scale. `now` is the first look at the company: the examples cover the four weeks before it. */
export function examplesAt(at: ReturnType<typeof landmarksOf>, now: number): SystemExamples {
  const [fromDate, toDate] = [dateOf(now - 28 * day), dateOf(now)]
  const [from, to] = [`${fromDate}T00:00:00Z`, `${toDate}T00:00:00Z`]
  const period = { fromDateTime: from, toDateTime: to }
  const days = { filter: { fromDate, toDate } }
  const recording = {
    filter: { callIds: [at['call of half a minute']] },
    contentSelector: { exposedFields: { media: true } },
  }
  const inSales = { workspaceId: at['sales workspace'] }
  return {
    users: { list: {}, get: { id: at.user } },
    calls: { list: period, get: { id: at['meeting with video'] } },
    calls_extensive: {
      list: { filter: period, contentSelector: { exposedFields: { parties: true, content: { topics: true } } } },
    },
    call_audio: { download: recording },
    call_video: { download: recording },
    workspaces: { list: {} },
    call_transcripts: { list: { filter: period } },
    stats_activity_aggregate: { list: days },
    stats_activity_day_by_day: { list: days },
    stats_interaction: { list: days },
    settings_scorecards: { list: inSales },
    settings_trackers: { list: inSales },
    library_folders: { list: inSales },
    library_folder_content: { list: { folderId: at['library folder'] } },
    coaching: { list: { 'workspace-id': at['sales workspace'], 'manager-id': at.manager, from, to } },
    stats_activity_scorecards: { list: { filter: period } },
  }
}
