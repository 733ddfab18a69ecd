import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { atLeastOneOf, atMostOneOf, exactlyOneOf, rule } from './rules.ts'

const names = ['a', 'b', 'c', 'd'] as const
const given = fc.record(
  { a: fc.constant('1'), b: fc.constant(false), c: fc.constant(0), d: fc.constant('') },
  { requiredKeys: [] },
)

it('exactly the members of one group are given, or the rule is broken', () => {
  const scope = exactlyOneOf([['a'], ['b'], ['c', 'd']], 'Give one scope.')
  fc.assert(
    fc.property(given, (params) => {
      const key = Object.keys(params).sort().join()
      assert.equal(scope.broken(params) === null, ['a', 'b', 'c,d'].includes(key))
      if (scope.broken(params) !== null) assert.deepEqual([...scope.broken(params)!].sort(), Object.keys(params).sort())
    }),
  )
})

it('false, 0 and empty text count as given', () => {
  assert.equal(atLeastOneOf(['b'], '.').broken({ b: false }), null)
  assert.equal(atLeastOneOf(['c'], '.').broken({ c: 0 }), null)
  assert.deepEqual(atLeastOneOf(['b', 'c'], '.').broken({ b: undefined }), [])
})

it('at most one is given, or those given are blamed', () => {
  fc.assert(
    fc.property(given, (params) => {
      const broken = atMostOneOf(names, '.').broken(params)
      if (Object.keys(params).length <= 1) assert.equal(broken, null)
      else assert.deepEqual([...broken!].sort(), Object.keys(params).sort())
    }),
  )
})

it('a rule of its own says who is at fault', () => {
  const even = rule('Give an even count.', ({ count }) => (Number(count) % 2 === 0 ? null : ['count']))
  assert.deepEqual(
    [even.sentence, even.broken({ count: 3 }), even.broken({ count: 4 })],
    ['Give an even count.', ['count'], null],
  )
})
