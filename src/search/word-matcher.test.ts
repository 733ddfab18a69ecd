import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { valueTestOf } from './evaluate.ts'
import { askedWords, fold } from './fold.ts'
import { beginningsMatcher, wholeWordMatcher } from './word-matcher.ts'

describe('matching words without splitting the text', () => {
  it('rests on folding, which keeps what is part of words so', () => {
    const isWord = (text: string) => /^[\p{L}\p{N}\p{M}]+$/u.test(text)
    for (let code = 0; code <= 0x10ffff; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue
      const character = String.fromCodePoint(code)
      if (isWord(character) !== isWord(fold(character))) assert.fail(`U+${code.toString(16)} changes`)
    }
  })

  it('says what the evaluator says', () => {
    const piece = fc.constantFrom(
      'a',
      'A',
      'ab',
      'σ',
      'ς',
      'é',
      'e\u0301',
      'q',
      '\u0303',
      '\u0345',
      'हि',
      '\u093f',
      'เ',
      '\u0e49',
      'ᄒ',
      'ᅡ',
      'ᆫ',
      '𝔸',
      '𐐀',
      '😀',
      ' ',
      '-',
      '7',
      '\0',
      'İ',
    )
    const text = fc.array(piece, { maxLength: 8 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, text, (value, asked) => {
        const path = ['name'] as const
        const wanted = askedWords(asked)
        const keyword = valueTestOf({ op: 'keyword', path, words: wanted })
        const fuzzy = valueTestOf({ op: 'fuzzy', path, words: wanted })
        assert.equal(wholeWordMatcher(wanted)(value), keyword(value))
        assert.equal(beginningsMatcher(wanted)(value), fuzzy(value))
      }),
      { numRuns: 5000 },
    )
  })
})
