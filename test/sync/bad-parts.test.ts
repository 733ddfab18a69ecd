/** A part of a list that cannot be read, whatever is done, costs the copy that part and nothing else. */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { skippingClock } from '../../src/conformance/skipping-clock.ts'
import { type Answering, type ScriptedCopy, startScripted } from './scripted.ts'

const day = 86_400_000
const today = Date.parse('2026-11-28T12:00:00Z')
const dateOf = (moment: number): string => new Date(moment).toISOString().slice(0, 10)
const daysAgo = (days: number): string => dateOf(today - days * day)

const tooMuch = {
  status: 500,
  body: { error: { code: 1, message: 'Please reduce the amount of data you’re asking for' } },
}
const trouble = { status: 500, body: { error: { code: 2, message: 'Service temporarily unavailable' } } }

interface Bad {
  /** Insights of the account and day fail. */
  insights?: (account: string, date: string) => boolean
  /** Images of the account and page fail. */
  images?: (account: string, after: string) => boolean
  all?: boolean
  /** What comes instead; an error of the system’s own when left out. */
  answer?: object
}

/** Two accounts with one row of figures a day, and three pages of images each. */
async function startAccounts(t: TestContext, bad: Bad, accounts = ['1', '2']): Promise<ScriptedCopy> {
  const clock = skippingClock(() => today)
  return startScripted(
    t,
    'facebook-marketing',
    ({ path, query, body }) => {
      if (bad.all) return trouble
      if (path === '/me') return { id: '9', name: 'Somebody' }
      if (path === '/me/adaccounts') return { data: accounts.map((id) => ({ id: `act_${id}`, account_id: id })) }
      const [, account = '', edge] = /^\/act_(\d+)\/(\w+)$/.exec(path) ?? []
      if (edge === 'insights') {
        if (body !== '') return { report_run_id: '77' }
        const { since, until } = JSON.parse(query.get('time_range')!) as { since: string; until: string }
        const dates: string[] = []
        for (let at = Date.parse(since); at <= Date.parse(until); at += day) dates.push(dateOf(at))
        if (dates.some((date) => bad.insights?.(account, date))) return tooMuch
        const row = (date: string) => ({
          account_id: account,
          ad_id: '5',
          date_start: date,
          date_stop: date,
          clicks: '1',
        })
        return { data: dates.map(row) }
      }
      if (edge === 'adimages') {
        const after = query.get('after') ?? '0'
        if (bad.images?.(account, after)) return bad.answer ?? trouble
        const next = String(Number(after) + 1)
        const data = [{ id: `${account}:${after}`, account_id: account }]
        return next === '3' ? { data } : { data, paging: { next: 'more', cursors: { after: next } } }
      }
      if (path === '/77') return { id: '77', async_status: 'Job Failed', async_percent_completion: 10 }
      return { status: 404, body: { error: { code: 100, error_subcode: 33, message: 'Unsupported get request' } } }
    },
    { clock },
  )
}

const insights = { entities: ['ad_accounts', 'ads_insights'] }
const rowsOf = async ({ on }: ScriptedCopy, account: string): Promise<string[]> =>
  [...(await on.copy('ads_insights')).values()]
    .filter(({ account_id }) => account_id === account)
    .map(({ date_start }) => date_start)
    .toSorted()
const allDays = (): string[] => Array.from({ length: 91 }, (_, back) => daysAgo(90 - back))

describe('a day of figures that always fails', () => {
  for (const [name, back] of [
    ['the first', 90],
    ['one in the middle', 41],
    ['today', 0],
  ] as const)
    it(`is named alone, and all others are read: ${name}`, async (t) => {
      const bad: Bad = {}
      const made = await startAccounts(t, bad)
      const { on, asked } = made
      await on.sync(insights)
      assert.equal((await on.copy('ads_insights')).size, 2 * 91)
      bad.insights = (account, date) => account === '1' && date === daysAgo(back)
      asked()
      for (let pass = 0; pass < 3; pass++) {
        await on.sync({ ...insights, full: true })
        const { status, complete, last_error, skipped } = await on.state('ads_insights')
        assert.deepEqual([status, complete, last_error], ['finished', false, null])
        const [{ parent, from, to, code, detail }] = skipped
        assert.deepEqual([skipped.length, parent, from], [1, 'act_1', daysAgo(back)])
        assert.equal(to, back === 0 ? null : daysAgo(back - 1))
        assert.deepEqual([code, typeof detail], ['upstream_error', 'string'])
        // What the copy had of that day stays.
        assert.deepEqual([await rowsOf(made, '1'), await rowsOf(made, '2')], [allDays(), allDays()])
        assert.ok(asked().length < 150)
      }
      // A pass over changes asks for it again, and for nothing else that is so old.
      on.hosted.clock.advance(3_600_000)
      await on.sync(insights)
      assert.equal((await on.state('ads_insights')).complete, false)
      bad.insights = () => false
      await on.sync(insights)
      const { complete, skipped } = await on.state('ads_insights')
      assert.deepEqual([complete, skipped], [true, []])
    })

  it('is read as soon as it can be, though it was never there before', async (t) => {
    const bad: Bad = { insights: (account, date) => account === '1' && [daysAgo(80), daysAgo(79)].includes(date) }
    const made = await startAccounts(t, bad)
    const { on, asked } = made
    await on.sync(insights)
    const [{ from, to }, ...others] = (await on.state('ads_insights')).skipped
    assert.deepEqual([from, to, others], [daysAgo(80), daysAgo(78), []])
    assert.deepEqual(await rowsOf(made, '1'), allDays().toSpliced(10, 2))
    bad.insights = () => false
    asked()
    await on.sync(insights)
    assert.equal((await on.state('ads_insights')).complete, true)
    assert.deepEqual(await rowsOf(made, '1'), allDays())
    // The weeks in between are not read again.
    assert.ok(asked().length < 25)
  })

  it('on many weeks costs a bounded number of requests, and the next passes go on behind them', async (t) => {
    const bad: Bad = { insights: (account, date) => account === '1' && new Date(date).getUTCDay() === 1 }
    const made = await startAccounts(t, bad)
    const { on, asked } = made
    for (let pass = 0; pass < 4; pass++) {
      await on.sync(insights)
      assert.ok(asked().length < 700)
    }
    assert.deepEqual(await rowsOf(made, '2'), allDays())
    const expected = allDays().filter((date) => new Date(date).getUTCDay() !== 1)
    assert.deepEqual(await rowsOf(made, '1'), expected)
    assert.equal((await on.state('ads_insights')).complete, false)
  })
})

it('eight days of one month that always fail cost the copy these eight alone', async (t) => {
  const bad = Array.from({ length: 8 }, (_, index) => today - (200 + index) * day)
  const answer: Answering = ({ path, query }) => {
    if (path !== '/v2/calls') return { workspaces: [] }
    const from = Date.parse(query.get('fromDateTime')!)
    const to = Date.parse(query.get('toDateTime') ?? '2030-01-01')
    if (bad.some((moment) => moment >= from && moment < to))
      return { status: 500, body: { errors: ['Server trouble'] } }
    const days = Array.from({ length: 360 }, (_, back) => today - back * day).filter((at) => at >= from && at < to)
    const calls = days.map((at) => ({ id: String(Math.floor(at / day)), started: new Date(at).toISOString() }))
    const records = { totalRecords: calls.length, currentPageSize: calls.length, currentPageNumber: 0 }
    return calls.length === 0 ? { status: 404, body: { errors: ['No calls found'] } } : { calls, records }
  }
  const { on } = await startScripted(t, 'gong', answer, { clock: skippingClock(() => today) })
  await on.sync({ entities: ['calls'] })
  const { status, complete, skipped } = await on.state('calls')
  assert.deepEqual([status, complete, skipped.length], ['finished', false, 1])
  assert.deepEqual(
    [Date.parse(skipped[0].from), Date.parse(skipped[0].to)].map((at) => Math.floor(at / day)),
    [Math.floor(bad.at(-1)! / day), Math.floor(bad[0]! / day) + 1],
  )
  assert.equal((await on.copy('calls')).size, 352)
})

describe('a parent that always fails', () => {
  for (const parent of ['1', '2'])
    it(`is named once, and the other one is read: ${parent}`, async (t) => {
      const made = await startAccounts(t, {
        insights: (account) => account === parent,
        images: (account) => account === parent,
      })
      const { on, asked } = made
      await on.sync({ entities: ['ad_accounts', 'ads_insights', 'images'] })
      const other = parent === '1' ? '2' : '1'
      assert.deepEqual(await rowsOf(made, other), allDays())
      for (const entity of ['ads_insights', 'images']) {
        const { status, complete, skipped } = await on.state(entity)
        assert.deepEqual([status, complete, skipped.length, skipped[0].parent], ['finished', false, 1, `act_${parent}`])
      }
      assert.equal((await on.copy('images')).size, 3)
      assert.ok(asked().length < 400)
    })

  it('among many others that do ends the pass after some', async (t) => {
    const accounts = Array.from({ length: 40 }, (_, index) => String(100 + index))
    const bad: Bad = { images: (account) => account !== '100' }
    const { on, asked } = await startAccounts(t, bad, accounts)
    await on.sync({ entities: ['ad_accounts', 'images'] })
    const { status, complete, last_error: error } = await on.state('images')
    assert.deepEqual([status, complete, error.code], ['failed', false, 'upstream_error'])
    assert.ok(asked().length < 100)
    bad.images = () => false
    await on.sync({ entities: ['images'] })
    await on.sync({ entities: ['images'] })
    assert.equal((await on.copy('images')).size, 120)
    assert.equal((await on.state('images')).complete, true)
  })
})

it('a page that always fails costs what comes after it in its list, and nothing of that is removed', async (t) => {
  const bad: Bad = {}
  const { on } = await startAccounts(t, bad)
  const images = { entities: ['ad_accounts', 'images'], full: true }
  await on.sync(images)
  assert.equal((await on.copy('images')).size, 6)
  bad.images = (account, after) => account === '1' && after === '1'
  for (let pass = 0; pass < 3; pass++) await on.sync(images)
  const { status, complete, skipped } = await on.state('images')
  assert.deepEqual([status, complete, skipped.length], ['finished', false, 1])
  assert.equal((await on.copy('images')).size, 6)
})

it('a system that is down ends the pass at once, and the next one goes on where it ended', async (t) => {
  const bad: Bad = {}
  const { on, asked } = await startAccounts(t, bad)
  await on.sync({ entities: ['ad_accounts'] })
  bad.all = true
  asked()
  await on.sync({ entities: ['ads_insights', 'images'] })
  for (const entity of ['ads_insights', 'images']) {
    const { status, complete, skipped, last_error: error } = await on.state(entity)
    assert.deepEqual([status, complete, skipped, error.code], ['failed', false, [], 'upstream_error'])
  }
  assert.ok(asked().length < 60)
  bad.all = false
  await on.sync({ entities: ['ads_insights', 'images'] })
  assert.equal((await on.state('ads_insights')).complete, true)
  assert.equal((await on.copy('images')).size, 6)
})

it('what is no answer at all ends one sync, and is skipped by the next', async (t) => {
  const bad: Bad = {}
  const { on } = await startAccounts(t, bad)
  await on.sync({ entities: ['ad_accounts'] })
  bad.images = (account) => account === '1'
  bad.answer = {}
  const wanted = { entities: ['images'] }
  await on.sync(wanted)
  assert.equal((await on.state('images')).status, 'failed')
  await on.sync(wanted)
  const { status, complete, skipped } = await on.state('images')
  assert.deepEqual([status, complete, skipped.length], ['finished', false, 1])
  assert.equal((await on.copy('images')).size, 3)
})
