/** What hits hold. SQLite writes most of their JSON itself, faster than its values could be handed over. */
import { parseJson, stringifyJson } from '../../json.ts'
import { projection } from '../../search/project.ts'
import type { Json, Path } from '../../search/query.ts'
import { type Column, type CopyTable, inDocument, textOf } from './copy-table.ts'
import type { Row, SearchStatements } from './search-statements.ts'

export interface HitWriter {
  /** What to select of a hit; `t` stands for the table. */
  readonly columns: string
  /** The hit of a row as JSON text; null where SQLite writes all of it as the only column. */
  readonly write: ((row: Row) => string) | null
}

/** Writes hits with these fields (null for all that can be searched) and the score that an expression gives. */
export function hitWriter(table: CopyTable, fields: readonly Path[] | null, score: string): HitWriter {
  const isNumber = ({ type }: Column) => type === 'number'
  if (fields === null)
    return table.scalars.some(isNumber) ? wholeWriter(table, score) : written(score, wholeData(table))
  const wanted = [...new Set(fields.map(([field]) => field))]
  const columns = wanted.flatMap((field) => table.columns.get(field) ?? [])
  if (columns.some(isNumber) || fields.some((path) => path.length > 1)) return fieldsWriter(table, fields, score)
  return written(score, `json_object(${wanted.map((field) => named(table, field)).join(', ')})`)
}

/** The hits of the records, which have to be in the copy, in JSON with commas between them. As bytes they go to another thread without being copied. */
export function writeHits(
  statements: SearchStatements,
  table: CopyTable,
  { columns, write }: HitWriter,
  records: readonly number[],
): Uint8Array<ArrayBuffer> {
  if (records.length === 0) return new Uint8Array()
  // A cross join reads in the order of the list.
  const from = `from json_each(?) as chosen cross join ${table.name} as t on t._record = chosen.value`
  const chosen = [`[${records.join()}]`]
  if (write !== null) return utf8.encode(statements.all(`select ${columns} ${from}`, chosen).map(write).join())
  return statements.first(
    `select cast(group_concat(${columns}) as blob) ${from}`,
    chosen,
  )![0] as Uint8Array<ArrayBuffer>
}

const utf8 = new TextEncoder()

const written = (score: string, data: string): HitWriter => ({
  columns: `concat('{"id":', json_quote(t._id), ',"score":', ${score}, ',"data":', ${data}, '}')`,
  write: null,
})

/** All fields as texts that make the JSON of an object: the document is one already, and gets the columns put before what is in it. */
function wholeData(table: CopyTable): string {
  let data = wholes.get(table)
  if (data === undefined) {
    const own = scalarsOf(table.scalars)
    // An older node, which knows of no objects and arrays yet, writes empty documents.
    const comma = `case t._rest when '{}' then '' else ',' end`
    data = table.nested.length === 0 ? own : `rtrim(${own}, '}'), ${comma}, ltrim(t._rest, '{')`
    if (table.scalars.length === 0) data = 't._rest'
    wholes.set(table, data)
  }
  return data
}

/** Most searches ask for whole hits, and writing the expression takes longer than finding a record. */
const wholes = new WeakMap<CopyTable, string>()

/** The same where some are numbers: SQLite writes 10 as 10.0. */
function wholeWriter(table: CopyTable, score: string): HitWriter {
  const numbers = table.scalars.filter(({ type }) => type === 'number')
  const columns = ['t._id', score, scalarsOf(table.scalars), 't._rest', ...numbers.map(({ column }) => `t.${column}`)]
  const write = numbersWriter(numbers)
  return {
    columns: columns.join(', '),
    write: (row) => hit(row, merged([row[2] as string, `{${write(row, 4).slice(0, -1)}}`, row[3] as string])),
  }
}

/** Hits with some fields, of objects and arrays perhaps only parts. */
function fieldsWriter(table: CopyTable, fields: readonly Path[], score: string): HitWriter {
  const wanted = new Set(fields.map(([field]) => field))
  const scalars = table.scalars.filter(({ field }) => wanted.has(field))
  const numbers = scalars.filter(({ type }) => type === 'number')
  const nested = table.nested.filter((field) => wanted.has(field))
  const pick = projection(fields.filter(([field]) => nested.includes(field)))
  const columns = [
    't._id',
    score,
    scalarsOf(scalars),
    ...numbers.map(({ column }) => `t.${column}`),
    ...nested.map((field) => inDocument(field)),
  ]
  const write = numbersWriter(numbers)
  const rest = (row: Row): string => {
    const values = nested.map((field, place) => [field, parsed(row[3 + numbers.length + place])])
    return stringifyJson(pick(Object.fromEntries(values) as Record<string, Json>))
  }
  return {
    columns: columns.join(', '),
    write: (row) => hit(row, merged([row[2] as string, `{${write(row, 3).slice(0, -1)}}`, rest(row)])),
  }
}

const parsed = (text: unknown): Json => (text === null ? null : (parseJson(text as string) as Json))

/** An object of the columns as JSON, without numbers. */
const scalarsOf = (columns: readonly Column[]): string =>
  `json_object(${columns.flatMap((column) => (column.type === 'number' ? [] : [scalar(column)])).join(', ')})`

const scalar = ({ field, type, column }: Column): string =>
  type === 'boolean'
    ? `${textOf(field)}, case t.${column} when 1 then json('true') when 0 then json('false') end`
    : `${textOf(field)}, t.${column}`

/** A field as an entry of an object in JSON. */
function named({ columns }: CopyTable, field: string): string {
  const column = columns.get(field)
  return column === undefined ? `${textOf(field)}, ${inDocument(field)}` : scalar(column)
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

const hit = ([id, score]: Row, data: string): string => `{"id":${JSON.stringify(id)},"score":${score},"data":${data}}`
