/** Params for every operation with which it finds something, for any seed and scale. */
import type { SystemExamples } from '../../../kit/simulator.ts'
import { dateOf, day } from './calendar.ts'
import type { landmarksOf } from './landmarks.ts'

/** `now` is the first look at the company: the examples cover the four weeks before it. */
export function examplesAt(at: ReturnType<typeof landmarksOf>, now: number): SystemExamples {
  const [fromDate, toDate] = [dateOf(now - 28 * day), dateOf(now)]
  const [from, to] = [`${fromDate}T00:00:00Z`, `${toDate}T00:00:00Z`]
  const period = { fromDateTime: from, toDateTime: to }
  const days = { filter: { fromDate, toDate } }
  const recording = (id: string) => ({
    filter: { callIds: [id] },
    contentSelector: { exposedFields: { media: true } },
  })
  return {
    users: { list: {}, get: { id: at.user } },
    calls: { list: period, get: { id: at['meeting with video'] } },
    calls_extensive: {
      list: { filter: period, contentSelector: { exposedFields: { parties: true, content: { topics: true } } } },
    },
    call_audio: { download: recording(at['call of half a minute']) },
    call_video: { download: recording(at['call of half a minute']) },
    workspaces: { list: {} },
    call_transcripts: { list: { filter: period } },
    stats_activity_aggregate: { list: days },
    stats_activity_day_by_day: { list: days },
    stats_interaction: { list: days },
    settings_scorecards: { list: { workspaceId: at['sales workspace'] } },
    settings_trackers: { list: { workspaceId: at['sales workspace'] } },
    library_folders: { list: { workspaceId: at['sales workspace'] } },
    library_folder_content: { list: { folderId: at['library folder'] } },
    coaching: { list: { 'workspace-id': at['sales workspace'], 'manager-id': at.manager, from, to } },
    stats_activity_scorecards: { list: { filter: period } },
  }
}
