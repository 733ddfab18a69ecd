/**
 * The index of words: which records may meet a condition about text. Every token begins with the numbers of the copy and the
 * field, so that neither what other connectors hold nor what stands in other fields makes a search slower.
 */
import type { SearchRecord } from '../../search/query.ts'
import { type IndexedField, recordTokens, type TokenForm } from '../search/record-tokens.ts'

// Longer words are found by their beginning.
const longestToken = 64

const cut = (word: string): string => (word.length > longestToken ? word.slice(0, longestToken).toWellFormed() : word)

const wordToken = ({ copy, place }: IndexedField, word: string): string => `${copy}w${place}x${cut(word)}`

export const tokenForm: TokenForm = {
  word: wordToken,
  beginning: wordToken,
  part: ({ copy, place }, part) => `${copy}p${place}x${asToken(part)}`,
  /** Stands in the place of the parts of a text that is not indexed by them. */
  unparted: ({ copy, place }) => `${copy}z${place}`,
}

/** Whether the token of a word stands for no other word. One of the full length may be the beginning of others. */
export const isWholeToken = (word: string): boolean => word.length < longestToken

/** Letters, digits and all characters beyond ASCII form tokens; the rest become a private character, which is only compared. */
const asToken = (text: string): string => text.replace(notToken, standIn)
const notToken = /[\x00-\x2f\x3a-\x60\x7b-\x7f]/g
const standIn = (character: string): string => String.fromCharCode(0xe000 + character.charCodeAt(0))

/** What the index is given for a record with these fields with text, which falls into the tokens again. */
export const indexedText = (worded: readonly string[], copy: number, data: SearchRecord['data']): string =>
  recordTokens(tokenForm, worded, copy, data).join(' ')
