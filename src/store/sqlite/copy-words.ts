/**
 * The index of words: which records may meet a condition about text. It narrows, and the condition itself decides, so that
 * the index may say yes too often but never no. Every token begins with the numbers of the copy and the field, so that
 * neither what other connectors hold nor what stands in other fields makes a search slower.
 */
import { textsIn } from '../../search/evaluate.ts'
import { fold, words } from '../../search/fold.ts'
import type { Json } from '../../search/query.ts'

// Longer words are found by their beginning.
const longestToken = 64

/** The longest text of which parts of words are indexed: names and titles, not bodies. */
const longestWithParts = 128

/** A field of a copy. */
export interface WordedField {
  readonly copy: number
  /** Its place among the fields with text. */
  readonly place: number
}

export const wordToken = ({ copy, place }: WordedField, word: string): string => `${copy}w${place}x${cut(word)}`

/** Stands in the place of the parts of a text that is not indexed by them. */
export const wholeToken = ({ copy, place }: WordedField): string => `${copy}z${place}`

/** Every three characters in a row of a folded text, as tokens. */
export function partTokens({ copy, place }: WordedField, folded: string): string[] {
  // Letters, digits and all that is not ASCII make tokens; the rest gets a private character, which is only ever compared.
  const text = folded.replace(notToken, standIn)
  const start = `${copy}p${place}x`
  const tokens: string[] = []
  for (let at = 0; ; ) {
    const second = at + width(text, at)
    const third = second + width(text, second)
    const end = third + width(text, third)
    if (end > text.length || third >= text.length) return tokens
    tokens.push(start + text.slice(at, end))
    at = second
  }
}

const width = (text: string, at: number): number => ((text.charCodeAt(at) & 0xfc00) === 0xd800 ? 2 : 1)

const notToken = /[\x00-\x2f\x3a-\x60\x7b-\x7f]/g
const standIn = (character: string): string => String.fromCharCode(0xe000 + character.charCodeAt(0))

const cut = (word: string): string => (word.length > longestToken ? word.slice(0, longestToken).toWellFormed() : word)

/** What the index is given for a value, as text that falls into the tokens again. */
export function indexedText(field: WordedField, value: Json): string {
  if (value === null || value === '') return ''
  const tokens = new Set<string>()
  for (const text of textsIn(value)) for (const word of words(text)) tokens.add(wordToken(field, word))
  if (typeof value === 'string') {
    if (!hasParts(value)) tokens.add(wholeToken(field))
    else for (const token of partTokens(field, fold(value))) tokens.add(token)
  }
  let text = ''
  for (const token of tokens) text += `${token} `
  return text
}

// Identifiers, addresses and times are one word each and have as many parts as a title; nobody looks for their middles.
const hasParts = (text: string): boolean => text.length <= longestWithParts && text.includes(' ')
