import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { textsIn } from '../../search/evaluate.ts'
import type { Json } from '../../search/query.ts'
import { indexedText, wordsWriter } from './copy-words.ts'

const someText = fc
  .array(fc.constantFrom('a', 'Bc', 'K', '7', ' ', '-', '_', '\0', '\x7f', 'é', 'ẞ', '\u{1f600}', '中', 'x'.repeat(70)))
  .map((parts) => parts.join(''))
const someValue: fc.Arbitrary<Json> = fc.oneof(
  someText,
  fc.constantFrom(null, true, 12),
  fc.array(fc.oneof(someText, fc.dictionary(someText, fc.oneof(someText, fc.constant(null)), { maxKeys: 3 }))),
)

it('writes the tokens of every text, whatever it is made of and wherever it stands', () => {
  const names = ['one', 'two', 'three']
  const writer = wordsWriter(names)
  fc.assert(
    fc.property(fc.constantFrom(1, 23), fc.tuple(someValue, someValue, someValue), (copy, values) => {
      const wanted = values.flatMap((value, place) => {
        const direct = typeof value === 'string'
        if (direct && value === '') return []
        return [...textsIn(value)].flatMap((text) => tokensIn(indexedText({ copy, place }, text, direct)))
      })
      const data = Object.fromEntries(names.map((name, place) => [name, values[place]!]))
      assert.deepEqual(new Set(tokensIn(writer.write(copy, data).toString())), new Set(wanted))
    }),
    { numRuns: 2000 },
  )
})

it('makes room for a text of any length', () => {
  const words = Array.from({ length: 40_000 }, (_, index) => `w${index}`)
  const written = wordsWriter(['notes']).write(4, { notes: words.join(' ') })
  assert.equal(tokensIn(written.toString()).length, words.length + 1)
})

const tokensIn = (text: string): string[] => text.split(' ').filter((token) => token !== '')
