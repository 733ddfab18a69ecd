/**
 * The index of words: which records may meet a condition about text. It narrows, and the condition itself decides, so that
 * the index may say yes too often but never no. Every token begins with the number of the copy, so that what one
 * connector holds makes no search of another slower.
 */
import { textsIn } from '../../search/evaluate.ts'
import { fold, words } from '../../search/fold.ts'
import type { Json } from '../../search/query.ts'

// Longer words are found by their beginning.
const longestToken = 64

/** The longest text of which parts of words are indexed: names and titles, not bodies. */
const longestWithParts = 256

export const wordToken = (copy: number, word: string): string => `${copy}w${cut(word)}`

/** Three characters in a row, of a text that is indexed by its parts. */
export const partToken = (copy: number, part: string): string => `${copy}p${part.replace(notToken, standIn)}`

/** Stands in the place of the parts of a text that is not indexed by them. */
export const wholeToken = (copy: number): string => `${copy}x`

const cut = (word: string): string => (word.length > longestToken ? word.slice(0, longestToken).toWellFormed() : word)

// Letters, digits and all that is not ASCII make tokens; the rest gets a private character, which is only ever compared.
const notToken = /[^0-9a-z\x80-\u{10ffff}]/gu
const standIn = (character: string): string => String.fromCharCode(0xe000 + character.charCodeAt(0))

/** What the index is given for a value, as text that falls into the tokens again. */
export function indexedText(copy: number, value: Json): string {
  if (value === null) return ''
  const tokens = new Set<string>()
  for (const text of textsIn(value)) for (const word of words(text)) tokens.add(wordToken(copy, word))
  if (typeof value === 'string') {
    const parts = hasParts(value) ? partsOf(fold(value)) : null
    if (parts === null) tokens.add(wholeToken(copy))
    else for (const part of parts) tokens.add(partToken(copy, part))
  }
  return [...tokens].join(' ')
}

// Identifiers, addresses and times are one word each and have as many parts as a title; nobody looks for their middles.
const hasParts = (text: string): boolean => text.length <= longestWithParts && text.includes(' ')

/** Every three characters in a row. */
export function partsOf(text: string): string[] {
  const characters = [...text]
  const parts: string[] = []
  for (let index = 0; index + 3 <= characters.length; index++)
    parts.push(characters[index]! + characters[index + 1]! + characters[index + 2]!)
  return parts
}
