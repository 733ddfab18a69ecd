/**
 * Tests for words that do not split the text, for going through many records. They say what the evaluator says: folding
 * makes no letter or digit of what is none and the other way round, so that words may be looked for in the folded text.
 */
import { fold } from './fold.ts'

/** Whether at least one of the words, which are folded, occurs as a whole word. */
export function wholeWordMatcher(wanted: readonly string[]): (text: string) => boolean {
  return (text) => {
    const folded = fold(text)
    return wanted.some((word) => hasWord(folded, word))
  }
}

/** Whether each of the words, which are folded, begins a word of the text, in this order, whatever stands between. */
export function beginningsMatcher(wanted: readonly string[]): (text: string) => boolean {
  return (text) => {
    const folded = fold(text)
    let from = 0
    for (const word of wanted) {
      let at = folded.indexOf(word, from)
      while (at >= 0 && !isBorder(folded, at)) at = folded.indexOf(word, at + 1)
      if (at < 0) return false
      from = at + word.length
    }
    return wanted.length > 0
  }
}

/** Counts how many of the words, which are folded and different, occur among the texts. */
export function wordCounter(wanted: readonly string[]): (texts: Iterable<string>) => number {
  return (texts) => {
    const missing = new Set(wanted)
    for (const text of texts) {
      const folded = fold(text)
      for (const word of missing) if (hasWord(folded, word)) missing.delete(word)
    }
    return wanted.length - missing.size
  }
}

function hasWord(folded: string, word: string): boolean {
  for (let at = folded.indexOf(word); at >= 0; at = folded.indexOf(word, at + 1))
    if (isBorder(folded, at) && !isWordAt(folded, at + word.length)) return true
  return false
}

/** Whether no letter or digit stands before the place. */
function isBorder(text: string, at: number): boolean {
  if (at === 0) return true
  const code = text.charCodeAt(at - 1)
  if (code < 0x80) return asciiWord[code] === 0
  return !wordCharacter.test(isLow(code) && at > 1 ? text.slice(at - 2, at) : text[at - 1]!)
}

/** Whether a letter or digit stands at the place. */
function isWordAt(text: string, at: number): boolean {
  if (at >= text.length) return false
  const code = text.charCodeAt(at)
  if (code < 0x80) return asciiWord[code] === 1
  return wordCharacter.test(String.fromCodePoint(text.codePointAt(at)!))
}

const isLow = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff

const wordCharacter = /[\p{L}\p{N}]$/u
const asciiWord = Uint8Array.from({ length: 0x80 }, (_, code) =>
  Number(/[\p{L}\p{N}]/u.test(String.fromCharCode(code))),
)
