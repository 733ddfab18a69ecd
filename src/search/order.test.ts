import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { compare, compareTexts, innerSortKey, keyAsText } from './order.ts'
import type { Scalar } from './query.ts'

const numbers = [
  ...[0, -0, 1, -1, 0.1, -0.1, 2 ** 53, -(2 ** 53), 1e300, -1e300, Number.MAX_VALUE, Number.MIN_VALUE],
  ...[2n ** 53n, 2n ** 53n + 1n, 2n ** 53n - 1n, 2n ** 63n - 1n, -(2n ** 63n), -(2n ** 53n) - 1n],
]

it('writes the keys of values inside objects as texts in the same order', () => {
  const key: fc.Arbitrary<Scalar> = fc.oneof(
    fc.constantFrom<Scalar>(...numbers),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.constantFrom('', '\0', 'n', 't', '\u{1f600}', '\uffff'),
    fc.string(),
  )
  fc.assert(
    fc.property(key, key, (one, other) => {
      const [left, right] = [innerSortKey(one)!, innerSortKey(other)!]
      const wanted = compare(left, right) ?? (typeof left === 'string' ? 1 : -1)
      assert.equal(Math.sign(compareTexts(keyAsText(left), keyAsText(right))), Math.sign(wanted))
    }),
    { numRuns: 2000 },
  )
})
