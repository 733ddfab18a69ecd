/** What hits hold. SQLite writes most of their JSON itself, faster than its values could be handed over. */
import { parseJson, stringifyJson } from '../../json.ts'
import { projection } from '../../search/project.ts'
import type { Json, Path, Query } from '../../search/query.ts'
import { type Column, type CopyTable, inDocument, textOf } from './copy-table.ts'
import type { Row } from './search-statements.ts'

export interface HitWriter {
  /** What to select, after which rows are as `write` expects them. */
  readonly columns: string
  /** The hit as JSON text. */
  write(row: Row, score: number): string
}

export const hitWriter = (table: CopyTable, { fields }: Query): HitWriter =>
  fields === null ? wholeWriter(table) : fieldsWriter(table, fields)

/** Hits with every searchable field. */
function wholeWriter(table: CopyTable): HitWriter {
  const numbers = table.scalars.filter(({ type }) => type === 'number')
  const columns = ['t._id', scalarsOf(table.scalars), 't._rest', ...numbers.map(({ column }) => `t.${column}`)]
  const write = numbersWriter(numbers)
  const hasScalars = table.scalars.length > numbers.length
  return {
    columns: columns.join(', '),
    write: (row, score) => {
      const own = hasScalars ? `${(row[1] as string).slice(1, -1)},` : ''
      const text = `{${own}${write(row, 3)}${(row[2] as string).slice(1)}`
      // Without objects and arrays a comma is left before the end.
      return hit(row, score, table.nested.length > 0 ? text : `${text.slice(0, text.lastIndexOf(','))}}`)
    },
  }
}

/** Hits with some fields, of objects and arrays perhaps only parts. */
function fieldsWriter(table: CopyTable, fields: readonly Path[]): HitWriter {
  const wanted = new Set(fields.map(([field]) => field))
  const scalars = table.scalars.filter(({ field }) => wanted.has(field))
  const numbers = scalars.filter(({ type }) => type === 'number')
  const nested = table.nested.filter((field) => wanted.has(field))
  const pick = projection(fields.filter(([field]) => nested.includes(field)))
  const columns = [
    't._id',
    scalarsOf(scalars),
    ...numbers.map(({ column }) => `t.${column}`),
    ...nested.map((field) => inDocument(field)),
  ]
  const write = numbersWriter(numbers)
  const rest = (row: Row): string => {
    const values = nested.map((field, place) => [field, parsed(row[2 + numbers.length + place])])
    return stringifyJson(pick(Object.fromEntries(values) as Record<string, Json>))
  }
  return {
    columns: columns.join(', '),
    write: (row, score) => hit(row, score, merged([row[1] as string, `{${write(row, 2).slice(0, -1)}}`, rest(row)])),
  }
}

const parsed = (text: unknown): Json => (text === null ? null : (parseJson(text as string) as Json))

/** An object of the columns as JSON, without numbers: SQLite writes 10 as 10.0. */
function scalarsOf(columns: readonly Column[]): string {
  const parts = columns.flatMap(({ field, type, column }) => {
    if (type === 'number') return []
    const value = `t.${column}`
    const written =
      type === 'boolean' ? `json(case ${value} when 1 then 'true' when 0 then 'false' else 'null' end)` : value
    return [textOf(field), written]
  })
  return `json_object(${parts.join(', ')})`
}

/** Writes numbers with their names, which stand in a row from the given place on, each with a comma behind it. */
function numbersWriter(columns: readonly Column[]): (row: Row, from: number) => string {
  const names = columns.map(({ field }) => `${JSON.stringify(field)}:`)
  return (row, from) => {
    let text = ''
    for (const [place, name] of names.entries()) text += `${name}${row[from + place] ?? 'null'},`
    return text
  }
}

/** One object of several, all as JSON. */
const merged = (objects: readonly string[]): string =>
  `{${objects
    .filter((object) => object !== '{}')
    .map((object) => object.slice(1, -1))
    .join()}}`

const hit = (row: Row, score: number, data: string): string =>
  `{"id":${JSON.stringify(row[0])},"score":${score},"data":${data}}`
