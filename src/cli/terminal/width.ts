/** The width of text on a terminal, and text cut or padded to a width. */
import { eastAsianWidth } from 'get-east-asian-width'

const nothing = /^[\p{Mark}\p{Format}]+$/u

// Both take as long to create as a small command to run, and few commands need them.
let segmenter: Intl.Segmenter | undefined
let picture: RegExp | undefined

const lettersOf = (text: string): Intl.Segments => {
  segmenter ??= new Intl.Segmenter()
  return segmenter.segment(text)
}

/** A grapheme takes one column, or two if it is wide or an emoji. */
function widthOf(letter: string): number {
  if (/^[\x20-\x7e]$/.test(letter)) return 1
  if (nothing.test(letter)) return 0
  picture ??= /^\p{RGI_Emoji}$/v
  return picture.test(letter) ? 2 : eastAsianWidth(letter.codePointAt(0)!)
}

export function width(text: string): number {
  let columns = 0
  for (const { segment } of lettersOf(text)) columns += widthOf(segment)
  return columns
}

/** The text if it fits; otherwise its beginning, followed by three dots. */
export function cut(text: string, columns: number): string {
  if (width(text) <= columns) return text
  let kept = ''
  let taken = 0
  for (const { segment } of lettersOf(text)) {
    taken += widthOf(segment)
    if (taken > columns - 1) break
    kept += segment
  }
  return `${kept}…`
}

/** Exactly this many columns. */
export function fit(text: string, columns: number): string {
  const shown = cut(text, columns)
  return shown + ' '.repeat(Math.max(0, columns - width(shown)))
}
