/** Private calls: shown like others, unless the operator has them left out. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { type Connection, refused, startConnection } from './connected.ts'

describe('private calls', async () => {
  const connection: Connection = await startConnection()
  const { at } = connection
  after(() => connection.close())
  const open = connection.gong
  const closed = connection.connect(connection.key, { engine: { privateRecords: false } })
  const id = at['private call']!
  const filter = { callIds: [id, at['meeting with video']!] }
  const media = { exposedFields: { media: true } }

  it('are given like others', async () => {
    assert.equal((await open.calls.get({ id })).result.isPrivate, true)
    assert.equal((await open.calls_extensive.list({ filter })).result.length, 2)
    assert.ok((await open.calls.list()).result.some(({ isPrivate }) => isPrivate))
  })

  it('are nowhere when the operator has them left out', async () => {
    await refused(closed.calls.get({ id }), 'record_not_found')
    await refused(closed.call_audio.download({ filter: { callIds: [id] }, contentSelector: media }), 'record_not_found')
    const extensive = await closed.calls_extensive.list({ filter })
    assert.deepEqual(
      extensive.result.map(({ metaData }) => metaData.id),
      [at['meeting with video']],
    )
    assert.equal((extensive.connector_metadata.pagination as { currentPageSize: number }).currentPageSize, 1)
    const calls = await Array.fromAsync(closed.calls.list.all())
    assert.ok(calls.length > 100 && calls.every(({ isPrivate }) => !isPrivate))
    const transcripts = await closed.call_transcripts.list({ filter })
    assert.deepEqual(
      transcripts.result.map(({ callId }) => callId),
      [at['meeting with video']],
    )
    const folderId = at['large library folder']!
    const [all, shown] = await Promise.all([open, closed].map((gong) => gong.library_folder_content.list({ folderId })))
    assert.ok(shown!.result.length < all!.result.length)
  })

  it('leave nothing to show where all that was asked for is private or erased', async () => {
    const { result } = await closed.call_transcripts.list({ filter: { callIds: [id] } })
    assert.deepEqual(result, [])
    connection.simulators.faults.add({
      path: '/calls/extensive',
      effect: { type: 'status', status: 404, body: { requestId: 'x', errors: ['No calls found'] } },
    })
    assert.deepEqual((await closed.call_transcripts.list({ filter })).result, [])
  })

  it('hide transcripts of calls about which nothing is known', async () => {
    connection.change('scopes', { missing: ['api:calls:read:extensive'] })
    const error = await refused(closed.call_transcripts.list({ filter }), 'upstream_forbidden')
    assert.match(error.message, /api:calls:read:extensive/)
    connection.change('scopes', { missing: [] })
  })

  it('hide calls of a folder about which nothing is known', async () => {
    const params = { folderId: at['library folder']! }
    connection.simulators.faults.add({
      path: '/calls/extensive',
      effect: { type: 'status', status: 404, body: { requestId: 'x', errors: ['No calls found'] } },
    })
    assert.deepEqual((await closed.library_folder_content.list(params)).result, [])
    connection.change('scopes', { missing: ['api:calls:read:extensive'] })
    const error = await refused(closed.library_folder_content.list(params), 'upstream_forbidden')
    assert.match(error.message, /api:calls:read:extensive/)
    connection.change('scopes', { missing: [] })
  })
})
