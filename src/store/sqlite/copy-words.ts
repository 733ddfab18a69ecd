/**
 * The index of words: which records may meet a condition about text. Every token begins with the numbers of the copy and the
 * field, so that neither what other connectors hold nor what stands in other fields makes a search slower.
 */
import { fold } from '../../search/fold.ts'
import { hasParts, partsOf, wordsIn } from '../../search/word-index.ts'
import { type TokenForm, type WordedField, WordsWriter } from '../words-writer.ts'

export type { WordedField }

// Longer words are found by their beginning.
const longestToken = 64

export const wordToken = ({ copy, place }: WordedField, word: string): string => `${copy}w${place}x${cut(word)}`

/** Whether the token of a word stands for no other word. One of the full length may be the beginning of others. */
export const isWholeToken = (word: string): boolean => word.length < longestToken

export const partToken = ({ copy, place }: WordedField, part: string): string => `${copy}p${place}x${asToken(part)}`

/** Stands in the place of the parts of a text that is not indexed by them. */
export const unpartedToken = ({ copy, place }: WordedField): string => `${copy}z${place}`

/** Letters, digits and all that is not ASCII make tokens; the rest gets a private character, which is only ever compared. */
const asToken = (text: string): string => text.replace(notToken, standIn)
const notToken = /[\x00-\x2f\x3a-\x60\x7b-\x7f]/g
const standIn = (character: string): string => String.fromCharCode(0xe000 + character.charCodeAt(0))

const cut = (word: string): string => (word.length > longestToken ? word.slice(0, longestToken).toWellFormed() : word)

/** What the index is given for a text, as text that falls into the tokens again. */
export function indexedText(field: WordedField, text: string, withParts: boolean): string {
  let indexed = ''
  const word = wordToken(field, '')
  for (const found of wordsIn(text)) indexed += `${word}${cut(found)} `
  if (!withParts) return indexed
  if (!hasParts(text)) return `${indexed}${unpartedToken(field)} `
  const part = partToken(field, '')
  for (const found of new Set(partsOf(asToken(fold(text))))) indexed += `${part}${found} `
  return indexed
}

const form: TokenForm = {
  around: (field, token) => [token === 'word' ? wordToken(field, '') : partToken(field, ''), ' '],
  unparted: (field) => `${unpartedToken(field)} `,
  character: asToken,
  longestWord: longestToken,
  written: indexedText,
}

/** Writes what the index is given for a record with these fields with text. */
export const wordsWriter = (worded: readonly string[]): WordsWriter => new WordsWriter(form, worded)
