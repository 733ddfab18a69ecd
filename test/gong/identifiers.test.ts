/** Identifiers of nineteen digits, which the system may send as bare numbers: none of them loses a digit. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Connection, startConnection } from './connected.ts'

describe('identifiers sent as bare numbers', () => {
  let connection: Connection
  before(async () => {
    connection = await startConnection()
  })
  after(() => connection.close())

  /** The same list with ids as text and as numbers. */
  async function bothWays(run: () => Promise<{ result: unknown }>): Promise<readonly [unknown, unknown]> {
    const { result: asText } = await run()
    connection.change('settings', { bare_ids: true })
    const { result: asNumbers } = await run()
    connection.change('settings', { bare_ids: false })
    return [asText, asNumbers]
  }

  it('come out as text, digit for digit, in every list', async () => {
    const { gong, at } = connection
    const filter = { fromDate: '2026-05-01', toDate: '2026-06-01' }
    const contentSelector = {
      exposedFields: {
        parties: true,
        content: { trackers: true, trackerOccurrences: true, callOutcome: true },
        interaction: { speakers: true },
        collaboration: { publicComments: true },
      },
    }
    const coaching = { 'workspace-id': at['sales workspace']!, 'manager-id': at.manager! }
    const lists: readonly (() => Promise<{ result: unknown }>)[] = [
      () => gong.users.list(),
      () => gong.calls.list(),
      () => gong.calls.get({ id: at['private call']! }),
      () => gong.calls_extensive.list({ filter: {}, contentSelector }),
      () => gong.workspaces.list(),
      () => gong.call_transcripts.list({ filter: { callIds: [at['meeting with video']!] } }),
      () => gong.stats_activity_aggregate.list({ filter }),
      () => gong.stats_activity_day_by_day.list({ filter }),
      () => gong.stats_interaction.list({ filter }),
      () => gong.settings_scorecards.list({ workspaceId: at['sales workspace']! }),
      () => gong.settings_trackers.list(),
      () => gong.library_folders.list({ workspaceId: at['sales workspace']! }),
      () => gong.library_folder_content.list({ folderId: at['library folder']! }),
      () => gong.coaching.list({ ...coaching, from: '2026-01-01T00:00:00Z', to: '2026-06-01T00:00:00Z' }),
      () => gong.stats_activity_scorecards.list(),
    ]
    for (const list of lists) {
      const [asText, asNumbers] = await bothWays(list)
      assert.deepEqual(asNumbers, asText)
    }
  })

  it('keep neighbours apart that a double cannot tell from each other', async () => {
    const ids = ['7782342274025937895', '7782342274025937896'] as const
    connection.simulators.faults.add({
      path: '/stats/activity/scorecards',
      effect: {
        type: 'body',
        body: `{"requestId":"x","answeredScorecards":[${ids.map((id) => `{"answeredScorecardId":${id},"reviewTime":"2026-01-01T00:00:00Z","answers":[{"questionId":${id}}]}`).join()}]}`,
      },
    })
    const { result } = await connection.gong.stats_activity_scorecards.list()
    assert.deepEqual(
      result.map((record) => record.answeredScorecardId),
      ids,
    )
    assert.deepEqual(
      result.map((record) => record.answers[0]?.questionId),
      ids,
    )
  })
})
