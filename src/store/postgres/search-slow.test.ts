import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SlowSearches } from './search-slow.ts'

describe('a search that was too slow', () => {
  it('is known by its question alone', () => {
    const slow = new SlowSearches()
    assert.equal(slow.has('one'), false)
    slow.add('one')
    assert.equal(slow.has('one'), true)
    assert.equal(slow.has('other'), false)
  })

  it('is forgotten once it was quick, and not when it was slow again or failed', async () => {
    const slow = new SlowSearches()
    slow.add('one')
    assert.equal(await slow.timed('one', 0, async () => 'found'), 'found')
    await assert.rejects(slow.timed('one', Number.POSITIVE_INFINITY, () => Promise.reject(new Error('ended'))))
    assert.equal(slow.has('one'), true)
    await slow.timed('one', Number.POSITIVE_INFINITY, async () => 'found')
    assert.equal(slow.has('one'), false)
  })

  it('is forgotten when a thousand others came after it', () => {
    const slow = new SlowSearches()
    slow.add('again')
    slow.add('first')
    for (let number = 0; number < 998; number++) slow.add(String(number))
    slow.add('again')
    slow.add('last')
    assert.equal(slow.has('first'), false)
    assert.equal(slow.has('again') && slow.has('0') && slow.has('last'), true)
  })
})
