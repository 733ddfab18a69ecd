/** Searches columns of text for patterns. The database computes the folded text, or stores it. */
import { fold } from '../../search/fold.ts'
import { parsePattern } from '../../search/pattern.ts'
import type { Bindings } from '../search/bindings.ts'
import type { SearchedColumn } from '../search/dialect.ts'
import { quoted } from './copy-table.ts'

/** The folded text of a column. If no folded form is stored, lower case of ASCII is the same as folding. */
const foldedOf = ({ name, column }: SearchedColumn): string =>
  `coalesce(t.${quoted(`_folded_${name}`)}, lower(t.${column}))`

/** The folded form to store with a text; null if the database can compute it. */
export function foldedText(text: string): string | null {
  if (ordinary.test(text)) return null
  const folded = fold(text).replace(unlikely, standIn)
  return folded === text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) ? null : folded
}

// Nearly all texts are ASCII, and for these lower() equals folding.
const ordinary = /^[\x03-\x7f]*$/

// The database cannot store U+0000, and its replacement must be one character, because `_` means one. If a pattern
// contains one of these characters, the database finds too much.
const unlikely = /[\0-\x02]/g
const standIn = '\x02'

/** Whether the database can decide exactly which texts match the pattern. */
export const isExact = (pattern: string): boolean => !/[\0-\x02]/.test(pattern)

/** True for the texts that match the pattern and, if it is not exact, for some others. */
export function liked(bind: Bindings, column: SearchedColumn, pattern: string): string {
  const written = parsePattern(pattern).pieces.map((piece) => piece.map(inPattern).join(''))
  return `${foldedOf(column)} like ${bind.add(written.join('%'))}`
}

const inPattern = (character: string | null): string => {
  if (character === null) return '_'
  if (/[\0-\x02]/.test(character)) return standIn
  return /[%_\\]/.test(character) ? `\\${character}` : character
}
