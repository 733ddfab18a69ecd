import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { finder } from './find-text.ts'

it('finds what the language finds, short or long', () => {
  const letters = (size: object) => fc.array(fc.constantFrom('a', 'a', 'a', 'a', 'b'), size).map((all) => all.join(''))
  const wanted = fc.oneof(letters({ minLength: 1, maxLength: 8 }), fc.constantFrom('a', 'ab', 'aab', 'abaab'))
  fc.assert(
    fc.property(wanted, fc.nat(120), letters({ maxLength: 60 }), fc.nat(400), (part, times, before, from) => {
      const looked = part.repeat(times + 1)
      const text = `${before}${looked.slice(1)}${before}${looked}${before}`
      assert.equal(finder(looked)(text, from), text.indexOf(looked, from))
      assert.equal(finder(`${looked}b`)(text, from), text.indexOf(`${looked}b`, from))
    }),
    { numRuns: 3000 },
  )
})
