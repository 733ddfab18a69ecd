/** What callers may not ask for: told in a sentence, before anything is sent. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { badIds, badRanges } from '../../src/catalog/hostile-params.suite.ts'
import { type Connection, refused, startConnection } from './connected.ts'

const media = { exposedFields: { media: true } }
const period = { from: '2024-05-01T00:00:00Z', to: '2024-05-31T00:00:00Z' }

/** Operation, params, where the fault lies, and words of the sentence about it. */
const wrong: readonly (readonly [string, string, object, string, RegExp])[] = [
  ['calls_extensive', 'list', {}, '/params/filter', /is required/],
  ['calls_extensive', 'list', { filter: { callIds: [] } }, '/params/filter', /cannot be empty/],
  ['calls_extensive', 'list', { filter: { callIds: ['x'] } }, '/params/filter/callIds/0', /digits/],
  ['calls_extensive', 'list', { filter: { callIds: [7782342274025937000] } }, '/params/filter/callIds/0', /as text/],
  ['calls_extensive', 'list', { filter: { callIDs: ['1'] } }, '/params/filter/callIDs', /did you mean "?callIds/],
  ['calls_extensive', 'list', { filter: { fromDateTime: '2024-05-01' } }, '/params/filter/fromDateTime', /offset/],
  [
    'calls_extensive',
    'list',
    { filter: { fromDateTime: period.to, toDateTime: period.from } },
    '/params/filter',
    /before/,
  ],
  [
    'calls_extensive',
    'list',
    { filter: {}, contentSelector: { context: 'Basic' } },
    '/params/contentSelector/context',
    /Extended/,
  ],
  [
    'calls_extensive',
    'list',
    { filter: {}, contentSelector: { contextTiming: ['Now'] } },
    '/params/contentSelector',
    /Extended/,
  ],
  [
    'calls_extensive',
    'list',
    { filter: {}, contentSelector: { exposedFields: { content: { brief: 'yes' } } } },
    '/params/contentSelector/exposedFields/content/brief',
    /true or false/,
  ],
  ['calls', 'list', { fromDateTime: period.to, toDateTime: period.from }, '/params/fromDateTime', /before/],
  ['calls', 'list', { fromDateTime: period.from, toDateTime: period.from }, '/params/fromDateTime', /before/],
  ['calls', 'list', { fromDateTime: '2024-02-30T00:00:00Z' }, '/params/fromDateTime', /exists/],
  ['calls', 'list', { fromDateTime: '2024-05-01T00:00:00' }, '/params/fromDateTime', /offset/],
  ['calls', 'list', { cursor: '' }, '/params/cursor', /not empty/],
  ['calls', 'list', { workspaceId: '1' }, '/params/workspaceId', /not known/],
  ['call_transcripts', 'list', {}, '/params/filter', /callIds/],
  ['call_transcripts', 'list', { filter: {} }, '/params/filter', /callIds/],
  ['call_transcripts', 'list', { filter: { fromDateTime: period.from } }, '/params/filter', /toDateTime/],
  ['call_transcripts', 'list', { filter: { callIds: [] } }, '/params/filter', /empty/],
  [
    'stats_activity_aggregate',
    'list',
    { filter: { fromDate: '2024-02-30', toDate: '2024-03-01' } },
    '/params/filter/fromDate',
    /exists/,
  ],
  ['stats_activity_aggregate', 'list', { filter: { fromDate: '2024-02-20' } }, '/params/filter', /toDate/],
  [
    'stats_activity_day_by_day',
    'list',
    { filter: { fromDate: '2024-03-01', toDate: '2024-03-01' } },
    '/params/filter',
    /before/,
  ],
  ['stats_interaction', 'list', { filter: { userIds: [] } }, '/params/filter', /empty/],
  ['stats_interaction', 'list', { cursor: 'x' }, '/params/cursor', /not known/],
  ['stats_activity_scorecards', 'list', { filter: { callIds: [] } }, '/params/filter', /empty/],
  [
    'stats_activity_scorecards',
    'list',
    { filter: { reviewFromDate: '2024-01-01' } },
    '/params/filter/reviewFromDate',
    /not known/,
  ],
  ['library_folders', 'list', {}, '/params/workspaceId', /is required/],
  ['library_folder_content', 'list', {}, '/params/folderId', /is required/],
  ['coaching', 'list', { workspaceId: '1', 'manager-id': '2', ...period }, '/params/workspaceId', /workspace-id/],
  ['coaching', 'list', { 'workspace-id': '1', manager_id: '2', ...period }, '/params/manager_id', /manager-id/],
  ['coaching', 'list', { 'manager-id': '2', ...period }, '/params/workspace-id', /is required/],
  ['coaching', 'list', { 'workspace-id': '1', ...period }, '/params/manager-id', /is required/],
  ['coaching', 'list', { 'workspace-id': '1', 'manager-id': '2', to: period.to }, '/params/from', /is required/],
  ['coaching', 'list', { 'workspace-id': '1', 'manager-id': '2', from: period.from }, '/params/to', /is required/],
  [
    'coaching',
    'list',
    { 'workspace-id': '1', 'manager-id': '2', from: period.to, to: period.from },
    '/params/from',
    /before/,
  ],
  ['users', 'get', {}, '/params/id', /is required/],
  ['users', 'get', { id: 7 }, '/params/id', /as text/],
  ['call_audio', 'download', {}, '/params/filter', /one call id/],
  ['call_audio', 'download', { contentSelector: media }, '/params/filter', /one call id/],
  ['call_audio', 'download', { filter: { callIds: [] }, contentSelector: media }, '/params/filter', /one call id/],
  [
    'call_audio',
    'download',
    { filter: { callIds: ['1', '2'] }, contentSelector: media },
    '/params/filter',
    /one call id/,
  ],
  ['call_video', 'download', { filter: { callIds: ['1'] } }, '/params/contentSelector', /media to true/],
  [
    'call_video',
    'download',
    { filter: { callIds: ['1'] }, contentSelector: { exposedFields: { media: false } } },
    '/params/contentSelector',
    /media to true/,
  ],
]

describe('params that cannot be right', () => {
  let connection: Connection
  before(async () => {
    connection = await startConnection()
  })
  after(() => connection.close())

  async function refusedUnsent(entity: string, action: string, params: object) {
    const { gong } = connection
    let issues: readonly { path: string; message: string }[] = []
    const sent = await connection.during(async () => {
      const call =
        action === 'download'
          ? gong.download(entity as 'call_audio', params)
          : gong.execute(entity as 'calls', action, params)
      issues = (await refused(call, 'invalid_params')).issues ?? []
    })
    assert.deepEqual(sent, [])
    return issues
  }

  for (const [entity, action, params, path, words] of wrong)
    it(`are refused: ${entity}.${action} ${JSON.stringify(params).slice(0, 90)}`, async () => {
      const issues = await refusedUnsent(entity, action, params)
      const issue = issues.find((one) => one.path === path)
      assert.ok(issue, JSON.stringify(issues))
      assert.match(issue.message, words)
    })

  it('are told in one sentence that names a param once', async () => {
    const call = connection.gong.calls.list({ fromDateTime: period.to, toDateTime: period.from })
    const { message } = await refused(call, 'invalid_params')
    assert.equal(message, 'calls.list cannot run with these params: fromDateTime must be before toDateTime.')
  })

  it('are refused: ids that would change the path', async () => {
    for (const id of badIds) {
      await refusedUnsent('users', 'get', { id })
      await refusedUnsent('calls', 'get', { id })
    }
  })

  it('are refused: ranges that are none', async () => {
    for (const range of badRanges) {
      const params = { filter: { callIds: ['1'] }, contentSelector: media, range_header: range }
      const issues = await refusedUnsent('call_audio', 'download', params)
      assert.deepEqual(
        issues.map(({ path }) => path),
        ['/params/range_header'],
      )
    }
  })

  it('but an empty filter of extensive calls means all calls', async () => {
    const { result } = await connection.gong.calls_extensive.list({ filter: {} })
    assert.equal(result.length, 100)
  })
})
