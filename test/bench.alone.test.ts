import assert from 'node:assert/strict'
import { it } from 'node:test'
import { benchSearch } from '../bench/search.ts'
import { placeSqlite } from '../bench/search-place.ts'
import { drawQuestions, queryOf } from '../bench/search-questions.ts'

it('the benchmark finds the same hits with search and with plain SQL, and measures both', async () => {
  const options = { records: 1000, questions: 20, seed: 7, worst: 20, refill: false }
  const { what, ratio, details } = await benchSearch(placeSqlite, options)
  assert.match(what, /^search on SQLite, 1000 records, 20 questions of seed 7$/)
  assert.ok(ratio > 0)
  const slowest = details.slice(details.indexOf('the slowest:') + 1, details.indexOf('the highest ratios:'))
  assert.deepEqual(
    slowest.map((line) => Number(/ (\d+): \{/.exec(line)![1])).sort((one, other) => one - other),
    [...Array(20).keys()],
  )
})

it('the same seed draws the same questions, and another one others', () => {
  const drawn = (seed: number) => drawQuestions(seed, 50, 1000).map(queryOf)
  assert.deepEqual(drawn(1), drawn(1))
  assert.notDeepEqual(drawn(1), drawn(2))
})
