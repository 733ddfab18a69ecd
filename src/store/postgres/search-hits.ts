/** Turns rows into hits: as JSON text for the caller, as records for what SQL cannot say. */
import { parseJson, stringifyJson } from '../../json.ts'
import { projection } from '../../search/project.ts'
import type { Json, Query, SearchRecord } from '../../search/query.ts'
import type { CopyTable } from './copy-table.ts'
import { decodeJson } from './text-code.ts'

/** A row as the statement below selects it, with its whole numbers as text. */
export type Row = readonly unknown[]

/** What to select. */
export const hitColumns = ({ scalars }: CopyTable): string =>
  ['t._id', 't._whole', ...scalars.map(({ column }) => `t.${column}`), 't._rest::text'].join(', ')

const before = 2

/** Whether the record has all its words in the index. */
export const isWholeRow = (row: Row): boolean => row[1] as boolean

/** The record that a row holds. */
export function recordOf(table: CopyTable, row: Row): SearchRecord {
  const scalars = table.scalars.map(({ field, type }, place) => {
    const value = row[place + before] as Json
    return [field, type === 'integer' && value !== null ? wholeNumber(value as string) : value]
  })
  const rest = table.nested.length === 0 ? {} : (parseJson(restOf(table, row)) as Record<string, Json>)
  return { id: row[0] as string, data: { ...Object.fromEntries(scalars), ...rest } }
}

const wholeNumber = (digits: string): number | bigint => {
  const number = Number(digits)
  return Number.isSafeInteger(number) ? number : BigInt(digits)
}

const restOf = ({ scalars }: CopyTable, row: Row): string => decodeJson(row[scalars.length + before] as string)

/** Makes the function that writes a row and its score as a hit. */
export function hitWriter(table: CopyTable, query: Query): (row: Row, score: number) => string {
  if (query.fields !== null) {
    const pick = projection(query.fields)
    return (row, score) => hit(row[0] as string, score, stringifyJson(pick(recordOf(table, row).data)))
  }
  const columns = table.scalars.map(({ field, type }) => ({ name: `${JSON.stringify(field)}:`, type }))
  return (row, score) => {
    const parts = columns.map(({ name, type }, place) => {
      const value = row[place + before]
      return name + (type === 'integer' ? (value ?? 'null') : JSON.stringify(value))
    })
    // The document is JSON already: it goes into the hit as it is.
    const rest = restOf(table, row).slice(1, -1)
    if (rest !== '') parts.push(rest)
    return hit(row[0] as string, score, `{${parts.join()}}`)
  }
}

const hit = (id: string, score: number, data: string): string =>
  `{"id":${JSON.stringify(id)},"score":${score},"data":${data}}`
