import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { parseKeys } from '../src/server/keys.ts'
import { rotateKeys } from '../src/service/rotate-keys.ts'
import { createSealer } from '../src/service/sealing.ts'
import { conexProcess, endAll } from './command.ts'
import { conex } from './conex.ts'
import { connectors, executePath, isFine, isProblem, startHosted } from './hosted.ts'
import { prepareNodes } from './nodes.ts'

const make = async (id: string): Promise<string> => (await conex(['keys', 'make', '--id', id])).stdout.toString().trim()

describe('rotating keys', () => {
  after(endAll)

  it('conex keys make prints a key that settings take', async () => {
    const [key] = parseKeys((await conex(['keys', 'make'])).stdout.toString())
    assert.equal(key!.secret.length, 32)
    assert.match(key!.id, /^k\d{8}-[0-9a-f]{4}$/)
  })

  it('conex keys rotate seals everything anew while a server renews on the same database, and loses nothing', async (t) => {
    const [old, fresh] = [await make('old'), await make('fresh')]
    const nodes = await prepareNodes()
    t.after(() => nodes.close())
    nodes.systems.change('asana', { change: 'settings', rotate_refresh_tokens: true })
    const first = await nodes.start({ CONEX_ENCRYPTION_KEYS: old })
    const create = async (index: number, credentials: unknown) => {
      const body = { external_user_id: 'ann', connector_type: 'asana', name: `tasks ${index}`, credentials }
      const created = await first.call('POST', connectors, body)
      assert.equal(created.status, 201)
      return created.body.id as string
    }
    const [personal, granted] = nodes.systems.describe().asana!.credentials
    const ids: string[] = []
    for (let index = 0; index < 250; index++) ids.push(await create(index, personal))
    const renewed = await create(250, granted)
    await first.running.stop()

    const server = await nodes.start({ CONEX_ENCRYPTION_KEYS: `${fresh},${old}` })
    const run = (id: string) => server.call('POST', executePath(id), { entity: 'workspaces', action: 'list' })
    const env = { ...nodes.env, CONEX_ENCRYPTION_KEYS: `${fresh},${old}` }
    let rotating = true
    const rotation = conexProcess(['keys', 'rotate', '--json'], { cwd: nodes.folder, env }).finally(() => {
      rotating = false
    })
    let rounds = 0
    for (; rotating || rounds < 3; rounds++) {
      nodes.systems.change('asana', { change: 'expire_access_tokens' })
      assert.equal((await run(renewed)).status, 200)
    }
    const ended = await rotation
    assert.equal(ended.code, 0, ended.stderr)
    const [result] = ended.records()
    assert.deepEqual([result.unreadable, result.left], [[], 0])
    assert.ok(result.resealed >= 250)
    assert.equal(ended.stderr, '')
    await server.running.stop()

    const last = await nodes.start({ CONEX_ENCRYPTION_KEYS: fresh })
    nodes.systems.change('asana', { change: 'expire_access_tokens' })
    for (const id of [renewed, ids[0]!, ids[249]!]) {
      const answer = await last.call('POST', executePath(id), { entity: 'workspaces', action: 'list' })
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
    }
    const again = await conexProcess(['keys', 'rotate', '--json'], { cwd: nodes.folder, env })
    assert.equal(again.records()[0].resealed, 0)
    assert.equal(nodes.rows("select * from audit_log where event = 'keys.rotated'").length, 1)
  })

  it('a row that was renewed between reading and writing is left to the next rotation', async (t) => {
    const old = parseKeys(await make('old'))
    const hosted = await startHosted({ settings: { encryptionKeys: old } })
    t.after(() => hosted.close())
    const { service, organizationId } = hosted.server
    const sealer = createSealer([...parseKeys(await make('fresh')), ...old])
    const tenant = { organizationId, externalUserId: null }
    const { seals, connectors: stored } = service.store
    const store = {
      ...service.store,
      seals: {
        ...seals,
        async reseal(row: Parameters<typeof seals.reseal>[0], sealed: string) {
          await stored.replaceCredentials(tenant, row.id, 1, `${row.sealed}changed`)
          return seals.reseal(row, sealed)
        },
      },
    }
    const result = await rotateKeys({ store, sealer })
    assert.deepEqual([result.resealed, result.left], [0, 1])
    const found = await stored.findWithCredentials(tenant, hosted.connector)
    assert.match(found!.credentials.sealed, /changed$/)
  })

  it('a lost key is a clear error for its rows alone, until they get new credentials', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'conex-lost-key-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const [lost, kept] = [parseKeys(await make('lost')), parseKeys(await make('kept'))]
    const first = await startHosted({ folder, settings: { encryptionKeys: lost } })
    t.after(() => first.close())
    await first.server.close()
    const address = { asana: first.systems.describe().asana!.base_url }
    const hosted = await startHosted({ folder, settings: { encryptionKeys: kept, baseUrls: address } })
    t.after(() => hosted.close())
    const token = (await hosted.server.issueToken('ann')).token
    const run = (id: string) =>
      hosted.call('POST', executePath(id), { token, body: { entity: 'workspaces', action: 'list' } })
    isFine(await run(hosted.connector))
    const answer = await run(first.connector)
    isProblem(answer, 'internal')
    assert.match(answer.body.detail, /cannot be opened with the keys of this server/)
    assert.match(hosted.log(), /sealed with the key \\"lost\\"/)
    assert.equal(
      isFine(await hosted.call('GET', `${connectors}/${first.connector}`, { token })).status,
      'active',
      'a missing key says nothing about the credentials',
    )
    const { service } = hosted.server
    const result = await rotateKeys({ store: service.store, sealer: service.sealer })
    assert.deepEqual([result.resealed, result.unreadable.length, result.left], [0, 1, 1])
    const credentials = first.credentials('one')
    isFine(await hosted.call('PATCH', `${connectors}/${first.connector}`, { token, body: { credentials } }))
    isFine(await run(first.connector))
  })

  it('tokens signed with an older key are good while it is listed, and no longer', async (t) => {
    const [old, fresh] = [parseKeys(await make('old')), parseKeys(await make('fresh'))]
    const folder = mkdtempSync(join(tmpdir(), 'conex-token-keys-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const first = await startHosted({ folder, settings: { tokenKeys: old } })
    t.after(() => first.close())
    const { ann } = first
    await first.server.close()
    for (const [tokenKeys, good] of [
      [[...fresh, ...old], true],
      [fresh, false],
    ] as const) {
      const next = await startHosted({ folder, settings: { tokenKeys: [...tokenKeys] } })
      const answer = await next.call('GET', connectors, { token: ann })
      if (good) isFine(answer)
      else isProblem(answer, 'unauthenticated')
      await next.close()
    }
  })
})
