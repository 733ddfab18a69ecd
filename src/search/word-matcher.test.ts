import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { askedWords, fold, words } from './fold.ts'
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

  it('finds what is among the words of the text', () => {
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
        const wanted = askedWords(asked)
        const found = words(value)
        assert.equal(
          wholeWordMatcher(wanted)(value),
          wanted.some((word) => found.includes(word)),
        )
        assert.equal(beginningsMatcher(wanted)(value), wanted.length > 0 && beginInOrder(wanted, found))
      }),
      { numRuns: 5000 },
    )
  })
})

/** Whether each of the wanted words begins one of the words, in this order, with any words between. */
function beginInOrder([first, ...others]: readonly string[], found: readonly string[]): boolean {
  if (first === undefined) return true
  const place = found.findIndex((word) => word.startsWith(first))
  return place >= 0 && beginInOrder(others, found.slice(place + 1))
}
