import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { valueTestOf } from './evaluate.ts'
import { fold, words } from './fold.ts'
import { beginningsMatcher, wholeWordMatcher } from './word-matcher.ts'

describe('matching words without splitting the text', () => {
  it('rests on folding, which keeps letters and digits what they are', () => {
    const isWord = (text: string) => /^[\p{L}\p{N}]+$/u.test(text)
    for (let code = 0; code <= 0x10ffff; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue
      const character = String.fromCodePoint(code)
      if (isWord(character) !== isWord(fold(character))) assert.fail(`U+${code.toString(16)} changes`)
    }
  })

  it('says what the evaluator says', () => {
    const piece = fc.constantFrom('a', 'A', 'ab', 'σ', 'ς', 'é', 'e\u0301', '𝔸', '𐐀', '😀', ' ', '-', '7', '\0', 'İ')
    const text = fc.array(piece, { maxLength: 8 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, text, (value, asked) => {
        const path = ['name'] as const
        const wanted = words(asked)
        const keyword = valueTestOf({ op: 'keyword', path, words: wanted })
        const fuzzy = valueTestOf({ op: 'fuzzy', path, words: wanted })
        assert.equal(wholeWordMatcher(wanted)(value), keyword(value))
        assert.equal(beginningsMatcher(wanted)(value), fuzzy(value))
      }),
      { numRuns: 5000 },
    )
  })
})
