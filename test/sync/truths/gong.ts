/** All that a simulated Gong holds. */
import { type Any, ask, byId, type Truth } from './ask.ts'

/** All that Gong finds in a call, but for the addresses of its recording. */
const allContents = {
  context: 'Extended',
  exposedFields: {
    parties: true,
    collaboration: { publicComments: true },
    interaction: { personInteractionStats: true, speakers: true, video: true, questions: true },
    content: {
      structure: true,
      topics: true,
      trackers: true,
      trackerOccurrences: true,
      brief: true,
      outline: true,
      highlights: true,
      callOutcome: true,
      keyPoints: true,
    },
  },
}

export async function gongTruth(base: string, authorization: string): Promise<Truth> {
  async function list(path: string, at: string, body?: object): Promise<Any[]> {
    const found: Any[] = []
    for (let cursor: string | undefined; ; ) {
      const query = body === undefined && cursor !== undefined ? `?cursor=${encodeURIComponent(cursor)}` : ''
      const answer = await ask(`${base}${path}${query}`, authorization, body && { ...body, cursor })
      if (answer === null) return found
      found.push(...answer[at])
      cursor = answer.records?.cursor
      if (cursor === undefined) return found
    }
  }
  const extensive = await list('/v2/calls/extensive', 'calls', { filter: {}, contentSelector: allContents })
  return {
    users: byId(await list('/v2/users', 'users'), ({ id }) => id),
    calls: byId(await list('/v2/calls', 'calls'), ({ id }) => id),
    calls_extensive: byId(
      extensive.map((call) => ({ ...call, id: call.metaData.id, startdatetime: call.metaData.started })),
      ({ id }) => id,
    ),
    settings_scorecards: byId(await list('/v2/settings/scorecards', 'scorecards'), ({ scorecardId }) => scorecardId),
    stats_activity_scorecards: byId(
      await list('/v2/stats/activity/scorecards', 'answeredScorecards', { filter: {} }),
      ({ answeredScorecardId }) => answeredScorecardId,
    ),
  }
}
