/** The tokens by which an index of words leads to a record. */
import { textsIn } from '../../search/evaluate.ts'
import { fold, words } from '../../search/fold.ts'
import type { SearchRecord } from '../../search/query.ts'
import { hasParts, partsOf } from '../../search/word-index.ts'
import type { WordWanted } from '../../search/word-question.ts'

/** A field of a copy. */
export interface IndexedField {
  /** The copy's number. */
  readonly copy: number
  /** Its place among the fields that the index knows. */
  readonly place: number
}

/** How a database writes a token of each kind. */
export type TokenForm = Readonly<Record<WordWanted['op'], (field: IndexedField, text: string) => string>>

/** The tokens of a record with these fields. One that comes twice is given twice, which databases pass over sooner than a set would. */
export function recordTokens(
  form: TokenForm,
  fields: readonly string[],
  copy: number,
  data: SearchRecord['data'],
): string[] {
  const tokens: string[] = []
  for (const [place, name] of fields.entries()) {
    const field = { copy, place }
    const value = data[name] ?? null
    for (const text of textsIn(value)) for (const word of words(text)) tokens.push(form.word(field, word))
    if (typeof value !== 'string' || value === '') continue
    if (!hasParts(value)) tokens.push(form.unparted(field, ''))
    else for (const part of partsOf(fold(value))) tokens.push(form.part(field, part))
  }
  return tokens
}
