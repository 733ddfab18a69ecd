import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { compareTexts } from '../../search/order.ts'
import { decodeJson, decodeText, encodeJson, encodeText } from './nul-escaping.ts'

const someText = fc
  .array(fc.constantFrom('\0', '\x01', '\x02', 'a', '\\', '"', '\u{1f600}'))
  .map((parts) => parts.join(''))

it('gives back every text, without a NUL in between, and keeps their order', () => {
  fc.assert(
    fc.property(someText, someText, (one, other) => {
      assert.ok(!encodeText(one).includes('\0'))
      assert.equal(decodeText(encodeText(one)), one)
      const before = Math.sign(compareTexts(one, other))
      assert.equal(Math.sign(compareTexts(encodeText(one), encodeText(other))), before)
    }),
    { numRuns: 2000 },
  )
})

it('does the same inside JSON, whatever stands before an escape', () => {
  fc.assert(
    fc.property(fc.array(someText), someText, (texts, key) => {
      const json = JSON.stringify({ texts, [key]: key })
      const encoded = encodeJson(json)
      assert.ok(!/\\u0000/.test(encoded.replaceAll('\\\\', '')))
      assert.equal(decodeJson(encoded), json)
      assert.deepEqual(JSON.parse(encoded).texts, texts.map(encodeText))
    }),
    { numRuns: 2000 },
  )
})
