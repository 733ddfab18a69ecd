import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { searchable, someRecords, someSearch } from '../store/samples.suite.ts'
import { testOf } from './evaluate.ts'
import { parseQuery } from './parse-query.ts'
import { quickTest } from './quick-test.ts'
import { searchRecord } from './record.ts'

it('says what the evaluator says', () => {
  fc.assert(
    fc.property(someRecords, someSearch, (records, params) => {
      const { filter } = parseQuery(searchable, params)
      for (const record of records) {
        const { data } = searchRecord(searchable, record.id, record.data)
        assert.equal(quickTest(filter)(data), testOf(filter)(data))
      }
    }),
    { numRuns: 300 },
  )
})
