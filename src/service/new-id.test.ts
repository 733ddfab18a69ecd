import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isId, newId } from './new-id.ts'

describe('ids', () => {
  it('are UUIDs of version 7 that carry their time', () => {
    const now = Date.parse('2100-01-01T00:00:00Z')
    const id = newId(now)
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.equal(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16), now)
    assert.ok(isId(id) && isId(id.toUpperCase()))
  })

  it('never step back, within a millisecond or when the clock does', () => {
    const now = Date.parse('2100-01-02T00:00:00Z')
    const ids = Array.from({ length: 10_000 }, (_, index) => newId(now - (index % 3)))
    assert.deepEqual(ids, ids.toSorted())
    assert.equal(new Set(ids).size, ids.length)
  })

  it('are told from other texts', () => {
    for (const text of ['', 'x', '../..', `${newId()}\0`, newId().slice(1), `${newId()} `])
      assert.equal(isId(text), false)
  })
})
