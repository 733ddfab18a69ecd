import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { identityIn, type PageSeen, type RecordIdentity, watchProgress } from './progress.ts'

const byId: RecordIdentity = (record) => String((record as { id: number }).id)
const ids = (from: number, count: number) => Array.from({ length: count }, (_, index) => ({ id: from + index }))

/** After how many pages the list is given up, or null when that never happened. */
function givenUpAfter(pages: Iterable<Omit<PageSeen, 'next'> & { next?: string | null }>, identity = byId) {
  const watch = watchProgress(identity)
  let count = 0
  for (const { next, ...page } of pages) {
    count++
    const problem = watch({ ...page, next: next === undefined ? `token ${count}` : next })
    if (problem === null) continue
    assert.equal(problem.code, 'upstream_invalid_response')
    assert.match(problem.message, /would never end/)
    return count
  }
  return null
}

describe('a list', () => {
  it('is given up where three pages in a row bring nothing new, whatever their tokens', () => {
    const again = { records: ids(100, 50) }
    assert.equal(givenUpAfter([{ records: ids(0, 100) }, again, again, again, again, again]), 5)
  })

  it('is given up also where pages that repeat are told apart by empty ones, or go round in a large circle', () => {
    const empty = { records: [] }
    const again = { records: ids(0, 3) }
    assert.equal(givenUpAfter([again, again, empty, again, empty, empty, again, again]), 7)
    const circle = Array.from({ length: 3000 }, (_, page) => ({ records: ids((page % 1000) * 100, 100) }))
    assert.equal(givenUpAfter(circle), 1003)
  })

  it('goes on while rows move between its pages', () => {
    const moving = Array.from({ length: 500 }, (_, page) => ({ records: ids(page * 3, 100), total: 2000 }))
    assert.equal(givenUpAfter(moving), null)
    const twice = [ids(0, 100), ids(0, 100), ids(50, 50), ids(99, 2), ids(0, 100), ids(0, 100), ids(200, 1)]
    assert.equal(givenUpAfter(twice.map((records) => ({ records }))), null)
  })

  it('is given up where more records come than the system says there are, but not at its end', () => {
    const pages = [ids(0, 100), ids(100, 100), ids(200, 100)].map((records) => ({ records, total: 150 }))
    assert.equal(givenUpAfter(pages), 2)
    assert.equal(givenUpAfter([pages[0]!, { ...pages[1]!, next: null }]), null)
    assert.equal(
      givenUpAfter([
        { records: ids(0, 100), total: 100 },
        { records: ids(0, 100), total: 100 },
      ]),
      null,
    )
  })

  it('goes on over empty pages, though not over a hundred in a row', () => {
    const empty = { records: [] }
    const many = (count: number) => Array.from({ length: count }, () => empty)
    assert.equal(givenUpAfter([...many(99), { records: ids(0, 1) }, ...many(99), { records: ids(1, 1) }]), null)
    assert.equal(givenUpAfter(many(200)), 100)
  })

  it('is given up at once where a page leads to itself', () => {
    const page = { records: [], next: 'same' }
    assert.equal(givenUpAfter([page, page]), 2)
  })

  it('of records without an id is judged by all that they hold, and more patiently', () => {
    const nothing = () => null
    const row = { records: [{ clicks: 0, big: 12345678901234567890n }] }
    assert.equal(givenUpAfter(Array(100).fill(row), nothing), 21)
    const rows = Array.from({ length: 300 }, (_, page) => ({ records: [{ day: page }, { day: 0 }] }))
    assert.equal(givenUpAfter(rows, nothing), null)
  })

  it('may be longer than what is remembered of it', () => {
    const pages = Array.from({ length: 700 }, (_, page) => ({ records: ids(page * 500, 500), total: 350_000 }))
    assert.equal(givenUpAfter(pages), null)
  })
})

describe('the identity of records', () => {
  const id = { type: 'string', 'x-identifier': true }

  it('is their identifier, which may stand in an object of theirs', () => {
    const flat = identityIn({ properties: { name: {}, gid: id } })
    assert.deepEqual(
      [flat({ gid: 'a' }), flat({ gid: 7n }), flat({}), flat(null), flat(7)],
      ['a', '7', null, null, null],
    )
    const nested = identityIn({ properties: { metaData: { properties: { id } } } })
    assert.deepEqual([nested({ metaData: { id: 'a' } }), nested({ metaData: null })], ['a', null])
  })

  it('is none where no identifier is declared', () => {
    assert.equal(identityIn({ properties: { name: {} } })({ name: 'a' }), null)
    assert.equal(identityIn(null)({ name: 'a' }), null)
  })
})
