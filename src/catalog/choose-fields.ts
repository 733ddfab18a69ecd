/** The record fields that a caller chooses, by paths with dots: their schema, and the records with only these fields. */
import Type from 'typebox'
import { optional } from './fields.ts'

const paths = (description: string) =>
  optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
      description,
      maxItems: 200,
      'x-form': 'a list of up to 200 paths such as "assignee.name"',
    }),
  )

/** Given beside the params of a list, a get or a search. */
export const fieldChoiceSchema = Type.Object(
  {
    select_fields: paths(
      'Returns only these fields, as paths with dots; fields that a record lacks are ignored. Overrides exclude_fields.',
    ),
    exclude_fields: paths('Leaves out these fields, as paths with dots.'),
  },
  { additionalProperties: false },
)

/** The fields of records to return, and those to leave out; an empty list chooses nothing. */
export interface FieldChoice {
  readonly select_fields?: readonly string[] | undefined
  readonly exclude_fields?: readonly string[] | undefined
}

/** Changes one record. */
export type Shaper = (record: unknown) => unknown

/** Keeps the chosen fields of a record; null if the caller chose none. */
export function chooserOf({ select_fields: select = [], exclude_fields: exclude = [] }: FieldChoice): Shaper | null {
  const chosen = select.length > 0 ? select : exclude
  if (chosen.length === 0) return null
  const node = nodeOf(chosen)
  const change = select.length > 0 ? picked : without
  return (record) => within(record, (fields) => change(fields, node))
}

type Fields = Readonly<Record<string, unknown>>

/** Paths by their first name. A field's own name may contain dots, so whole paths come first. */
interface Node {
  readonly whole: ReadonlySet<string>
  readonly inner: ReadonlyMap<string, Node>
}

function nodeOf(paths: readonly string[]): Node {
  const inner = Map.groupBy(
    paths.filter((path) => path.includes('.')),
    (path) => path.slice(0, path.indexOf('.')),
  )
  return {
    whole: new Set(paths),
    inner: new Map([...inner].map(([name, some]) => [name, nodeOf(some.map((path) => path.slice(name.length + 1)))])),
  }
}

/** Changes an object, or each object of an array; undefined if there is none. */
function within(value: unknown, change: (fields: Fields) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => within(item, change)).filter((item) => item !== undefined)
  return typeof value === 'object' && value !== null ? change(value as Fields) : undefined
}

function picked(fields: Fields, { whole, inner }: Node): Fields {
  const found = Object.entries(fields).flatMap(([name, value]): [string, unknown][] => {
    if (whole.has(name)) return [[name, value]]
    const node = inner.get(name)
    if (node === undefined) return []
    const part = within(value, (object) => {
      const some = picked(object, node)
      return Object.keys(some).length === 0 ? undefined : some
    })
    return part === undefined ? [] : [[name, part]]
  })
  return Object.fromEntries(found)
}

function without(fields: Fields, { whole, inner }: Node): Fields {
  const left = Object.entries(fields)
    .filter(([name]) => !whole.has(name))
    .map(([name, value]): [string, unknown] => {
      const node = inner.get(name)
      return [name, node === undefined ? value : lessIn(value, node)]
    })
  return Object.fromEntries(left)
}

function lessIn(value: unknown, node: Node): unknown {
  if (Array.isArray(value)) return value.map((item) => lessIn(item, node))
  return typeof value === 'object' && value !== null ? without(value as Fields, node) : value
}
