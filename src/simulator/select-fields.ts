/** Field selection: a record with only the fields that a call names. */
import { type FieldSelection, readSelection } from './field-tables.ts'

type Json = Readonly<Record<string, unknown>>

/** The named fields that the record has; `a.b` selects inside objects, and inside each object of a list. */
export const selectFields = (record: Json, paths: readonly string[]): Json => select(record, readSelection(paths))

function select(record: Json, selection: FieldSelection): Json {
  const named = [...selection].filter(([name]) => Object.hasOwn(record, name))
  return Object.fromEntries(named.map(([name, inner]) => [name, narrow(record[name], inner)]))
}

function narrow(value: unknown, selection: FieldSelection): unknown {
  if (selection.size === 0 || typeof value !== 'object' || value === null) return value
  return Array.isArray(value) ? value.map((one) => narrow(one, selection)) : select(value as Json, selection)
}
