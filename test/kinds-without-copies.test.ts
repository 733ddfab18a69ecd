/** A kind of which nothing can be searched, and so nothing is copied: it says so wherever somebody asks. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { loadKinds } from '../src/loading/load-kinds.ts'
import { connectors, type Hosted, isFine, isProblem, startHosted } from './hosted.ts'

describe('a kind without a copy', () => {
  let hosted: Hosted
  let own: { readonly token: string }
  const create = async (more: object = {}) =>
    hosted.call('POST', connectors, {
      ...own,
      body: { connector_type: 'beacon', name: crypto.randomUUID(), credentials: { token: 'beacon-token-1' }, ...more },
    })
  const created = async (more: object = {}) => {
    const made = await create(more)
    assert.equal(made.status, 201, made.text)
    return made.body
  }

  before(async () => {
    hosted = await startHosted({ outside: await loadKinds(['./beacon'], join(import.meta.dirname, 'outside')) })
    own = { token: hosted.ann }
  })
  beforeEach(() => hosted.calm())
  after(() => hosted.close())

  it('runs what it has', async () => {
    const { id: connector } = await created()
    const listed = isFine(await hosted.execute('beacons', 'list', {}, { connector }))
    assert.deepEqual(
      listed.result.map(({ id }: { id: string }) => id),
      ['B-1', 'B-2'],
    )
    assert.equal(isFine(await hosted.execute('beacons', 'get', { beacon_id: 'B-2' }, { connector })).result.battery, 7)
  })

  it('refuses searches and unknown entities, and asks nobody', async () => {
    const { id: connector } = await created()
    for (const params of [{ query: {} }, { query: { filter: { eq: { battery: 7 } } } }, {}]) {
      const answer = await hosted.execute('beacons', 'search', params, { connector })
      isProblem(answer, 'unknown_action', '/action')
      assert.match(answer.body.detail, /list|get/)
    }
    for (const [entity, action] of [
      ['tasks', 'search'],
      ['contacts', 'list'],
      ['', ''],
    ] as const)
      isProblem(await hosted.execute(entity, action, {}, { connector }), 'unknown_entity', '/entity')
    assert.equal(hosted.received().length, 0)
  })

  it('has no copy to sync, whatever is asked', async () => {
    const { id } = await created()
    for (const body of [{}, { full: true }, { entities: ['beacons'] }]) {
      const answer = await hosted.call('POST', `${connectors}/${id}/sync`, { ...own, body })
      isProblem(answer, 'search_unavailable')
      assert.match(answer.body.detail, /^No copy is kept of Beacon Service/)
    }
    assert.deepEqual(isFine(await hosted.call('GET', `${connectors}/${id}/sync`, own)).entities, [])
    assert.equal(hosted.received().length, 0)
  })

  it('says so: sync is not enabled, and cannot be', async () => {
    const made = await created()
    const path = `${connectors}/${made.id}`
    assert.equal(made.sync.enabled, false)
    assert.equal(isFine(await hosted.call('GET', path, own)).sync.enabled, false)
    assert.equal(isFine(await hosted.call('GET', `${path}/sync`, own)).enabled, false)
    const listed = isFine(await hosted.call('GET', `${connectors}?connector_type=beacon`, own)).connectors
    assert.deepEqual([...new Set(listed.map((one: { sync: { enabled: boolean } }) => one.sync.enabled))], [false])

    const sync = { enabled: true }
    for (const answer of [await create({ sync }), await hosted.call('PATCH', path, { ...own, body: { sync } })]) {
      isProblem(answer, 'invalid_request', '/sync/enabled')
      assert.match(answer.body.detail, /cannot be true for beacon, which has no copy/)
    }
    const slower = { sync: { enabled: false, interval_seconds: 7200 } }
    assert.deepEqual(isFine(await hosted.call('PATCH', path, { ...own, body: slower })).sync, slower.sync)
    assert.deepEqual((await created(slower)).sync, slower.sync)
  })
})
