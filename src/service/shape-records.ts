/** Shapes records for a caller: keeps some of their fields, or truncates long texts. */
import { setImmediate as breath } from 'node:timers/promises'
import Type, { type Static } from 'typebox'
import { boolean, optional } from '../catalog/fields.ts'

const paths = (description: string) =>
  optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
      description,
      maxItems: 200,
      'x-form': 'a list of up to 200 paths such as "assignee.name"',
    }),
  )

export const shapeFields = {
  select_fields: paths(
    'Returns only these fields, as paths with dots; fields that a record lacks are ignored. Overrides exclude_fields.',
  ),
  exclude_fields: paths('Leaves out these fields, as paths with dots.'),
  skip_truncation: optional(
    boolean('false cuts texts of more than 200 characters in lists and searches; by default they are complete.'),
  ),
}
export type Shape = Partial<Static<Type.TObject<typeof shapeFields>>>

type Fields = Readonly<Record<string, unknown>>

/** Changes one record. */
export type Shaper = (record: unknown) => unknown

/** How to change the records of an action; null if they stay unchanged. */
export function shaperOf(shape: Shape, action: string, hasGet: boolean): Shaper | null {
  const { select_fields: select, exclude_fields: exclude } = shape
  const steps: Shaper[] = []
  if (select !== undefined && select.length > 0) {
    const node = nodeOf(select)
    steps.push((record) => within(record, (fields) => picked(fields, node)))
  } else if (exclude !== undefined && exclude.length > 0) {
    const node = nodeOf(exclude)
    steps.push((record) => within(record, (fields) => without(fields, node)))
  }
  if (shape.skip_truncation === false && action !== 'get') {
    const note = `… [cut; ${hasGet ? 'get' : 'skip_truncation: true'} returns all of it]`
    steps.push((record) => cut(record, note))
  }
  return steps.length === 0 ? null : (record) => steps.reduce((value, step) => step(value), record)
}

/** Shapes all records, and lets other work run in between. */
export async function shapeAll(records: readonly unknown[], shape: Shaper): Promise<unknown[]> {
  const shaped: unknown[] = []
  for (const record of records) {
    if (shaped.length % 50 === 49) await breath()
    shaped.push(shape(record))
  }
  return shaped
}

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

const longest = 200

function cut(value: unknown, note: string): unknown {
  if (typeof value === 'string')
    return value.length > longest ? value.slice(0, longest).replace(/[\ud800-\udbff]$/, '') + note : value
  if (Array.isArray(value)) return value.map((item) => cut(item, note))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, cut(part, note)]))
}
