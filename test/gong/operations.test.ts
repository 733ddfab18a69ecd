/** Operations against the simulated system: what they ask there, and what comes back. What people did is in `activity.test.ts`. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { bodyOf, type Connection, startConnection } from './connected.ts'
import { fits, list, walk } from './lists.ts'

describe('the call-analytics operations', () => {
  let connection: Connection
  before(async () => {
    connection = await startConnection()
  })
  after(() => connection.close())

  it('lists users page by page to the end, and gets one', async () => {
    const { records, blocks } = await walk(connection, 'users')
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
    const [whole] = await connection.during(() => list(connection, 'calls'))
    assert.equal(whole?.query, '')
    const from = '2026-05-01T00:00:00+02:00'
    const [bounded] = await connection.during(() => list(connection, 'calls', { fromDateTime: from }))
    assert.equal(bounded?.query, `fromDateTime=${encodeURIComponent(from)}`)
    const { records } = await walk(connection, 'calls', { fromDateTime: from, toDateTime: '2026-06-01T00:00:00Z' })
    assert.ok(records.length > 0)
    const { result } = await connection.gong.calls.get({ id: String(records[0]!.id) })
    fits('calls', 'get', result)
    assert.deepEqual(result, records[0])
  })

  it('sends times with capital letters, whichever the caller has', async () => {
    const period = { fromDateTime: '2026-05-01t00:00:00+02:00', toDateTime: '2026-06-01T00:00:00.5z' }
    const sent = { fromDateTime: '2026-05-01T00:00:00+02:00', toDateTime: '2026-06-01T00:00:00.5Z' }
    const [calls, ...bodies] = await connection.during(async () => {
      await list(connection, 'calls', period)
      for (const entity of ['calls_extensive', 'call_transcripts'] as const)
        await list(connection, entity, { filter: period })
      await list(connection, 'stats_activity_scorecards', { filter: period })
    })
    assert.deepEqual(Object.fromEntries(new URLSearchParams(calls?.query)), sent)
    assert.deepEqual(
      bodies.map((request) => bodyOf(request).filter),
      [sent, sent, { reviewFromDate: '2026-04-29', reviewToDate: '2026-06-03' }],
    )
  })

  it('keeps the offsets and fractions of times as the system wrote them', async () => {
    const { result } = await list(connection, 'calls')
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
      const { records } = await walk(connection, 'calls_extensive', { filter, contentSelector })
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
    const bare = (await list(connection, 'calls_extensive', { filter })).result[0]!
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
    const full = (await list(connection, 'calls_extensive', { filter, contentSelector: asked }))
      .result[0]! as unknown as {
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

  it('asks for the blocks of the fields that are chosen, unless the caller has a selector', async () => {
    const filter = { callIds: [connection.at['meeting with video']!] }
    const sent = async (select_fields: string[], more: object = {}) => {
      let record: Record<string, unknown> | undefined
      const [request] = await connection.during(async () => {
        const { result } = await connection.gong.calls_extensive.list({ filter, ...more }, { select_fields })
        record = result[0]
      })
      return { selector: bodyOf(request).contentSelector, record: record! }
    }
    const some = await sent(['metaData.id', 'parties', 'content.brief', 'interaction.interactionStats', 'context'])
    assert.deepEqual(some.selector, {
      context: 'Extended',
      exposedFields: { parties: true, content: { brief: true }, interaction: { personInteractionStats: true } },
    })
    assert.deepEqual(Object.keys(some.record).sort(), ['content', 'context', 'interaction', 'metaData', 'parties'])
    assert.deepEqual(Object.keys(some.record.content as object), ['brief'])
    const whole = await sent(['collaboration', 'interaction'])
    assert.deepEqual(whole.selector, {
      exposedFields: {
        collaboration: { publicComments: true },
        interaction: { personInteractionStats: true, questions: true, speakers: true, video: true },
      },
    })
    assert.equal((await sent(['metaData', 'nope'])).selector, undefined)
    const own = { exposedFields: { media: true } }
    assert.deepEqual((await sent(['parties'], { contentSelector: own })).selector, own)
  })

  it('asks for trackers where only their occurrences were asked for', async () => {
    const filter = { callIds: [connection.at['meeting with video']!] }
    const contentSelector = { exposedFields: { content: { trackerOccurrences: true } } }
    const [request] = await connection.during(() => list(connection, 'calls_extensive', { filter, contentSelector }))
    assert.deepEqual(bodyOf(request).contentSelector, {
      exposedFields: { content: { trackerOccurrences: true, trackers: true } },
    })
  })

  it('lists workspaces, whose id goes under both names', async () => {
    const { result, metadata } = await list(connection, 'workspaces')
    assert.ok(result.every(({ id, workspaceId }) => id === workspaceId))
    assert.deepEqual(metadata, {})
  })

  it('lists transcripts by dates, by calls, and page by page', async () => {
    const one = await list(connection, 'call_transcripts', {
      filter: { callIds: [connection.at['meeting with video']!] },
    })
    assert.equal(one.result.length, 1)
    assert.deepEqual(one.pagination, { totalRecords: 1, currentPageSize: 1, currentPageNumber: 0, cursor: null })
    const filter = { fromDateTime: '2025-01-01T00:00:00Z', toDateTime: '2026-06-01T00:00:00Z' }
    const { records, blocks } = await walk(connection, 'call_transcripts', { filter })
    assert.ok(blocks.length > 2)
    assert.equal(new Set(records.map(({ callId }) => callId)).size, records.length)
  })

  it('lists trackers, with their intervals as text', async () => {
    const { result } = await list(connection, 'settings_trackers', { workspaceId: connection.at['sales workspace']! })
    assert.ok(result.some(({ saidAtInterval }) => saidAtInterval === '5'))
    assert.ok(result.every(({ saidInCallParts }) => Array.isArray(saidInCallParts)))
  })

  it('lists the folders of the library', async () => {
    const { result, metadata } = await list(connection, 'library_folders', {
      workspaceId: connection.at['sales workspace']!,
    })
    assert.ok(result.some(({ parentFolderId }) => parentFolderId === null))
    assert.deepEqual(metadata, {})
  })

  it('lists the calls of a folder together with what only the calls themselves tell', async () => {
    const requests = await connection.during(async () => {
      const { result, pagination } = await list(connection, 'library_folder_content', {
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
      list(connection, 'library_folder_content', { folderId: connection.at['large library folder']! }),
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
    const { result } = await list(connection, 'library_folder_content', { folderId: connection.at['library folder']! })
    assert.ok(
      result.every(
        ({ started, duration, primaryUserId }) => started === null && duration === null && primaryUserId === null,
      ),
    )
    connection.change('scopes', { missing: [] })
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
