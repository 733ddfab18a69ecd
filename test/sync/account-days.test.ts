/** Figures of ads are counted in days of each account's own time zone. */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { skippingClock } from '../../src/conformance/skipping-clock.ts'
import { startScripted } from './scripted.ts'

const day = 86_400_000
const dateOf = (moment: number): string => new Date(moment).toISOString().slice(0, 10)

interface Range {
  readonly since: string
  readonly until: string
}

/** Accounts by their time zones, at a moment; `ranges` gives the days that were asked for since it was asked last. */
async function startZones(t: TestContext, moment: string, zones: readonly unknown[], kept = () => true) {
  const clock = skippingClock(() => Date.parse(moment))
  const data = zones.map((timezone_name, index) => ({ id: `act_${index}`, account_id: `${index}`, timezone_name }))
  const made = await startScripted(
    t,
    'facebook-marketing',
    ({ path, query }) => {
      if (path === '/me') return { id: '9' }
      if (path === '/me/adaccounts') return { data }
      const { since, until } = JSON.parse(query.get('time_range')!) as Range
      const rows: object[] = []
      const account_id = path.split('/')[1]!.replace('act_', '')
      for (let at = Date.parse(since); kept() && at <= Date.parse(until); at += day)
        rows.push({ account_id, ad_id: '5', date_start: dateOf(at), date_stop: dateOf(at) })
      return { data: rows }
    },
    { clock },
  )
  const ranges = (account: number): readonly Range[] =>
    asked
      .filter(({ path }) => path === `/act_${account}/insights`)
      .map(({ query }) => JSON.parse(query.get('time_range')!) as Range)
  let asked: ReturnType<typeof made.asked> = []
  const sync = async (full = false) => {
    made.asked()
    await made.on.sync({ entities: ['ad_accounts', 'ads_insights'], full })
    asked = made.asked()
    assert.equal((await made.on.state('ads_insights')).complete, true)
  }
  return { ...made, ranges, sync, clock }
}

/** Each day once, from the first to the last. */
function assertWhole(ranges: readonly Range[], first: string, last: string): void {
  let next = first
  for (const { since, until } of ranges) {
    assert.equal(since, next)
    assert.ok(until >= since)
    next = dateOf(Date.parse(until) + day)
  }
  assert.equal(next, dateOf(Date.parse(last) + day))
}

describe('the days of figures that a sync asks for', () => {
  for (const [zone, moment, last] of [
    ['Pacific/Kiritimati', '2026-11-28T20:12:00Z', '2026-11-29'],
    ['Pacific/Pago_Pago', '2026-11-28T20:12:00Z', '2026-11-28'],
    ['Pacific/Pago_Pago', '2026-11-28T10:59:59Z', '2026-11-27'],
    ['Asia/Kathmandu', '2026-11-28T18:14:59Z', '2026-11-28'],
    ['Asia/Kathmandu', '2026-11-28T18:15:00Z', '2026-11-29'],
    ['America/Los_Angeles', '2026-11-01T07:30:00Z', '2026-11-01'],
    ['America/Los_Angeles', '2026-11-02T07:30:00Z', '2026-11-01'],
    ['America/Los_Angeles', '2026-11-02T08:00:00Z', '2026-11-02'],
    ['Europe/Berlin', '2027-03-28T21:59:00Z', '2027-03-28'],
    ['Europe/Berlin', '2027-03-28T22:00:00Z', '2027-03-29'],
    [null, '2026-11-28T20:12:00Z', '2026-11-28'],
    ['Mars/Olympus', '2026-11-28T20:12:00Z', '2026-11-28'],
    ['', '2026-11-28T20:12:00Z', '2026-11-28'],
    [{ zone: 1 }, '2026-11-28T20:12:00Z', '2026-11-28'],
  ] as const)
    it(`end with the account's own: ${JSON.stringify(zone)} at ${moment}`, async (t) => {
      const { sync, ranges, clock } = await startZones(t, moment, [zone])
      await sync()
      assertWhole(ranges(0), dateOf(Date.parse(last) - 90 * day), last)
      clock.advance(3_600_000)
      await sync()
      const later = Date.parse(ranges(0).at(-1)!.until)
      assert.ok(later - Date.parse(last) <= day)
      assert.equal(Date.parse(last) - Date.parse(ranges(0)[0]!.since), 28 * day)
    })

  it('are those of each account, where several are in one copy', async (t) => {
    const { sync, ranges } = await startZones(t, '2026-11-28T20:12:00Z', ['Pacific/Kiritimati', 'Pacific/Pago_Pago'])
    await sync()
    assert.deepEqual(
      [0, 1].map((account) => ranges(account).at(-1)!.until),
      ['2026-11-29', '2026-11-28'],
    )
  })

  it('are those alone of which figures can be removed', async (t) => {
    let kept = true
    const zones = ['Pacific/Kiritimati', 'Pacific/Pago_Pago']
    const { on, sync, clock } = await startZones(t, '2026-11-28T20:12:00Z', zones, () => kept)
    await sync(true)
    const before = (await on.copy('ads_insights')).size
    assert.equal(before, 2 * 91)
    kept = false
    // A week later the first days are none that are asked for.
    clock.advance(7 * day)
    for (let pass = 0; pass < 3; pass++) await sync(true)
    const left = [...(await on.copy('ads_insights')).values()].map(({ date_start }) => date_start).toSorted()
    const oldest = dateOf(Date.parse('2026-11-28') + 7 * day - 90 * day)
    assert.ok(left.length >= 2 * 7)
    assert.ok(left.every((date) => date <= dateOf(Date.parse(oldest) + 2 * day)))
  })
})
