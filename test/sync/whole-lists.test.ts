/** Lists that end before they have brought what the system itself counts, and copies of which most is missing at once. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { skippingClock } from '../../src/conformance/skipping-clock.ts'
import { startPostgres, type TestServer } from '../../src/store/postgres/server.suite.ts'
import { type Answering, startScripted } from './scripted.ts'

const hour = 3_600_000
const now = Date.parse('2026-11-28T12:00:00Z')

interface Pages {
  readonly id: (index: number) => object
  /** How many records there are, how many of them come, and how many the system counts. */
  readonly held: number
  given: number
  counted: number
}

const perPage = 20

/** A page of Gong's, by its cursor. */
function pageOf(name: string, { id, given, counted }: Pages, cursor: string | null): object {
  const first = Number(cursor ?? 0)
  const size = Math.min(perPage, given - first)
  const more = first + size < given ? { cursor: String(first + size) } : {}
  const records = { totalRecords: counted, currentPageSize: size, currentPageNumber: first / perPage, ...more }
  return { [name]: Array.from({ length: size }, (_, index) => id(first + index)), records }
}

const user = (index: number) => ({ id: String(1000 + index), emailAddress: `u${index}@shop.example` })

/** 1,500 reviews, one every five hours from 360 days ago on, of which each answer gives some. */
function reviews(state: { share: number }): Answering {
  return ({ path, body }) => {
    if (path !== '/v2/stats/activity/scorecards')
      return pageOf('users', { id: user, held: 3, given: 3, counted: 3 }, null)
    const { filter, cursor = null } = JSON.parse(body) as { filter: Record<string, string>; cursor?: string }
    const from = Date.parse(filter.reviewFromDate ?? '2020-01-01')
    const to = Date.parse(filter.reviewToDate ?? '2030-01-01')
    const times = Array.from({ length: 1500 }, (_, index) => now - 360 * 24 * hour + index * 5 * hour)
    const found = times.map((time, index) => ({ time, index })).filter(({ time }) => time >= from && time < to)
    const id = (at: number) => ({
      answeredScorecardId: String(5000 + found[at]!.index),
      reviewTime: new Date(found[at]!.time).toISOString(),
      answers: [],
    })
    const given = Math.ceil(found.length * state.share)
    return pageOf('answeredScorecards', { id, held: found.length, given, counted: found.length }, cursor)
  }
}

describe('a list that ends too early', () => {
  it('by the system’s own count is not whole: nothing is removed, and the state says why', async (t) => {
    const state = { share: 1 }
    const { on } = await startScripted(t, 'gong', reviews(state), { clock: skippingClock(() => now) })
    const wanted = { entities: ['stats_activity_scorecards'], full: true }
    await on.sync(wanted)
    assert.equal((await on.copy('stats_activity_scorecards')).size, 1500)
    assert.equal((await on.state('stats_activity_scorecards')).complete, true)
    state.share = 2 / 3
    for (let pass = 0; pass < 3; pass++) await on.sync(wanted)
    const { records, complete, last_error: error, skipped } = await on.state('stats_activity_scorecards')
    assert.deepEqual([records, complete], [1500, false])
    assert.match(JSON.stringify([error, skipped]), /though it counts \d+/)
    state.share = 1
    await on.sync(wanted)
    assert.deepEqual((await on.state('stats_activity_scorecards')).complete, true)
    assert.equal((await on.copy('stats_activity_scorecards')).size, 1500)
  })

  it('is an error also where nothing else is read', async (t) => {
    const pages = { id: user, held: 90, given: 90, counted: 90 }
    const answer: Answering = ({ query }) => pageOf('users', pages, query.get('cursor'))
    const { on } = await startScripted(t, 'gong', answer)
    await on.sync({ entities: ['users'] })
    pages.given = 60
    for (let pass = 0; pass < 3; pass++) await on.sync({ entities: ['users'], full: true })
    const { records, complete, status, last_error: error } = await on.state('users')
    assert.deepEqual([records, complete, status], [90, false, 'failed'])
    assert.match(error.detail, /after 60 records, though it counts 90/)
  })

  it('only by rows that came twice is one, and one whose count fell meanwhile is none', async (t) => {
    let script: Answering = () => ({})
    const { on } = await startScripted(t, 'gong', (asked) => script(asked))
    const page = (ids: readonly number[], totalRecords: number, cursor?: string) => ({
      users: ids.map(user),
      records: { totalRecords, currentPageSize: ids.length, currentPageNumber: 0, ...(cursor && { cursor }) },
    })
    script = ({ query }) => (query.get('cursor') ? page([1, 2], 4) : page([0, 1], 4, 'x'))
    await on.sync({ entities: ['users'] })
    assert.equal((await on.state('users')).complete, false)
    script = ({ query }) => (query.get('cursor') ? page([2], 3) : page([0, 1], 4, 'x'))
    await on.sync({ entities: ['users'], full: true })
    assert.equal((await on.state('users')).complete, true)
  })
})

describe('most of a copy that is missing at once', () => {
  let postgres: TestServer
  before(async () => {
    postgres = await startPostgres()
  })
  after(() => postgres.stop())

  for (const store of ['SQLite', 'PostgreSQL'])
    it(`stays until a second full pass has not met it either: ${store}`, async (t) => {
      const settings = store === 'SQLite' ? {} : { databaseUrl: await postgres.freshDatabase() }
      const pages = { id: user, held: 150, given: 150, counted: 150 }
      const answer: Answering = ({ query }) => pageOf('users', pages, query.get('cursor'))
      const { on } = await startScripted(t, 'gong', answer, { settings })
      const pass = async (count: number) => {
        pages.given = pages.counted = count
        await on.sync({ entities: ['users'], full: true })
        const { status, complete, records, warnings } = await on.state('users')
        return { status, complete, records, warned: warnings.some((text: string) => /looks once more/.test(text)) }
      }
      const fine = { status: 'finished', complete: true, warned: false }
      assert.deepEqual(await pass(150), { ...fine, records: 150 })
      assert.deepEqual(await pass(40), { ...fine, records: 150, warned: true })
      assert.deepEqual(await pass(150), { ...fine, records: 150 })
      assert.deepEqual(await pass(40), { ...fine, records: 150, warned: true })
      assert.deepEqual(await pass(40), { ...fine, records: 40 })
    })
})
