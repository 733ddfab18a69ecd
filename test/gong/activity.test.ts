/** Operations on what people did, and how they were rated, against the simulated system: what they ask there, and what comes back. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { bodyOf, type Connection, startConnection } from './connected.ts'
import { fits, list, walk } from './lists.ts'

describe('the operations on activity, coaching and scorecards', () => {
  let connection: Connection
  before(async () => {
    connection = await startConnection()
  })
  after(() => connection.close())

  it('walks all pages of the activity lists inside one call', async () => {
    const filter = { fromDate: '2026-01-01', toDate: '2026-06-01' }
    for (const entity of ['stats_activity_aggregate', 'stats_activity_day_by_day', 'stats_interaction'] as const) {
      let size = 0
      const requests = await connection.during(async () => {
        const { result, pagination } = await list(connection, entity, { filter })
        size = result.length
        assert.equal(new Set(result.map(({ userId }) => userId)).size, size)
        assert.deepEqual(pagination, { totalRecords: size, currentPageSize: size, currentPageNumber: 0, cursor: null })
      })
      assert.ok(size > 100)
      assert.equal(requests.length, Math.ceil(size / 100))
      assert.deepEqual(bodyOf(requests[0]), { filter })
      const { cursor, ...rest } = bodyOf(requests[1])
      assert.deepEqual(rest, { filter })
      assert.ok(cursor)
    }
  })

  it('asks for the last thirty days of activity when no days are given, and narrows to users', async () => {
    let userIds: string[] = []
    const [all] = await connection.during(async () => {
      userIds = (await list(connection, 'stats_activity_aggregate')).result
        .slice(0, 2)
        .map(({ userId }) => String(userId))
    })
    assert.deepEqual(bodyOf(all), { filter: { fromDate: '2026-05-16', toDate: '2026-06-15' } })
    const [some] = await connection.during(async () => {
      const { result } = await list(connection, 'stats_activity_day_by_day', { filter: { userIds } })
      assert.deepEqual(
        result.map(({ userId }) => userId),
        userIds,
      )
    })
    assert.deepEqual(bodyOf(some), { filter: { userIds, fromDate: '2026-05-16', toDate: '2026-06-15' } })
  })

  it('lists scorecards of the company, or of one workspace and those that count everywhere', async () => {
    const all = await list(connection, 'settings_scorecards')
    assert.deepEqual(all.metadata, {})
    const workspaceId = connection.at['success workspace']!
    const requests = await connection.during(async () => {
      const { result } = await list(connection, 'settings_scorecards', { workspaceId })
      assert.ok(result.length < all.result.length)
      assert.deepEqual([...new Set(result.map((record) => record.workspaceId))].sort(), [workspaceId, null])
    })
    assert.equal(requests[0]?.query, '')
    const questions = all.result.flatMap((record) => record.questions as Record<string, unknown>[])
    assert.ok(questions.every(({ answerOptions, isRequired }) => Array.isArray(answerOptions) && isRequired === null))
    assert.ok(questions.some(({ minRange }) => minRange === '1'))
  })

  it('lists coaching flat, the manager first, with hyphenated params', async () => {
    const params = {
      'workspace-id': connection.at['sales workspace']!,
      'manager-id': connection.at.manager!,
      from: '2026-01-01T00:00:00Z',
      to: '2026-06-01T00:00:00Z',
    }
    const [request] = await connection.during(async () => {
      const { result, metadata } = await list(connection, 'coaching', params)
      const [manager, ...reports] = result as {
        isManager: boolean
        userId: string
        coachingMetrics: Record<string, number>
      }[]
      assert.equal(manager?.userId, params['manager-id'])
      assert.deepEqual([manager?.isManager, ...new Set(reports.map(({ isManager }) => isManager))], [true, false])
      for (const counter of [
        'callsListened',
        'callsAttended',
        'callsWithFeedback',
        'callsWithComments',
        'scorecardsFilled',
      ])
        assert.equal(
          manager?.coachingMetrics[counter],
          // No call has two of the reports, so that the manager's calls are the sum.
          reports.reduce((sum, { coachingMetrics }) => sum + coachingMetrics[counter]!, 0),
        )
      assert.deepEqual(metadata, {})
    })
    assert.deepEqual(
      request?.query.split('&').map((pair) => pair.split('=')[0]),
      ['workspace-id', 'manager-id', 'from', 'to'],
    )
  })

  it('lists filled-in scorecards with what the system leaves to be worked out', async () => {
    const { records } = await walk(connection, 'stats_activity_scorecards')
    for (const record of records) {
      fits('stats_activity_scorecards', 'list', record)
      assert.equal(record.answeredDateTime, record.reviewTime)
      assert.equal(record.visibility, String(record.visibilityType).toLowerCase())
      const answers = record.answers as Record<string, unknown>[]
      const overall = answers.find(({ isOverall }) => isOverall)
      assert.equal(record.overallScore, overall?.score)
      for (const { answer, answerText, selectedOptions, score } of answers)
        assert.equal(
          answer,
          answerText ?? (selectedOptions as string[] | null)?.join(',') ?? (score === null ? null : String(score)),
        )
    }
    assert.ok(records.some(({ overallScore }) => overallScore === null))
  })

  it('translates the filter of filled-in scorecards, and leaves out here what the system cannot', async () => {
    const { records: all } = await walk(connection, 'stats_activity_scorecards')
    const { reviewerUserId, scorecardId } = all[0]!
    const period = { fromDateTime: '2026-02-03T04:05:06Z', toDateTime: '2026-04-03T04:05:06+03:00' }
    const within = ({ reviewTime }: Record<string, unknown>) =>
      Date.parse(String(reviewTime)) >= Date.parse(period.fromDateTime) &&
      Date.parse(String(reviewTime)) < Date.parse(period.toDateTime)
    const [request] = await connection.during(async () => {
      const { records } = await walk(connection, 'stats_activity_scorecards', { filter: period })
      assert.deepEqual(records, all.filter(within))
    })
    assert.deepEqual(bodyOf(request), { filter: { reviewFromDate: '2026-02-02', reviewToDate: '2026-04-05' } })

    const people = { reviewerUserIds: [reviewerUserId], scorecardIds: [scorecardId] }
    const [narrowed] = await connection.during(async () => {
      const { records } = await walk(connection, 'stats_activity_scorecards', { filter: people })
      assert.deepEqual(
        records,
        all.filter((one) => one.reviewerUserId === reviewerUserId && one.scorecardId === scorecardId),
      )
    })
    assert.deepEqual(bodyOf(narrowed), { filter: { scorecardIds: [scorecardId] } })
    const { records } = await walk(connection, 'stats_activity_scorecards', { filter: { callIds: [all[3]!.callId] } })
    assert.deepEqual(records, [all[3]])
  })

  it('asks for no review day that is still to come', async () => {
    const [request] = await connection.during(() =>
      connection.gong.stats_activity_scorecards.list({
        filter: { fromDateTime: '2026-06-10T00:00:00Z', toDateTime: '2026-06-15T12:00:00Z' },
      }),
    )
    assert.deepEqual(bodyOf(request), { filter: { reviewFromDate: '2026-06-09' } })
  })
})
