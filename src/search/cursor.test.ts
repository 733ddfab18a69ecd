import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readCursor, writeCursor } from './cursor.ts'
import { parseQuery } from './parse-query.ts'
import type { Scalar } from './query.ts'

const scope = { connectorId: '01900000-0000-7000-8000-000000000001', entity: 'things' }
const searchable = { name: 'string', size: 'integer', weight: 'number', done: 'boolean' } as const

/** What is read back of a cursor that anybody could have made, since its seal is no secret. */
function readBack(field: keyof typeof searchable | 'score', key: Scalar | null): unknown {
  const query = parseQuery(searchable, { query: field === 'score' ? {} : { sort: [{ [field]: 'asc' }] } })
  const cursor = writeCursor(scope, query, { keys: [key], id: '7' })
  return readCursor(scope, searchable, { ...query, cursor })?.keys[0]
}

describe('a cursor', () => {
  it('holds the keys that records have, digit for digit', () => {
    for (const key of ['a\0b', '', null]) assert.equal(readBack('name', key), key)
    for (const key of [0, -5, 2 ** 53, 2n ** 63n - 1n, null]) assert.equal(readBack('size', key), key)
    for (const key of [0.1, -1e300, 10, null]) assert.equal(readBack('weight', key), key)
    for (const key of [true, false, null]) assert.equal(readBack('done', key), key)
    for (const key of [1, 250]) assert.equal(readBack('score', key), key)
  })

  it('is refused with keys that no record has', () => {
    const refused: [keyof typeof searchable | 'score', Scalar | null][] = [
      ['name', 1],
      ['size', 'a'],
      ['size', 1.5],
      ['size', Number.NaN],
      ['size', Number.POSITIVE_INFINITY],
      ['size', 10n ** 1001n],
      ['size', 2n ** 63n],
      ['size', -(2n ** 63n) - 1n],
      ['size', 1e300],
      ['name', 'x'.repeat(257)],
      ['name', '2024-03-10T10:30:00+01:00'],
      ['name', '\ud800'],
      ['weight', Number.NaN],
      ['weight', Number.NEGATIVE_INFINITY],
      ['weight', '1'],
      ['done', 1],
      ['score', null],
      ['score', 0],
      ['score', 1.5],
      ['score', 2n ** 60n],
    ]
    for (const [field, key] of refused)
      assert.throws(() => readBack(field, key), { code: 'invalid_cursor' }, `${field} ${key}`)
  })
})
