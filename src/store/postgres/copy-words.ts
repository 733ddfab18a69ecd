/**
 * The words of a record, as tokens that an index leads from. Every token begins with the number of the copy, so that what
 * one connector holds makes no search of another slower; then comes the field's place among the entity's fields.
 */
import { createHash } from 'node:crypto'
import type { Searchable, SearchRecord } from '../../search/query.ts'
import { type IndexedField, recordTokens, type TokenForm } from '../search/record-tokens.ts'

/** The part of a word that is its token; a hash of the whole tells longer ones apart. */
const longestToken = 64

/** PostgreSQL takes a megabyte of tokens for one record; one with more has none, and is looked at itself. */
const mostBytes = 400_000

export const tokenForm: TokenForm = {
  word: (field, word) =>
    word.length <= longestToken
      ? `${start(field)}w${word}`
      : `${longBeginning(field, word)}${createHash('sha256').update(word).digest('base64url')}`,
  /** What the tokens of all words begin with that begin like this one; and of some that do not, where it is a long one. */
  beginning: (field, word) => (word.length <= longestToken ? `${start(field)}w${word}` : longBeginning(field, word)),
  /** U+0000 cannot be kept. */
  part: (field, part) => `${start(field)}p${part.replaceAll('\0', '\x01')}`,
  /** Stands in the place of the parts of a text that is not kept by them. */
  unparted: (field) => `${start(field)}x`,
}

const start = ({ copy, place }: IndexedField): string => `${copy}.${place}`

const longBeginning = (field: IndexedField, word: string): string =>
  `${start(field)}w${word.slice(0, longestToken).toWellFormed()}#`

/** Stands in the place of all tokens of a record that has too many. */
export const overflowToken = (copy: number): string => `${copy}!`

/** The tokens of a record, and whether it has them all. */
export interface RecordWords {
  readonly tokens: readonly string[]
  readonly whole: boolean
}

export function wordsOf(searchable: Searchable, copy: number, data: SearchRecord['data']): RecordWords {
  const tokens = recordTokens(tokenForm, Object.keys(searchable), copy, data)
  const areFew = (some: readonly string[]): boolean => Buffer.byteLength(some.join('')) <= mostBytes
  if (areFew(tokens)) return { tokens, whole: true }
  const different = [...new Set(tokens)]
  return areFew(different) ? { tokens: different, whole: true } : { tokens: [overflowToken(copy)], whole: false }
}

/** Tokens as the database reads them. None holds U+0000, so that all are quoted at once. */
export const quotedTokens = (tokens: readonly string[]): string =>
  tokens.length === 0 ? '' : quotedToken(tokens.join('\0')).replaceAll('\0', "' '")

/** A token as it is written among others, and in questions. */
export const quotedToken = (token: string): string => `'${token.replace(/['\\]/g, '$&$&')}'`
