/** Every operation against the simulated system: what it asks there, and what comes back. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Entity } from '../../src/catalog/entity.ts'
import { gong as kind } from '../../src/connectors/gong/connector.ts'
import { conforms } from '../conforms.ts'
import { bodyOf, type Connection, startConnection } from './connected.ts'

interface Pagination {
  readonly totalRecords: number
  readonly currentPageSize: number
  readonly currentPageNumber: number
  readonly cursor: string | null
}

describe('the call-analytics operations', () => {
  let connection: Connection
  before(async () => {
    connection = await startConnection()
  })
  after(() => connection.close())

  const fits = (entity: string, action: 'list' | 'get', record: unknown): void =>
    conforms(record, (kind.entities as Record<string, Entity>)[entity]![action]!.record, `${entity} ${action}`)

  const list = async (entity: keyof typeof kind.entities, params: object = {}) => {
    const answer = await connection.gong.execute(entity, 'list', params)
    const result = answer.result as Record<string, unknown>[]
    assert.ok(result.length > 0, `${entity} is empty`)
    for (const record of result) fits(entity, 'list', record)
    return {
      result,
      pagination: answer.connector_metadata.pagination as Pagination,
      metadata: answer.connector_metadata,
    }
  }

  /** Walks a list by hand, as a caller would, with nothing but `pagination.cursor`. */
  async function walk(entity: keyof typeof kind.entities, params: object = {}) {
    const records: Record<string, unknown>[] = []
    const blocks: Pagination[] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const answer = await connection.gong.execute(entity, 'list', { ...params, ...(cursor ? { cursor } : {}) })
      const { pagination } = answer.connector_metadata as unknown as { pagination: Pagination }
      records.push(...(answer.result as Record<string, unknown>[]))
      assert.equal(pagination.currentPageSize, (answer.result as unknown[]).length)
      blocks.push(pagination)
      cursor = pagination.cursor
    }
    return { records, blocks }
  }

  it('lists users page by page to the end, and gets one', async () => {
    const { records, blocks } = await walk('users')
    assert.equal(new Set(records.map(({ id }) => id)).size, records.length)
    assert.ok(blocks.length >= 3)
    assert.deepEqual(
      blocks.map((block) => block.currentPageNumber),
      blocks.map((_, index) => index),
    )
    assert.ok(blocks.every((block) => block.totalRecords === records.length))
    assert.ok(records.some(({ active }) => active === false))
    const { result } = await connection.gong.users.get({ id: connection.at.user! })
    fits('users', 'get', result)
    assert.deepEqual(
      result,
      records.find(({ id }) => id === connection.at.user),
    )
  })

  it('lists calls with and without dates, sends only those given, and gets one', async () => {
    const [whole] = await connection.during(() => list('calls'))
    assert.equal(whole?.query, '')
    const from = '2026-05-01T00:00:00+02:00'
    const [bounded] = await connection.during(() => list('calls', { fromDateTime: from }))
    assert.equal(bounded?.query, `fromDateTime=${encodeURIComponent(from)}`)
    const { records } = await walk('calls', { fromDateTime: from, toDateTime: '2026-06-01T00:00:00Z' })
    assert.ok(records.length > 0)
    const { result } = await connection.gong.calls.get({ id: String(records[0]!.id) })
    fits('calls', 'get', result)
    assert.deepEqual(result, records[0])
  })

  it('sends times with capital letters, whichever the caller has', async () => {
    const period = { fromDateTime: '2026-05-01t00:00:00+02:00', toDateTime: '2026-06-01T00:00:00.5z' }
    const sent = { fromDateTime: '2026-05-01T00:00:00+02:00', toDateTime: '2026-06-01T00:00:00.5Z' }
    const [calls, ...bodies] = await connection.during(async () => {
      await list('calls', period)
      for (const entity of ['calls_extensive', 'call_transcripts'] as const) await list(entity, { filter: period })
      await list('stats_activity_scorecards', { filter: period })
    })
    assert.deepEqual(Object.fromEntries(new URLSearchParams(calls?.query)), sent)
    assert.deepEqual(
      bodies.map((request) => bodyOf(request).filter),
      [sent, sent, { reviewFromDate: '2026-04-29', reviewToDate: '2026-06-03' }],
    )
  })

  it('keeps the offsets and fractions of times as the system wrote them', async () => {
    const { result } = await list('calls')
    const offsets = new Set(result.map(({ started }) => String(started).replace(/^.*T[\d:.]*/, '')))
    assert.deepEqual([...offsets].sort(), ['+02:00', '-10:00', 'Z'])
    assert.ok(result.some(({ started }) => /:\d\d\.\d{6}[Z+-]/.test(String(started))))
  })

  it('gives null where a call by telephone has neither schedule nor address', async () => {
    const { result } = await connection.gong.calls.get({ id: connection.at['call by telephone']! })
    assert.equal(result.scheduled, null)
    assert.equal(result.meetingUrl, null)
  })

  it('lists extensive calls with filter, selector and cursor in the body and nothing in the query', async () => {
    const filter = { fromDateTime: '2026-01-01T00:00:00Z' }
    const contentSelector = { exposedFields: { parties: true } }
    const requests = await connection.during(async () => {
      const { records } = await walk('calls_extensive', { filter, contentSelector })
      const ids = new Set(records.map(({ metaData }) => (metaData as { id: string }).id))
      assert.equal(ids.size, records.length)
    })
    assert.ok(requests.length >= 2)
    assert.ok(requests.every(({ method, query }) => method === 'POST' && query === ''))
    assert.deepEqual(bodyOf(requests[0]), { filter, contentSelector })
    const { cursor, ...rest } = bodyOf(requests[1])
    assert.deepEqual(rest, { filter, contentSelector })
    assert.match(String(cursor), /^\S+$/)
  })

  it('gives the blocks of an extensive call that were asked for, and null for the others', async () => {
    const filter = { callIds: [connection.at['meeting with video']!] }
    const bare = (await list('calls_extensive', { filter })).result[0]!
    for (const block of ['parties', 'content', 'interaction', 'collaboration', 'media']) assert.equal(bare[block], null)
    const asked = {
      context: 'Extended',
      contextTiming: ['Now', 'TimeOfCall'],
      exposedFields: {
        collaboration: { publicComments: true },
        content: { brief: true, outline: true, pointsOfInterest: true, trackers: true, trackerOccurrences: true },
        interaction: { personInteractionStats: true, questions: true, speakers: true, video: true },
        media: true,
        parties: true,
      },
    }
    const full = (await list('calls_extensive', { filter, contentSelector: asked })).result[0]! as unknown as {
      content: object
      interaction: object
      media: { audioUrl: string }
      context: { objects: unknown[] }[]
    }
    assert.deepEqual(Object.keys(full.content).sort(), ['brief', 'outline', 'trackers'])
    assert.ok(Object.hasOwn(full.interaction, 'interactionStats'))
    assert.match(full.media.audioUrl, /^http/)
    assert.deepEqual(full.context.length, 2)
  })

  it('asks for trackers where only their occurrences were asked for', async () => {
    const filter = { callIds: [connection.at['meeting with video']!] }
    const contentSelector = { exposedFields: { content: { trackerOccurrences: true } } }
    const [request] = await connection.during(() => list('calls_extensive', { filter, contentSelector }))
    assert.deepEqual(bodyOf(request).contentSelector, {
      exposedFields: { content: { trackerOccurrences: true, trackers: true } },
    })
  })

  it('lists workspaces, whose id goes under both names', async () => {
    const { result, metadata } = await list('workspaces')
    assert.ok(result.every(({ id, workspaceId }) => id === workspaceId))
    assert.deepEqual(metadata, {})
  })

  it('lists transcripts by dates, by calls, and page by page', async () => {
    const one = await list('call_transcripts', { filter: { callIds: [connection.at['meeting with video']!] } })
    assert.equal(one.result.length, 1)
    assert.deepEqual(one.pagination, { totalRecords: 1, currentPageSize: 1, currentPageNumber: 0, cursor: null })
    const filter = { fromDateTime: '2025-01-01T00:00:00Z', toDateTime: '2026-06-01T00:00:00Z' }
    const { records, blocks } = await walk('call_transcripts', { filter })
    assert.ok(blocks.length > 2)
    assert.equal(new Set(records.map(({ callId }) => callId)).size, records.length)
  })

  it('walks all pages of the activity lists inside one call', async () => {
    const filter = { fromDate: '2026-01-01', toDate: '2026-06-01' }
    for (const entity of ['stats_activity_aggregate', 'stats_activity_day_by_day', 'stats_interaction'] as const) {
      let size = 0
      const requests = await connection.during(async () => {
        const { result, pagination } = await list(entity, { filter })
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
      userIds = (await list('stats_activity_aggregate')).result.slice(0, 2).map(({ userId }) => String(userId))
    })
    assert.deepEqual(bodyOf(all), { filter: { fromDate: '2026-05-16', toDate: '2026-06-15' } })
    const [some] = await connection.during(async () => {
      const { result } = await list('stats_activity_day_by_day', { filter: { userIds } })
      assert.deepEqual(
        result.map(({ userId }) => userId),
        userIds,
      )
    })
    assert.deepEqual(bodyOf(some), { filter: { userIds, fromDate: '2026-05-16', toDate: '2026-06-15' } })
  })

  it('lists scorecards of the company, or of one workspace and those that count everywhere', async () => {
    const all = await list('settings_scorecards')
    assert.deepEqual(all.metadata, {})
    const workspaceId = connection.at['success workspace']!
    const requests = await connection.during(async () => {
      const { result } = await list('settings_scorecards', { workspaceId })
      assert.ok(result.length < all.result.length)
      assert.deepEqual([...new Set(result.map((record) => record.workspaceId))].sort(), [workspaceId, null])
    })
    assert.equal(requests[0]?.query, '')
    const questions = all.result.flatMap((record) => record.questions as Record<string, unknown>[])
    assert.ok(questions.every(({ answerOptions, isRequired }) => Array.isArray(answerOptions) && isRequired === null))
    assert.ok(questions.some(({ minRange }) => minRange === '1'))
  })

  it('lists trackers, with their intervals as text', async () => {
    const { result } = await list('settings_trackers', { workspaceId: connection.at['sales workspace']! })
    assert.ok(result.some(({ saidAtInterval }) => saidAtInterval === '5'))
    assert.ok(result.every(({ saidInCallParts }) => Array.isArray(saidInCallParts)))
  })

  it('lists the folders of the library', async () => {
    const { result, metadata } = await list('library_folders', { workspaceId: connection.at['sales workspace']! })
    assert.ok(result.some(({ parentFolderId }) => parentFolderId === null))
    assert.deepEqual(metadata, {})
  })

  it('lists the calls of a folder together with what only the calls themselves tell', async () => {
    const requests = await connection.during(async () => {
      const { result, pagination } = await list('library_folder_content', {
        folderId: connection.at['library folder']!,
      })
      assert.equal(result.length, 12)
      assert.deepEqual(pagination, { totalRecords: 12, currentPageSize: 12, currentPageNumber: 0, cursor: null })
      assert.ok(result.every(({ started, duration, primaryUserId }) => started && duration && primaryUserId))
      assert.ok(result.some(({ note }) => note === 'Listen to the second half'))
    })
    assert.deepEqual(
      requests.map(({ method, path }) => `${method} ${path}`),
      ['GET /gong/v2/library/folder-content', 'POST /gong/v2/calls/extensive'],
    )
  })

  it('asks for at most a hundred calls of a folder at once, and for none of an empty one', async () => {
    const large = await connection.during(() =>
      list('library_folder_content', { folderId: connection.at['large library folder']! }),
    )
    assert.deepEqual(
      large.slice(1).map((request) => (bodyOf(request).filter as { callIds: string[] }).callIds.length),
      [100, 30],
    )
    const empty = await connection.during(async () => {
      const folderId = connection.at['empty library folder']!
      const { result, connector_metadata: told } = await connection.gong.library_folder_content.list({ folderId })
      assert.deepEqual(result, [])
      assert.deepEqual(told.pagination, { totalRecords: 0, currentPageSize: 0, currentPageNumber: 0, cursor: null })
    })
    assert.equal(empty.length, 1)
  })

  it('shows the calls of a folder without their details where the scope for those is missing', async () => {
    connection.change('scopes', { missing: ['api:calls:read:extensive'] })
    const { result } = await list('library_folder_content', { folderId: connection.at['library folder']! })
    assert.ok(
      result.every(
        ({ started, duration, primaryUserId }) => started === null && duration === null && primaryUserId === null,
      ),
    )
    connection.change('scopes', { missing: [] })
  })

  it('lists coaching flat, the manager first, with hyphenated params', async () => {
    const params = {
      'workspace-id': connection.at['sales workspace']!,
      'manager-id': connection.at.manager!,
      from: '2026-01-01T00:00:00Z',
      to: '2026-06-01T00:00:00Z',
    }
    const [request] = await connection.during(async () => {
      const { result, metadata } = await list('coaching', params)
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
    const { records } = await walk('stats_activity_scorecards')
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
    const { records: all } = await walk('stats_activity_scorecards')
    const { reviewerUserId, scorecardId } = all[0]!
    const period = { fromDateTime: '2026-02-03T04:05:06Z', toDateTime: '2026-04-03T04:05:06+03:00' }
    const within = ({ reviewTime }: Record<string, unknown>) =>
      Date.parse(String(reviewTime)) >= Date.parse(period.fromDateTime) &&
      Date.parse(String(reviewTime)) < Date.parse(period.toDateTime)
    const [request] = await connection.during(async () => {
      const { records } = await walk('stats_activity_scorecards', { filter: period })
      assert.deepEqual(records, all.filter(within))
    })
    assert.deepEqual(bodyOf(request), { filter: { reviewFromDate: '2026-02-02', reviewToDate: '2026-04-05' } })

    const people = { reviewerUserIds: [reviewerUserId], scorecardIds: [scorecardId] }
    const [narrowed] = await connection.during(async () => {
      const { records } = await walk('stats_activity_scorecards', { filter: people })
      assert.deepEqual(
        records,
        all.filter((one) => one.reviewerUserId === reviewerUserId && one.scorecardId === scorecardId),
      )
    })
    assert.deepEqual(bodyOf(narrowed), { filter: { scorecardIds: [scorecardId] } })
    const { records } = await walk('stats_activity_scorecards', { filter: { callIds: [all[3]!.callId] } })
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

  it('never must be told to slow down', async () => {
    const requests = await connection.during(async () => {
      for await (const _ of connection.gong.calls.list.pages());
      for await (const _ of connection.gong.users.list.pages());
    })
    assert.ok(requests.length > 8)
    assert.ok(requests.every(({ status }) => status === 200))
  })
})
