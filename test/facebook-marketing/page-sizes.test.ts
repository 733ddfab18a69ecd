/** Pages that Meta finds too much are asked for smaller. One heavy page must not leave all that follow it small. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startSynced } from '../sync/synced.ts'
import { startSimulated } from './simulated.ts'

/** The sizes asked for when five requests in a row are refused as too much, and none after them. */
const refusals = [40, 20, 10, 5, 2]
const back = [1, 1, 1, 2, 2, 2, 4, 4, 4, 8, 8, 8, 16, 16, 16, 32, 32, 32, 40]

const tooMuch = {
  message: "Please reduce the amount of data you're asking for, then retry your request",
  type: 'OAuthException',
  code: 1,
}

const limitOf = (query: string): number => Number(new URLSearchParams(query).get('limit'))

describe('after a page that was too much', () => {
  it('a walk comes back to the size that the caller wants, a few pages at each size', async (t) => {
    const simulated = await startSimulated({ scale: 3400 })
    t.after(() => simulated.close())
    const { facebook, at, systems } = simulated
    systems.faults.add({ effect: { type: 'status', status: 500, body: { error: tooMuch } }, times: refusals.length })
    const ids: string[] = []
    for await (const { result } of facebook.campaigns.list.pages({ account_id: at.account!, limit: 40 }))
      ids.push(...result.map(({ id }) => id))
    assert.equal(new Set(ids).size, ids.length)
    assert.deepEqual(
      systems.requests.map(({ query }) => limitOf(query)),
      [...refusals, ...back],
    )
  })

  it('a sync does so too, also when it goes on where it was cut', async (t) => {
    const on = await startSynced('facebook-marketing', { simulators: { scale: 1500 } })
    t.after(() => on.close())
    const { systems } = on.hosted
    const path = `act_${systems.landmarks('facebook-marketing').account}/campaigns`
    const limits = (): number[] => {
      const asked = on.hosted.received().filter((request) => request.path.includes(path))
      on.hosted.calm()
      return asked.map(({ query }) => limitOf(query))
    }
    await on.sync({ entities: ['ad_accounts'] })
    systems.faults.add({ path, effect: { type: 'status', status: 500, body: { error: tooMuch } }, times: 5 })
    // The third page that comes is no answer, however often it is asked for, which ends the run.
    systems.faults.add({ path, effect: { type: 'html', status: 200 }, times: 'always', skip: 2 })
    await on.sync({ entities: ['campaigns'] })
    assert.deepEqual(limits().slice(0, 8), [100, 50, 25, 12, 6, 3, 3, 3])
    await on.sync({ entities: ['campaigns'] })
    assert.deepEqual(limits().slice(0, 10), [3, 3, 3, 6, 6, 6, 12, 12, 12, 24])
  })

  for (const [name, error] of [
    ['', tooMuch],
    [
      ', also where the refusal looks like one that passes',
      { ...tooMuch, message: 'An unknown error', error_subcode: 99 },
    ],
  ] as const)
    it(`a sync of many stretches of time asks once for what is too much${name}`, async (t) => {
      const on = await startSynced('facebook-marketing', { simulators: { scale: 4 } })
      t.after(() => on.close())
      const { systems } = on.hosted
      await on.startDaysAgo(110)
      await on.sync({ entities: ['ad_accounts'] })
      on.hosted.calm()
      const effect = { type: 'status', status: 500, body: { error } } as const
      for (const size of [100, 50, 25, 20, 12])
        systems.faults.add({ path: '/insights$', query: `limit=${size}`, effect, times: 'always' })
      await on.sync({ entities: ['ads_insights'] })
      assert.equal((await on.state('ads_insights')).complete, true)
      const asked = on.hosted.received().filter(({ path }) => path.endsWith('/insights'))
      const refused = asked.filter(({ status }) => status !== 200)
      assert.ok(asked.length > 30, `${asked.length} requests`)
      // Four sizes on the way down, and then a try now and again, twice as rare each time.
      assert.ok(
        refused.length >= 4 && refused.length <= 4 + Math.log2(asked.length),
        `${refused.length} of ${asked.length} were refused`,
      )
      await on.isTrueOf(['ads_insights'])
    })
})
