import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { instantOf } from './instant.ts'
import { compareTexts } from './order.ts'

it('is the same for all ways to write an instant', () => {
  for (const text of [
    '2024-03-10T01:30:00-0800',
    '2024-03-10T09:30:00Z',
    '2024-03-10T09:30:00.000+00:00',
    '2024-03-10T10:30:00.000000+01:00',
    '2024-03-10t09:30:00z',
    '2024-03-10T09:30Z',
    '2024-03-10T09:30:00+00',
    '2024-03-11T09:29:00.0+23:59',
  ])
    assert.equal(instantOf(text), '2024-03-10T09:30:00.000000000Z', text)
})

it('is nothing for a date, a time without offset, and what does not exist', () => {
  for (const text of [
    '2024-03-10',
    '2024-03-10T09:30:00',
    '2024-03-10 09:30:00Z',
    '2024-02-30T00:00:00Z',
    '2023-02-29T00:00:00Z',
    '2024-13-01T00:00:00Z',
    '2024-01-01T24:00:00Z',
    '2024-01-01T00:60:00Z',
    '2024-01-01T00:00:60Z',
    '2024-01-01T00:00:00+24:00',
    '2024-01-01T00:00:00.Z',
    '2024-01-01T00:00:00.0000000001Z',
    '0000-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    '2024-1-1T0:0:0Z',
    ' 2024-01-01T00:00:00Z',
    '',
  ])
    assert.equal(instantOf(text), null, text)
})

it('orders as text like the instants themselves, and is its own instant', () => {
  const instant = fc.date({
    min: new Date('0001-01-01T00:00:00Z'),
    max: new Date('9998-12-31T00:00:00Z'),
    noInvalidDate: true,
  })
  fc.assert(
    fc.property(instant, instant, (one, other) => {
      const [a, b] = [instantOf(one.toISOString())!, instantOf(other.toISOString())!]
      assert.equal(Math.sign(compareTexts(a, b)), Math.sign(one.getTime() - other.getTime()))
      assert.equal(instantOf(a), a)
    }),
    { numRuns: 1000 },
  )
})
