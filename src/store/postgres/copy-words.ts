/**
 * The words of a record, as tokens that an index leads from. Every token begins with the number of the copy, so that what
 * one connector holds makes no search of another slower; then comes the field's place among the entity's fields.
 */
import { createHash } from 'node:crypto'
import { fold } from '../../search/fold.ts'
import type { Json, Searchable } from '../../search/query.ts'
import { hasParts, partsOf, wordsIn } from '../../search/word-index.ts'
import { type TokenForm, WordsWriter } from '../words-writer.ts'
import { encodeText } from './text-code.ts'

/** The part of a word that is its token; a hash of the whole tells longer ones apart. */
export const longestToken = 64

/** PostgreSQL takes a megabyte of tokens for one record; one with more has none, and is looked at itself. */
const mostBytes = 400_000

/** Where a field's tokens begin. */
export const fieldToken = (copy: number, place: number): string => `${copy}.${place}`

export function wordToken(field: string, word: string): string {
  if (word.length <= longestToken) return `${field}w${word}`
  return `${wordBeginning(field, word)}${createHash('sha256').update(word).digest('base64url')}`
}

/** What the tokens of all words begin with that begin like this one; and of some that do not, where it is a long one. */
export function wordBeginning(field: string, word: string): string {
  if (word.length <= longestToken) return `${field}w${word}`
  return `${field}w${word.slice(0, longestToken).toWellFormed()}#`
}

/** Stands in the place of the parts of a text that is not kept by them. */
export const unpartedToken = (field: string): string => `${field}x`

/** Stands in the place of all tokens of a record that has too many. */
export const overflowToken = (copy: number): string => `${copy}!`

/** Three characters in a row. U+0000 cannot be kept. */
export const partToken = (field: string, part: string): string => `${field}p${part.replaceAll('\0', '\x01')}`

/** The tokens of a record as the database reads them. */
export function wordsOf(searchable: Searchable, copy: number, data: Readonly<Record<string, Json>>): string {
  const tokens = new Set<string>()
  let bytes = 0
  for (const [place, field] of Object.keys(searchable).entries())
    for (const token of tokensOf(fieldToken(copy, place), data[field] ?? null)) {
      if (tokens.has(token)) continue
      tokens.add(token)
      bytes += Buffer.byteLength(token)
      if (bytes > mostBytes) return quotedToken(overflowToken(copy))
    }
  return [...tokens].map(quotedToken).join(' ')
}

function* tokensOf(field: string, value: Json): Generator<string> {
  if (typeof value !== 'string' && (typeof value !== 'object' || value === null)) return
  for (const word of wordsIn(value)) yield wordToken(field, word)
  if (typeof value !== 'string' || value === '') return
  if (!hasParts(value)) yield unpartedToken(field)
  else for (const part of partsOf(fold(value))) yield partToken(field, part)
}

const form: TokenForm = {
  around: ({ copy, place }, token) =>
    token === 'word'
      ? [wordToken(fieldToken(copy, place), ''), ' ']
      : [`'${partToken(fieldToken(copy, place), '')}`, "' "],
  unparted: ({ copy, place }) => `${unpartedToken(fieldToken(copy, place))} `,
  character: (character) => (/[\0\x01]/.test(character) ? null : quotedToken(character).slice(1, -1)),
  longestWord: longestToken,
  written({ copy, place }, text, withParts) {
    const tokens = tokensOf(fieldToken(copy, place), withParts ? text : [text])
    return encodeText(`${[...tokens].map(quotedToken).join(' ')} `)
  },
}

/** The tokens of a record, and whether it has them all. */
export interface RecordWords {
  readonly text: Buffer
  readonly whole: boolean
}

/** Gives the tokens of records with these fields, as the database reads them, in UTF-8; valid until the next record is read. */
export function wordsWriter(
  searchable: Searchable,
): (copy: number, data: Readonly<Record<string, Json>>) => RecordWords {
  const writer = new WordsWriter(form, Object.keys(searchable))
  return (copy, data) => {
    const text = writer.write(copy, data)
    if (text.length <= mostBytes) return { text, whole: true }
    // Some of them are there twice, so that it takes the slower way to know.
    const words = wordsOf(searchable, copy, data)
    return { text: Buffer.from(encodeText(words)), whole: isWhole(copy, words) }
  }
}

/** Whether the record with these tokens has them all. */
export const isWhole = (copy: number, tokens: string): boolean => tokens !== quotedToken(overflowToken(copy))

/** A token as it is written among others, and in questions. */
export const quotedToken = (token: string): string => `'${token.replace(/['\\]/g, '$&$&')}'`
