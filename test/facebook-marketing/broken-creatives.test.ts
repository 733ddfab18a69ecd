/** One incomplete creative, for which Meta refuses every page that it is on, must not hide all the others. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { startSynced } from '../sync/synced.ts'
import { failure, type Simulated, startSimulated } from './simulated.ts'

describe('creatives of which some are incomplete', async () => {
  const simulated: Simulated = await startSimulated({ scale: 120 })
  const { at, facebook, systems } = simulated
  const account_id = at.account!
  after(() => simulated.close())
  const walk = async (params: object) => {
    const pages = await Array.fromAsync(facebook.ad_creatives.list.pages({ account_id, ...params }))
    return {
      creatives: pages.flatMap(({ result }) => result),
      warnings: pages.flatMap(({ connector_metadata }) => connector_metadata.warnings ?? []),
    }
  }
  const whole = (await walk({})).creatives
  const broken = [whole[0]!.id, whole[17]!.id, whole[18]!.id, whole.at(-1)!.id]
  for (const id of broken) systems.change('facebook-marketing', { change: 'break_creative', id })

  it('are listed to the end, each once and in order; the incomplete ones by their ids alone, with a warning', async () => {
    for (const params of [{}, { limit: 1 }, { limit: 100 }]) {
      const { creatives, warnings } = await walk(params)
      assert.deepEqual(
        creatives.map(({ id }) => id),
        whole.map(({ id }) => id),
      )
      for (const [index, creative] of creatives.entries()) {
        if (!broken.includes(creative.id))
          assert.deepEqual({ ...creative, updated: 0 }, { ...whole[index], updated: 0 })
        else assert.deepEqual([creative.account_id, creative.name, creative.status], [account_id, null, null])
      }
      assert.deepEqual(
        warnings.map(({ message }) => /record (\d+)/.exec(message)?.[1]),
        broken,
      )
    }
  })

  it('are listed with the fields that were asked for, and without a warning where the ids alone were', async () => {
    const named = await walk({ fields: 'id,name' })
    assert.deepEqual(Object.keys(named.creatives[0]!).toSorted(), ['id', 'name'])
    assert.equal(named.warnings.length, broken.length)
    const ids = await walk({ fields: 'id' })
    assert.deepEqual(ids.warnings, [])
    assert.equal(ids.creatives.length, whole.length)
  })

  it('are asked for in few requests more', async () => {
    simulated.calm()
    await walk({})
    const without = Math.ceil(whole.length / 25)
    assert.ok(simulated.sent().length <= without + broken.length * 8, `${simulated.sent().length} requests`)
  })

  it('still end with the system’s own words where not even the id can be read', async () => {
    simulated.refuse({ message: '(#100) Invalid parameter', code: 100, error_subcode: 2446289 })
    const error = await failure(facebook.ad_creatives.list({ account_id }), 'upstream_refused')
    assert.match(error.message, /incomplete/)
    simulated.calm()
  })

  it('are in a copy, whose sync goes on past the incomplete ones and tells of them', async (t) => {
    const on = await startSynced('facebook-marketing', { simulators: { scale: 60 } })
    t.after(() => on.close())
    const entities = ['ad_accounts', 'ad_creatives']
    await on.sync({ entities })
    const before = await on.copy('ad_creatives')
    const id = [...before].find(([, { account_id: own }]) => own === at.account)![0]
    on.hosted.systems.change('facebook-marketing', { change: 'break_creative', id })
    await on.sync({ entities, full: true })
    const { complete, error, warnings } = await on.state('ad_creatives')
    assert.deepEqual([complete, error ?? null], [true, null])
    assert.ok(
      warnings.some((warning: string) => warning.includes(id)),
      JSON.stringify(warnings),
    )
    const copy = await on.copy('ad_creatives')
    assert.deepEqual([...copy.keys()].toSorted(), [...before.keys()].toSorted())
    assert.deepEqual([copy.get(id)!.account_id, copy.get(id)!.name], [at.account, null])
  })
})
