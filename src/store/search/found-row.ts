/** Rows that a search found: what the hits hold as JSON, and what has to be seen of them here. */
import { parseJson, stringifyJson } from '../../json.ts'
import { projection } from '../../search/project.ts'
import type { Json, Path, Query, SearchRecord } from '../../search/query.ts'
import type { Row, SearchDialect } from './dialect.ts'

export interface FoundRow {
  readonly id: string
  /** The fields of the hit, as the text of a JSON object. */
  readonly data: string
  /** What was asked to be seen of it. */
  record(): SearchRecord
}

export interface ScoredRow extends FoundRow {
  readonly score: number
}

/** What to select of a row, and how to read it. */
export interface RowReader {
  readonly columns: string
  read(row: Row): FoundRow
}

/** Reads what hits with these fields hold, null for all, and lets the fields `seen` be seen. */
export function rowReader(dialect: SearchDialect, fields: readonly Path[] | null, seen: readonly string[]): RowReader {
  const { searchable } = dialect.table
  const held = fields === null ? Object.keys(searchable) : [...new Set(fields.map(([field]) => field))]
  const data = dialect.fields(held)
  const others = [...new Set(seen)].some((field) => !held.includes(field)) ? dialect.fields([...new Set(seen)]) : null
  const numbers = seen.filter((field) => searchable[field] === 'number')
  return {
    columns: [...data.columns, ...(others?.columns ?? [])].map((column) => `, ${column}`).join(''),
    read([id, ...selected]) {
      let record: SearchRecord | null = null
      return {
        id: id as string,
        data: data.json(selected),
        record() {
          if (record !== null) return record
          const text = others === null ? this.data : others.json(selected.slice(data.columns.length))
          const values = parseJson(text) as Record<string, Json>
          // They are doubles, whatever they look like.
          for (const field of numbers) if (values[field] !== null) values[field] = Number(values[field])
          record = { id: id as string, data: values }
          return record
        },
      }
    },
  }
}

/** Writes rows as the hits of a query. */
export function hitWriter({ fields }: Query): (row: ScoredRow) => string {
  const pick = fields?.some(({ length }) => length > 1) ? projection(fields) : null
  return ({ id, score, data }) => {
    const picked = pick === null ? data : stringifyJson(pick(parseJson(data) as Record<string, Json>))
    return `{"id":${JSON.stringify(id)},"score":${score},"data":${picked}}`
  }
}
