import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { createEngine } from '../engine/engine.ts'
import { type Fixture, fixtureCatalog, json, startFixture } from './fixture.suite.ts'
import { type RunningServer, serve } from './serve.ts'
import { defaultSettings, type Settings } from './settings.ts'

const connectors = '/v1/integrations/connectors'

describe('starting', () => {
  const folder = mkdtempSync(join(tmpdir(), 'conex-start-'))
  after(() => rmSync(folder, { recursive: true }))
  const start = (name: string, settings: Partial<Settings> = {}): Promise<RunningServer> =>
    serve(
      {
        ...defaultSettings,
        port: 0,
        databaseUrl: `sqlite:${join(folder, name, 'conex.db')}`,
        logLevel: 'silent',
        ...settings,
      },
      fixtureCatalog,
      createEngine,
    )
  const tokenFor = async (server: RunningServer, client: { id: string; secret: string }) =>
    (
      await fetch(`${server.origin}/api/v1/account/applications/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ client_id: client.id, client_secret: client.secret }),
      })
    ).status

  it('makes one client at the first start and shows its secret then only', async () => {
    const first = await start('once')
    const client = first.madeClient!
    assert.ok(client.secret.length >= 43)
    assert.equal(await tokenFor(first, client), 200)
    await first.close()
    const again = await start('once')
    assert.equal(again.madeClient, null)
    assert.equal(again.organizationId, first.organizationId)
    assert.equal(await tokenFor(again, client), 200)
    await again.close()
  })

  it('takes the client from the settings, and a new secret for it at any start', async () => {
    const named = { clientId: 'ours', clientSecret: randomBytes(32).toString('hex') }
    const first = await start('named', named)
    assert.equal(await tokenFor(first, { id: 'ours', secret: named.clientSecret }), 200)
    await first.close()
    const rotated = { clientId: 'ours', clientSecret: randomBytes(32).toString('hex') }
    const again = await start('named', rotated)
    assert.equal(await tokenFor(again, { id: 'ours', secret: named.clientSecret }), 401)
    assert.equal(await tokenFor(again, { id: 'ours', secret: rotated.clientSecret }), 200)
    await again.close()
  })

  it('fails with a sentence, and leaves nothing running, when the port is taken', async () => {
    const first = await start('port')
    await assert.rejects(
      () => start('port-2', { port: Number(new URL(first.origin).port) }),
      (error: Error) => {
        assert.match(error.message, /^The server cannot listen on 127\.0\.0\.1, port \d+: .*EADDRINUSE.* CONEX_PORT/)
        return true
      },
    )
    await first.close()
  })

  it('opens credentials with a new key first and the old one behind it', async () => {
    const key = (id: string) => ({ id, secret: new Uint8Array(randomBytes(32)) })
    const [old, fresh] = [key('old'), key('new')]
    const system = createServer((_request, response) => json(response, 200, { data: [], next: null })).unref()
    await once(system.listen(0, '127.0.0.1'), 'listening')
    const { port } = system.address() as AddressInfo
    const settings = { allowPrivateNetwork: true, baseUrls: { 'field-notes': `http://127.0.0.1:${port}` } }
    const call = async (server: RunningServer, path: string, body: object) => {
      const { token } = await server.issueToken('ann')
      const response = await fetch(server.origin + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
      return { status: response.status, body: (await response.json()) as any }
    }
    const before = await start('rotate', { ...settings, encryptionKeys: [old] })
    const made = await call(before, connectors, {
      connector_type: 'field-notes',
      name: 'n',
      credentials: { token: 't' },
    })
    await before.close()
    const list = (server: RunningServer) =>
      call(server, `/api/v1/connectors/sources/${made.body.id}/execute`, { entity: 'notes', action: 'list' })
    const rotated = await start('rotate', { ...settings, encryptionKeys: [fresh, old] })
    assert.equal((await list(rotated)).status, 200)
    await rotated.close()
    const without = await start('rotate', { ...settings, encryptionKeys: [fresh] })
    const failed = await list(without)
    assert.deepEqual([failed.status, failed.body.code], [500, 'internal'])
    await without.close()
    system.close()
  })
})

describe('two nodes on one database', () => {
  let fixture: Fixture
  let other: RunningServer
  before(async () => {
    fixture = await startFixture()
    const { settings } = fixture
    other = await serve({ ...settings, logLevel: 'silent' }, fixtureCatalog, createEngine)
  })
  after(async () => {
    await other.close()
    await fixture.close()
  })

  it('take each other’s tokens and see each other’s changes at once', async () => {
    const token = await fixture.scoped('ann')
    const id = await fixture.connect(token)
    const elsewhere = async (method: string, path: string, body?: object) => {
      const response = await fetch(other.origin + path, {
        method,
        headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
    }
    const execute = `/api/v1/connectors/sources/${id}/execute`
    const list = { entity: 'notes', action: 'list' }
    assert.equal((await elsewhere('POST', execute, list)).status, 200)
    await fixture.call('PATCH', `${connectors}/${id}`, { token, body: { credentials: { token: 'changed' } } })
    fixture.received.length = 0
    assert.equal((await elsewhere('POST', execute, list)).status, 200)
    assert.equal(fixture.received[0]?.authorization, 'Bearer changed')
    assert.equal((await elsewhere('DELETE', `${connectors}/${id}`)).status, 204)
    assert.equal((await fixture.execute(token, id, list)).status, 404)
  })

  it('create one connector when both are asked to under one key', async () => {
    const token = await fixture.bearer()
    const body = JSON.stringify({
      external_user_id: 'ann',
      connector_type: 'field-notes',
      name: 'both',
      credentials: { token: 't' },
    })
    const texts = await Promise.all(
      Array.from({ length: 10 }, async (_, index) => {
        const response = await fetch((index % 2 === 0 ? fixture.server : other).origin + connectors, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': 'both' },
          body,
        })
        assert.equal(response.status, 201)
        return response.text()
      }),
    )
    assert.equal(new Set(texts).size, 1)
  })
})
