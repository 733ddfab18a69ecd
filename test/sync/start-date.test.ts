/** From when on a copy holds what the system dates. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { connectors, type Hosted, isFine, isProblem } from '../hosted.ts'
import { startSynced } from './synced.ts'

const day = 86_400_000

/** Midnight so many days ago, as a start date. */
const daysAgo = ({ clock }: Hosted, days: number): string =>
  new Date(clock.now() - (clock.now() % day) - days * day).toISOString().replace('.000Z', 'Z')

describe('a start date', () => {
  it('of calls is that of the copy; an earlier one is gone back to with the next sync', async (t) => {
    const on = await startSynced('gong', { simulators: { scale: 10 } })
    t.after(() => on.close())
    const { hosted } = on
    const entities = ['calls', 'calls_extensive', 'stats_activity_scorecards']
    const from = async (days: number) => {
      const start_date = daysAgo(hosted, days)
      const patched = await on.call('PATCH', { sync: { start_date } })
      assert.deepEqual(isFine(patched).sync, { enabled: true, interval_seconds: 3600, start_date })
      hosted.calm()
      await on.sync({ entities })
      const asked = hosted.received().filter(({ path }) => path.endsWith('/v2/calls'))
      const first = asked.map(({ query }) => new URLSearchParams(query).get('fromDateTime')!).toSorted()[0]
      const calls = [...(await on.copy('calls')).values()].map(({ started }) => Date.parse(started))
      const reviews = (await on.copy('stats_activity_scorecards')).size
      return { first, start: Date.parse(start_date), oldest: Math.min(...calls), calls: calls.length, reviews }
    }
    const forty = await from(40)
    assert.equal(Date.parse(forty.first!), forty.start)
    assert.ok(forty.oldest >= forty.start && forty.oldest < forty.start + 5 * day)

    const hundred = await from(100)
    assert.equal(Date.parse(hundred.first!), hundred.start)
    assert.ok(hundred.oldest >= hundred.start && hundred.oldest < hundred.start + 5 * day)
    assert.ok(hundred.calls > forty.calls && hundred.reviews > forty.reviews)

    // Nothing is read twice for a start date that stays.
    const again = await from(100)
    assert.ok(Date.parse(again.first!) > hundred.start)

    // After a later one, what is there stays, however often everything is read anew.
    await from(90)
    for (let pass = 0; pass < 2; pass++) await on.sync({ entities, full: true })
    for (const entity of entities) assert.equal((await on.state(entity)).complete, true)
    assert.equal((await on.copy('calls')).size, hundred.calls)
    assert.equal((await on.copy('stats_activity_scorecards')).size, hundred.reviews)

    // null is as far back as the kind says.
    const whole = isFine(await on.call('PATCH', { sync: { start_date: null } }))
    assert.deepEqual(whole.sync, { enabled: true, interval_seconds: 3600 })
    await on.sync({ entities })
    await on.isTrueOf(['users', ...entities].slice(1))
  })

  it('of figures of ads goes back as far as Meta keeps them, and no farther', async (t) => {
    const on = await startSynced('facebook-marketing', { simulators: { scale: 10 } })
    t.after(() => on.close())
    const { hosted } = on
    const id = hosted.systems.landmarks('facebook-marketing').account!
    hosted.systems.faults.add({
      kind: 'facebook-marketing',
      path: '/me/adaccounts$',
      times: 'always',
      effect: { type: 'body', status: 200, body: JSON.stringify({ data: [{ id }], paging: {} }) },
    })
    isFine(await on.call('PATCH', { sync: { start_date: '2015-01-01T00:00:00Z' } }))
    await on.sync({ entities: ['ads_insights'] })
    const { complete, last_error: error } = await on.state('ads_insights')
    assert.deepEqual([complete, error], [true, null])
    const asked = hosted.received().filter(({ path }) => path.endsWith('/insights'))
    assert.ok(asked.length > 150 && asked.every(({ status }) => status === 200))
    const since = asked
      .map(({ query }) => JSON.parse(new URLSearchParams(query).get('time_range')!).since)
      .toSorted()[0]
    const age = (hosted.clock.now() - Date.parse(since)) / day
    assert.ok(age > 1100 && age < 1127, `${age} days`)
    const kept = (await on.copy('ads_insights')).values()
    assert.ok(Math.min(...[...kept].map(({ date_start }) => Date.parse(date_start))) < Date.parse(since) + 365 * day)
  })

  it('has to exist, in one form, and is refused where nothing is copied by date', async (t) => {
    const on = await startSynced('gong', { simulators: { scale: 10 } })
    t.after(() => on.close())
    const { hosted } = on
    for (const start_date of ['2024-02-30T00:00:00Z', '2024-01-01', '2024-01-01T24:00:00Z', '', 7, '2024-1-1T0:0:0Z'])
      isProblem(await on.call('PATCH', { sync: { start_date } }), 'invalid_request', '/sync/start_date')
    const body = {
      connector_type: 'asana',
      name: 'dated',
      credentials: hosted.credentials('one'),
      sync: { start_date: '2026-01-01T00:00:00Z' },
    }
    const refused = await hosted.call('POST', connectors, { token: hosted.ann, body })
    isProblem(refused, 'invalid_request', '/sync/start_date')
    assert.match(refused.text, /asana/)
  })
})
