/** Turns rows into hits: as JSON text for the caller, as records for the cursor. */
import { parseJson, stringifyJson } from '../../json.ts'
import { projection } from '../../search/project.ts'
import type { Json, Query, SearchRecord } from '../../search/query.ts'
import type { CopyTable } from './copy-table.ts'

/** A row, its integers as bigints. */
export type Row = readonly unknown[]

export interface HitWriter {
  /** What to select, after which rows are as the functions below expect them. */
  readonly columns: string
  /** The hit as JSON text. */
  write(row: Row, score: number): string
  record(row: Row): SearchRecord
}

export function hitWriter(table: CopyTable, query: Query): HitWriter {
  const { scalars } = table
  const columns = ['t._id', ...scalars.map(({ column }) => `t.${column}`), 't._rest'].join(', ')
  const booleans = scalars.map(({ type }) => type === 'boolean')
  const pick = projection(query.fields)
  const value = (row: Row, place: number): Json => {
    const stored = row[place + 1]
    if (typeof stored !== 'bigint') return stored as Json
    if (booleans[place]) return stored === 1n
    const number = Number(stored)
    return Number.isSafeInteger(number) ? number : stored
  }
  const record = (row: Row): SearchRecord => {
    const rest = table.nested.length === 0 ? {} : (parseJson(row.at(-1) as string) as Record<string, Json>)
    const scalar = scalars.map(({ field }, place) => [field, value(row, place)])
    return { id: row[0] as string, data: { ...Object.fromEntries(scalar), ...rest } }
  }
  return {
    columns,
    record,
    write(row, score) {
      if (query.fields !== null) return hit(row[0] as string, score, stringifyJson(pick(record(row).data)))
      const rest = row.at(-1) as string
      const own: Record<string, Json> = {}
      for (const [place, { field }] of scalars.entries()) own[field] = value(row, place)
      const text = stringifyJson(own)
      // The document is JSON already: it goes into the hit as it is.
      if (rest === '{}') return hit(row[0] as string, score, text)
      return hit(row[0] as string, score, text === '{}' ? rest : `${text.slice(0, -1)},${rest.slice(1)}`)
    },
  }
}

const hit = (id: string, score: number, data: string): string =>
  `{"id":${JSON.stringify(id)},"score":${score},"data":${data}}`
