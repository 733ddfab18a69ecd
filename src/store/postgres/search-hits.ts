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

/** The record that a row holds; with these fields alone, all of which have columns, where only they are of interest. */
export function recordOf(table: CopyTable, row: Row, of: ReadonlySet<string> | null = null): SearchRecord {
  const data: Record<string, Json> = {}
  for (const [place, { field, type }] of table.scalars.entries()) {
    if (of !== null && !of.has(field)) continue
    const value = row[place + before] as Json
    data[field] = type === 'integer' && value !== null ? wholeNumber(value as string) : value
  }
  if (of === null && table.nested.length > 0) Object.assign(data, parseJson(restOf(table, row)))
  return { id: row[0] as string, data }
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
  const columns = table.scalars.map(({ field, type }, place) => ({
    name: `${place === 0 ? '' : ','}${JSON.stringify(field)}:`,
    isInteger: type === 'integer',
  }))
  return (row, score) => {
    let data = ''
    let place = before
    for (const { name, isInteger } of columns) {
      const value = row[place++]
      data += name
      data += value === null || isInteger ? value : JSON.stringify(value)
    }
    // The document is JSON already: it goes into the hit as it is.
    const rest = restOf(table, row).slice(1, -1)
    return hit(row[0] as string, score, `{${data}${data !== '' && rest !== '' ? ',' : ''}${rest}}`)
  }
}

const hit = (id: string, score: number, data: string): string =>
  `{"id":${JSON.stringify(id)},"score":${score},"data":${data}}`
