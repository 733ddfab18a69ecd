import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { searchable, someRecords, someSearch } from '../store/samples.suite.ts'
import { scoreOf, testOf } from './evaluate.ts'
import { parseQuery } from './parse-query.ts'
import { searchRecord } from './record.ts'
import { type Steps, scoreStepsOf, testStepsOf } from './steps.ts'

/** What the steps come to, and how many there were. */
function taken<Found>(steps: Steps<Found>): readonly [Found, number] {
  for (let count = 0; ; count++) {
    const { done, value } = steps.next()
    if (done === true) return [value, count]
  }
}

it('finds in steps what is found at once', () => {
  fc.assert(
    fc.property(someRecords, someSearch, (records, params) => {
      const { filter } = parseQuery(searchable, params)
      for (const record of records) {
        const { data } = searchRecord(searchable, record.id, record.data)
        assert.equal(taken(testStepsOf(filter)(data))[0], testOf(filter)(data))
        assert.equal(taken(scoreStepsOf(filter)(data))[0], scoreOf(filter)(data))
      }
    }),
    { numRuns: 300 },
  )
})

it('takes a step for each condition and each element', () => {
  const tags = Array.from({ length: 50 }, (_, gid) => ({ gid }))
  const filter = { or: [{ any: { tags: { eq: { gid: 100 } } } }, { like: { name: '%b%' } }, { like: { name: '%c%' } }] }
  const { filter: condition } = parseQuery(searchable, { query: { filter } })
  assert.deepEqual(taken(testStepsOf(condition)({ tags, name: 'abc' })), [true, 51])
})
