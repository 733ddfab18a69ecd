import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { retryAfter, retryDelay } from './retry.ts'

const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

describe('the wait before a repeat', () => {
  it('is never less than was asked for, never under 50 ms, and never more than both ask for', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.nat(100_000), chance, (repeat, asked, random) => {
        const wait = retryDelay(repeat, asked, () => random)
        assert.ok(wait >= asked)
        assert.ok(wait >= 50)
        assert.ok(wait <= Math.max(asked, 30_000))
      }),
    )
  })

  it('may grow with each repeat', () => {
    const most = [1, 2, 3, 4, 10].map((repeat) => retryDelay(repeat, 0, () => 1))
    assert.deepEqual(most, [1000, 2000, 4000, 8000, 30_000])
  })
})

describe('Retry-After', () => {
  const now = Date.UTC(2026, 0, 5, 9, 0, 0)

  it('is read as seconds', () => {
    fc.assert(
      fc.property(fc.nat(10_000_000), (seconds) => assert.equal(retryAfter(String(seconds), now), seconds * 1000)),
    )
    assert.equal(retryAfter(' 1.5 ', now), 1500)
    assert.equal(retryAfter(['7', '7'], now), 7000)
  })

  it('is read as an HTTP date, of which a past one asks for nothing', () => {
    fc.assert(
      fc.property(fc.integer({ min: -100_000, max: 100_000 }), (seconds) => {
        const date = new Date(now + seconds * 1000).toUTCString()
        assert.equal(retryAfter(date, now), Math.max(0, seconds * 1000))
      }),
    )
    assert.equal(retryAfter('Monday, 05-Jan-26 09:00:10 GMT', now), 10_000)
  })

  it('asks for nothing when it is absent or neither', () => {
    for (const header of [
      undefined,
      '',
      ' ',
      'soon',
      '-5',
      '1e9',
      '0x10',
      '2099-01-01T00:00:00Z',
      '5 seconds',
      [],
      'Mon',
    ])
      assert.equal(retryAfter(header, now), 0)
  })

  it('asks for nothing when there are several that disagree', () => {
    for (const headers of [
      ['3600', '1'],
      ['1', '3600'],
      ['soon', '2'],
      ['7', '7.0'],
      ['2', ''],
    ]) {
      assert.equal(retryAfter(headers, now), 0)
      assert.equal(retryAfter(headers.join(', '), now), 0)
    }
  })

  it('is a finite number whatever it holds', () => {
    for (const header of ['9'.repeat(400), 'Fri, 31 Dec 9999 23:59:59 GMT'])
      assert.equal(retryAfter(header, now), 365 * 24 * 3600 * 1000)
    fc.assert(fc.property(fc.string(), (header) => assert.ok(Number.isFinite(retryAfter(header, now)))))
  })
})
