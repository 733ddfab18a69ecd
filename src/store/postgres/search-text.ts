/** Looks for patterns and words in columns of text, whose folded form the database makes or keeps. */
import { fold } from '../../search/fold.ts'
import { parsePattern } from '../../search/pattern.ts'
import type { Condition } from '../../search/query.ts'
import type { Bindings } from '../search/bindings.ts'
import type { SearchedColumn } from '../search/dialect.ts'
import { quoted } from './copy-table.ts'

type Wanted = Extract<Condition, { readonly words: readonly string[] }>

/** The folded text of a column; small letters of ASCII are what folding gives wherever it is not kept. */
const foldedOf = ({ field, column }: SearchedColumn): string =>
  `coalesce(t.${quoted(`_folded_${field}`)}, lower(t.${column}))`

/** What of a text is kept as its folded form, or null when the database can make it. */
export function foldedText(text: string): string | null {
  if (ordinary.test(text)) return null
  const folded = fold(text).replace(unlikely, standIn)
  return folded === text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) ? null : folded
}

// Nearly all texts are, and of these lower() says the same as folding.
const ordinary = /^[\x03-\x7f]*$/

// U+0000 cannot be kept, and what stands for it has to be one character, as `_` means one. Where a pattern asks for one of these
// characters, the database finds too much.
const unlikely = /[\0-\x02]/g
const standIn = '\x02'

/** Whether the database can tell exactly which texts match the pattern. */
export const isExact = (pattern: string): boolean => !/[\0-\x02]/.test(pattern)

/** True of the texts that match the pattern, and of some others where it is not exact. */
export function liked(bind: Bindings, column: SearchedColumn, pattern: string): string {
  const written = parsePattern(pattern).pieces.map((piece) => piece.map(inPattern).join(''))
  return `${foldedOf(column)} like ${bind.add(written.join('%'))}`
}

/** True of the texts that have the words, and of some others, where letters beyond ASCII stand beside them. */
export function mayHaveWords(bind: Bindings, column: SearchedColumn, { op, words }: Wanted): string {
  if (words.length > mostRead) return 'true'
  const texts = foldedOf(column)
  // The plain pattern sorts out most of the others in a fraction of the time.
  const held = (part: string, exactly: string) => {
    const like = `${texts} like ${bind.add(`%${part}%`)}`
    return exactly.length > longestRead ? like : `(${like} and ${texts} ~ ${bind.add(exactly)})`
  }
  if (op === 'fuzzy') return held(words.join('%'), `${begin}${words.join(`.*${beside}`)}`)
  return `(${words.map((word) => held(word, `${begin}${word}(?:${beside}|$)`)).join(' or ')})`
}

/** Looking for more words in the database takes longer than here; and it takes seconds to prepare for very long ones. */
const mostRead = 8
const longestRead = 1000
const beside = '[^a-z0-9]'
const begin = `(?:^|${beside})`

const inPattern = (character: string | null): string => {
  if (character === null) return '_'
  if (/[\0-\x02]/.test(character)) return standIn
  return /[%_\\]/.test(character) ? `\\${character}` : character
}
