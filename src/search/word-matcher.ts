/**
 * Tests for words. They do not split the text, which takes long for many records: words are those of the folded text, so a
 * text search can find them.
 */
import { finder } from './find-text.ts'
import { fold, words } from './fold.ts'

/** Whether at least one of the folded words occurs as a whole word. */
export function wholeWordMatcher(wanted: readonly string[]): (text: string) => boolean {
  if (wanted.length > mostLookedFor) {
    const set = new Set(wanted)
    return (text) => words(text).some((word) => set.has(word))
  }
  const tests = wanted.map(wordTest)
  return (text) => {
    const folded = fold(text)
    return tests.some((hasWord) => hasWord(folded))
  }
}

/** Whether each of the folded words begins a word of the text, in this order, with any words between. */
export function beginningsMatcher(wanted: readonly string[]): (text: string) => boolean {
  const finds = wanted.map((word) => ({ find: finder(word), length: word.length }))
  return (text) => {
    const folded = fold(text)
    let from = 0
    for (const { find, length } of finds) {
      let at = find(folded, from)
      while (at >= 0 && !isBorder(folded, at)) at = find(folded, at + length)
      if (at < 0) return false
      from = at + length
    }
    return finds.length > 0
  }
}

/** Splitting a text takes no longer than this many text searches, at worst. */
const mostLookedFor = 100

function wordTest(word: string): (folded: string) => boolean {
  const find = finder(word)
  return (folded) => {
    // No word begins inside another.
    for (let at = find(folded, 0); at >= 0; at = find(folded, at + word.length))
      if (isBorder(folded, at) && !isWordAt(folded, at + word.length)) return true
    return false
  }
}

/** Whether no part of a word is before the place. */
function isBorder(text: string, at: number): boolean {
  if (at === 0) return true
  const code = text.charCodeAt(at - 1)
  if (code < 0x80) return asciiWord[code] === 0
  return !wordCharacter.test(isLow(code) && at > 1 ? text.slice(at - 2, at) : text[at - 1]!)
}

/** Whether a part of a word is at the place. */
function isWordAt(text: string, at: number): boolean {
  if (at >= text.length) return false
  const code = text.charCodeAt(at)
  if (code < 0x80) return asciiWord[code] === 1
  return wordCharacter.test(String.fromCodePoint(text.codePointAt(at)!))
}

const isLow = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff

const wordCharacter = /[\p{L}\p{N}\p{M}]$/u
const asciiWord = Uint8Array.from({ length: 0x80 }, (_, code) =>
  Number(/[\p{L}\p{N}]/u.test(String.fromCharCode(code))),
)
