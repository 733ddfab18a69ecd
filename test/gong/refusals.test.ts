/** What the system refuses, and what a caller is told of it. */
import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import type { Effect } from '../../src/simulator/fault-effects.ts'
import { type Connection, refused, startConnection } from './connected.ts'

describe('what the call-analytics system refuses', async () => {
  const connection: Connection = await startConnection()
  const { gong, at, simulators, clock } = connection
  after(() => connection.close())
  beforeEach(() => {
    simulators.faults.clear()
    clock.waits.length = 0
  })

  /** The next calls are answered so. */
  const answer = (effect: Effect, times: number | null = null, path = '/v2/'): void =>
    void simulators.faults.add({ host: 'api', path, times, effect })

  const none = { totalRecords: 0, currentPageSize: 0, currentPageNumber: 0, cursor: null }
  const sunday = { fromDateTime: '2026-06-07T12:00:00Z', toDateTime: '2026-06-07T13:00:00Z' }

  it('is an empty list where "not found" means that a period has no calls', async () => {
    for (const list of [
      gong.calls.list(sunday),
      gong.calls_extensive.list({ filter: sunday }),
      gong.call_transcripts.list({ filter: sunday }),
      gong.call_transcripts.list({ filter: { callIds: ['1'] } }),
    ]) {
      const { result, connector_metadata: told } = await list
      assert.deepEqual(result, [])
      assert.deepEqual(told, { pagination: none })
    }
  })

  it('is an empty list where "not found" means that there is nothing to count or to show', async () => {
    const filter = { fromDate: '2020-01-01', toDate: '2020-01-02' }
    assert.deepEqual((await gong.stats_interaction.list({ filter })).connector_metadata, { pagination: none })
    const reviews = await gong.stats_activity_scorecards.list({ filter: { scorecardIds: ['1'] } })
    assert.deepEqual([reviews.result, reviews.connector_metadata], [[], { pagination: none }])
    const folders = await gong.library_folders.list({ workspaceId: '1' })
    assert.deepEqual([folders.result, folders.connector_metadata], [[], {}])
    answer({ type: 'status', status: 404, body: { requestId: 'x', errors: ['No scorecards found'] } }, 1)
    assert.deepEqual((await gong.settings_scorecards.list()).result, [])
    answer({ type: 'status', status: 404, body: { requestId: 'x', errors: ['No users found'] } }, 1)
    const days = await gong.stats_activity_aggregate.list()
    assert.deepEqual([days.result, days.connector_metadata], [[], { pagination: none }])
  })

  it('is a missing record where one is asked for, and a refusal where a list names it', async () => {
    await refused(gong.calls.get({ id: '1' }), 'record_not_found')
    await refused(gong.users.get({ id: '1' }), 'record_not_found')
    for (const list of [
      () => gong.library_folder_content.list({ folderId: '1' }),
      () => gong.settings_trackers.list({ workspaceId: '1' }),
      () => gong.stats_activity_aggregate.list({ filter: { userIds: ['1'] } }),
      () => gong.stats_activity_day_by_day.list({ filter: { userIds: ['1'] } }),
    ]) {
      const error = await refused(list(), 'upstream_refused')
      assert.match(error.message, /check the ids/)
      assert.match(error.upstream?.message ?? '', /1 was not found/)
    }
    const contentSelector = { exposedFields: { media: true } }
    await refused(gong.call_audio.download({ filter: { callIds: ['1'] }, contentSelector }), 'record_not_found')
  })

  it('is no empty list when the words are others, or when another server says it', async () => {
    answer({ type: 'status', status: 404, body: { requestId: 'x', errors: ['Workspace not found'] } }, 1)
    await refused(gong.calls_extensive.list({ filter: { workspaceId: '1' } }), 'upstream_refused')
    answer({ type: 'html', status: 404 }, 1)
    await refused(gong.calls.list(), 'upstream_invalid_response')
    answer({ type: 'status', status: 404, body: { message: 'No calls found' } }, 1)
    await refused(gong.calls.list(), 'upstream_invalid_response')
    answer({ type: 'status', status: 404, body: 'Not Found' }, 1)
    await refused(gong.settings_scorecards.list(), 'upstream_invalid_response')
  })

  for (const [words, code] of [
    ['Not Found', 'upstream_invalid_response'],
    ['', 'upstream_invalid_response'],
    ['Workspace not found', 'upstream_invalid_response'],
    ['no Route matched with those values', 'upstream_invalid_response'],
    ['No calls found: the company has no access to calls', 'upstream_forbidden'],
    ['Company has no access to scorecards', 'upstream_forbidden'],
    ['No scorecards found because the workspace was not found', 'upstream_invalid_response'],
  ] as const)
    it(`is no empty list of anything in the words "${words}"`, async () => {
      answer({ type: 'status', status: 404, body: { requestId: 'x', errors: [words] } })
      for (const list of [
        () => gong.calls.list(),
        () => gong.calls.list(sunday),
        () => gong.calls_extensive.list({ filter: {} }),
        () => gong.call_transcripts.list({ filter: sunday }),
        () => gong.users.list(),
        () => gong.workspaces.list(),
        () => gong.settings_scorecards.list(),
        () => gong.settings_trackers.list(),
        () => gong.stats_activity_scorecards.list({ filter: { scorecardIds: ['1'] } }),
        () => gong.stats_activity_aggregate.list(),
        () => gong.stats_activity_day_by_day.list(),
        () => gong.stats_interaction.list(),
      ])
        await refused(list(), code)
    })

  it('is an empty list in the words that Gong’s reference has for none', async () => {
    const none: readonly (readonly [string, () => Promise<{ readonly result: readonly unknown[] }>])[] = [
      ['Answered scorecards not found', () => gong.stats_activity_scorecards.list({ filter: { scorecardIds: ['1'] } })],
      ['No stats found for the specified period', () => gong.stats_interaction.list()],
      ['Scorecards not found', () => gong.settings_scorecards.list()],
      ['No folders found', () => gong.library_folders.list({ workspaceId: '1' })],
      ['User not found', () => gong.stats_activity_aggregate.list()],
      ['User not found', () => gong.stats_activity_day_by_day.list()],
    ]
    for (const [words, list] of none) {
      answer({ type: 'status', status: 404, body: { requestId: 'x', errors: [words] } }, 1)
      assert.deepEqual((await list()).result, [])
    }
  })

  it('is a failure where "not found" makes no sense', async () => {
    answer({ type: 'status', status: 404, body: { requestId: 'x', errors: ['Nothing here'] } })
    await refused(gong.users.list(), 'upstream_invalid_response')
    await refused(gong.workspaces.list(), 'upstream_invalid_response')
  })

  it('is a failure when errors come under status 200, never an empty list', async () => {
    answer({ type: 'body', body: { requestId: 'x', errors: ['boom'] } }, 1)
    const error = await refused(gong.calls.list(), 'upstream_error')
    assert.equal(error.upstream?.message, 'boom')
    answer({ type: 'body', body: '{"requestId":"x","errors":[{"id":7782342274025937895}]}' }, 1)
    await refused(gong.calls.list(), 'upstream_error')
    answer({ type: 'body', body: { requestId: 'x' } }, 1)
    await refused(gong.calls.list(), 'upstream_invalid_response')
  })

  it('names the scope that is missing, without a renewal and without a second try', async () => {
    connection.change('scopes', { missing: ['api:coaching:read', 'api:calls:read:media-url'] })
    const granted = connection.connect(connection.grant)
    await granted.workspaces.list()
    const params = {
      'workspace-id': at['sales workspace']!,
      'manager-id': at.manager!,
      from: '2026-01-01T00:00:00Z',
      to: '2026-02-01T00:00:00Z',
    }
    const sent = await connection.during(async () => {
      const error = await refused(granted.coaching.list(params), 'upstream_forbidden')
      assert.match(error.message, /api:coaching:read/)
      assert.equal(error.upstream?.code, 'api:coaching:read')
    })
    assert.equal(sent.length, 1)
    const contentSelector = { exposedFields: { media: true } }
    const download = gong.call_audio.download({ filter: { callIds: [at['meeting with video']!] }, contentSelector })
    assert.match((await refused(download, 'upstream_forbidden')).message, /api:calls:read:media-url/)
    await gong.workspaces.list()
    connection.change('scopes', { missing: [] })
  })

  it('asks for new credentials when the company is inactive, and does not renew for that', async () => {
    const granted = connection.connect({ ...connection.grant, refresh_token: 'never-used' })
    answer({ type: 'status', status: 401, body: { requestId: 'x', errors: ['Company is inactive'] } })
    const sent = await connection.during(() => refused(granted.users.list(), 'reauthorization_required'))
    assert.equal(sent.length, 1)
  })

  it('names the caller’s address as a possible reason when access is denied', async () => {
    connection.change('settings', { wrong_address: true })
    const sent = await connection.during(async () => {
      assert.match((await refused(gong.users.list(), 'upstream_forbidden')).message, /address/)
    })
    assert.equal(sent.length, 1)
    connection.change('settings', { wrong_address: false })
  })

  it('refuses a cursor of another filter, a made-up one, and one older than an hour', async () => {
    const page = await gong.calls_extensive.list({ filter: {} })
    const { cursor } = page.connector_metadata.pagination as { cursor: string }
    const other = { fromDateTime: '2026-01-01T00:00:00Z' }
    await refused(gong.calls_extensive.list({ filter: other, cursor }), 'invalid_cursor')
    await refused(gong.users.list({ cursor: 'made-up' }), 'invalid_cursor')
    simulators.advance(59 * 60_000)
    const next = await gong.calls_extensive.list({ filter: {}, cursor })
    const { cursor: later } = next.connector_metadata.pagination as { cursor: string }
    simulators.advance(2 * 60_000)
    const sent = await connection.during(async () => {
      const error = await refused(gong.calls_extensive.list({ filter: {}, cursor: later }), 'invalid_cursor')
      assert.match(error.message, /first page/)
    })
    assert.equal(sent.length, 1)
  })

  it('passes on its words about params that fit the catalog', async () => {
    const filter = { fromDate: '2026-06-01', toDate: '2099-01-01' }
    const error = await refused(gong.stats_activity_aggregate.list({ filter }), 'upstream_refused')
    assert.match(error.upstream?.message ?? '', /current day/)
    await refused(gong.users.get({ id: '99999999999999999999' }), 'upstream_refused')
  })

  it('is told in its words, whatever the form', async () => {
    const words = 'filter.fromDateTime: must be before toDateTime'
    for (const body of [
      { requestId: 'x', errors: words },
      { requestId: 'x', errors: [{ message: words }] },
      { message: words },
      words,
    ]) {
      answer({ type: 'status', status: 400, body }, 1)
      const error = await refused(gong.users.list(), 'upstream_refused')
      assert.equal(error.upstream?.message, words)
    }
    answer({ type: 'status', status: 400, body: { errors: [{ message: 'cursor has expired' }] } }, 1)
    await refused(gong.users.list({ cursor: 'old' }), 'invalid_cursor')
    answer({ type: 'status', status: 429, body: { message: 'Limit Exceeded' } }, 4)
    const error = await refused(gong.users.list(), 'upstream_rate_limited')
    assert.equal(error.upstream?.message, 'Limit Exceeded')
  })

  it('is repeated when it passes: too many calls, server errors, gateways', async () => {
    for (const status of [429, 500, 502, 503, 504]) {
      answer({ type: 'status', status }, 2)
      const sent = await connection.during(() => gong.users.list())
      assert.equal(sent.length, 3, String(status))
    }
    answer({ type: 'html', status: 502 })
    await refused(gong.users.list(), 'upstream_error')
  })

  it('is not repeated when it will not pass', async () => {
    for (const status of [400, 405, 409, 415]) {
      answer({ type: 'status', status }, 1)
      const sent = await connection.during(() =>
        refused(gong.users.list(), status === 400 ? 'upstream_refused' : 'upstream_error'),
      )
      assert.equal(sent.length, 1, String(status))
    }
  })

  it('waits as long as it is told to, in seconds or until a date', async () => {
    answer({ type: 'status', status: 429, headers: { 'retry-after': '2' } }, 2)
    await gong.workspaces.list()
    assert.equal(clock.waits.filter((wait) => wait >= 2000).length, 2)
    answer({ type: 'status', status: 429, headers: { 'retry-after': '{date-60}' } }, 1)
    await gong.workspaces.list()
  })

  it('is found out by the missing cursor alone, not by a short page', async () => {
    const users = (count: number, first: number) =>
      Array.from({ length: count }, (_, n) => ({ id: String(first + n), active: true }))
    const pages = [100, 99, 1, 51]
    for (const [number, size] of pages.entries()) {
      const records = {
        totalRecords: 251,
        currentPageSize: size,
        currentPageNumber: number,
        ...(number < 3 ? { cursor: `c${number}` } : {}),
      }
      answer({ type: 'body', body: { requestId: 'x', records, users: users(size, number * 1000) } }, 1)
    }
    const seen: string[] = []
    const sent = await connection.during(async () => {
      for await (const { id } of gong.users.list.all()) seen.push(id)
    })
    assert.equal(sent.length, 4)
    assert.equal(new Set(seen).size, 251)
  })

  it('keeps its answer’s credentials to its own host when it redirects', async () => {
    answer({ type: 'redirect', status: 307, location: '{files}/elsewhere' }, 2)
    const sent = await connection.during(async () => {
      await refused(gong.users.list(), 'upstream_invalid_response')
      await refused(gong.calls_extensive.list({ filter: {} }), 'upstream_error')
    })
    for (const request of sent.filter(({ host }) => host === 'files')) {
      assert.equal(request.headers.authorization, undefined)
      assert.equal(request.method, 'GET')
    }
  })

  it('hands long waits to the caller, and sends nothing more meanwhile', async () => {
    answer({ type: 'status', status: 429, headers: { 'retry-after': '86400' } })
    const sent = await connection.during(async () => {
      const error = await refused(gong.workspaces.list(), 'upstream_rate_limited')
      assert.equal(error.retryAfter, 86_400)
    })
    assert.equal(sent.length, 1)
    assert.equal((await connection.during(() => refused(gong.users.list(), 'upstream_rate_limited'))).length, 0)
  })
})
