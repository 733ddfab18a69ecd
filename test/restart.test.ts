import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { connectors, isFine, startHosted } from './hosted.ts'

describe('a server that is started again', () => {
  it('goes on with the same database: connectors, credentials, tokens and clients', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'conex-restart-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const first = await startHosted({ folder })
    t.after(() => first.close())
    const made = first.server.madeClient!
    const oauth = await first.connect(first.credentials('oauth'))
    const before = isFine(await first.call('GET', connectors, { token: first.ann }))
    const { connector, ann } = first
    await first.close()

    const second = await startHosted({ folder })
    t.after(() => second.close())
    assert.equal(second.server.madeClient, null)
    assert.equal(second.server.organizationId, first.server.organizationId)
    const again = isFine(await second.call('GET', connectors, { token: ann }))
    assert.deepEqual(again.connectors.slice(0, 2), before.connectors)
    for (const id of [connector, oauth])
      isFine(await second.execute('workspaces', 'list', {}, { connector: id, token: ann }))
    const issued = await second.call('POST', '/api/v1/account/applications/token', {
      body: { client_id: made.id, client_secret: made.secret },
    })
    isFine(await second.call('GET', connectors, { token: isFine(issued).access_token }))
  })

  it('keeps a refresh token that was rotated before it stopped', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'conex-restart-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const first = await startHosted({ folder })
    t.after(() => first.close())
    first.systems.change('asana', { change: 'settings', rotate_refresh_tokens: true })
    const connector = await first.connect(first.credentials('oauth'))
    first.systems.change('asana', { change: 'expire_access_tokens' })
    isFine(await first.execute('workspaces', 'list', {}, { connector }))
    await first.server.close()
    first.systems.change('asana', { change: 'expire_access_tokens' })
    const address = first.systems.describe().asana!.base_url

    const second = await startHosted({ folder, settings: { baseUrls: { asana: address } } })
    t.after(() => second.close())
    isFine(await second.execute('workspaces', 'list', {}, { connector, token: first.ann }))
  })
})

describe('a server that is stopped', () => {
  it('finishes a download that runs, and takes no new request', async (t) => {
    const hosted = await startHosted()
    t.after(() => hosted.close())
    hosted.fault({ type: 'drip', interval_ms: 1, bytes: 20 }, { host: 'files' })
    const response = await hosted.stream('attachments', { attachment_gid: hosted.at.attachment_1000_bytes! })
    const reader = response.body!.getReader()
    let size = (await reader.read()).value!.length
    const closed = hosted.server.close()
    await assert.rejects(hosted.call('GET', '/healthz'))
    for (let part = await reader.read(); !part.done; part = await reader.read()) size += part.value.length
    assert.equal(size, 1000)
    await closed
  })

  it('cuts a download that takes too long, so that it cannot look whole', async (t) => {
    const hosted = await startHosted({ settings: { stopSeconds: 0 } })
    t.after(() => hosted.close())
    hosted.fault({ type: 'stall', bytes: 500 }, { host: 'files' })
    const response = await hosted.stream('attachments', { attachment_gid: hosted.at.attachment_1000_bytes! })
    const rest = response.arrayBuffer()
    const failed = assert.rejects(rest)
    await hosted.server.close()
    await failed
    assert.equal(hosted.systems.connections.running(), 0)
  })
})
