/** Values made from a declared schema: some that fit it, and all sorts that do not. */
import Schema from 'typebox/schema'

interface Shape {
  readonly type?: string
  readonly anyOf?: readonly Shape[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly items?: Shape
  readonly additionalProperties?: boolean
  readonly minimum?: number
  readonly maximum?: number
}

const texts = ['1', 'me', 'text', '{', '2026-01-01', '2026-01-01T00:00:00Z', 'bytes=5-1', 'bytes=-0', '']
const values: readonly unknown[] = [null, true, 0, -1, 7.5, 1e9, '', '\u0000', '../x', 'text', [], [7.5], {}, { a: 1 }]

const fits = (schema: Shape, value: unknown): boolean => Schema.Check(schema as never, value)

/** Values that fit the schema; an object comes empty, with each key alone, and whole at the end. */
export const samples = (schema: object): unknown[] => candidates(schema).filter((value) => fits(schema, value))

function candidates(shape: Shape): unknown[] {
  if (shape.anyOf !== undefined) return shape.anyOf.flatMap(candidates)
  if (shape.const !== undefined) return [shape.const]
  if (shape.enum !== undefined) return [...shape.enum]
  switch (shape.type) {
    case 'string':
      return texts
    case 'integer':
    case 'number':
      return [shape.minimum ?? 1, ...(shape.maximum === undefined ? [] : [shape.maximum])]
    case 'boolean':
      return [true, false]
    case 'array':
      return shape.items === undefined ? [[1], []] : [...samples(shape.items).map((item) => [item]), []]
    case 'object':
      return objects(shape)
    default:
      return [null]
  }
}

function objects({ properties = {} }: Shape): object[] {
  const parts = Object.entries(properties).map(([name, part]) => [name, samples(part)] as const)
  const alone = parts.flatMap(([name, some]) => some.map((value) => ({ [name]: value })))
  return [{}, ...alone, Object.fromEntries(parts.map(([name, some]) => [name, some[0]]))]
}

/** Something that does not fit, and where in the params that shows. */
export interface Unfit {
  readonly params: object
  readonly path: string
}

/** The params with one value at a time replaced by what its schema refuses: wrong types, and what is out of bounds. */
export const unfit = (schema: object, params: Readonly<Record<string, unknown>>): Unfit[] =>
  Object.entries((schema as Shape).properties ?? {}).flatMap(([name, property]) =>
    unfitValues(property, params[name]).map(({ value, path }) => ({
      params: { ...params, [name]: value },
      path: `/${name}${path}`,
    })),
  )

/** What does not fit the schema, whole or in one of its parts, with the place of the fault. */
function unfitValues(shape: Shape, value: unknown): { readonly value: unknown; readonly path: string }[] {
  const { type, items } = shape
  const whole = values.filter((one) => !fits(shape, one))
  if (type === 'array' && items !== undefined)
    return [
      ...whole.filter((one) => !Array.isArray(one)).map((one) => ({ value: one, path: '' })),
      ...unfitValues(items, undefined).map((one) => ({ value: [one.value], path: `/0${one.path}` })),
    ]
  if (type === 'object') {
    const object = isObject(value) ? value : {}
    const closed = shape.additionalProperties === false
    return [
      ...whole.filter((one) => !isObject(one)).map((one) => ({ value: one, path: '' })),
      ...unfit(shape, object).map(({ params, path }) => ({ value: params, path })),
      ...(closed ? [{ value: { ...object, madeUp: 1 }, path: '/madeUp' }] : []),
    ]
  }
  return whole.map((one) => ({ value: one, path: '' }))
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Params around an example, each of which fits the schema: without one, with one more or other, with two. */
export function* variants(schema: object, example: Readonly<Record<string, unknown>>): Generator<object> {
  const { properties = {}, required = [] } = schema as Shape
  const changes = Object.entries(properties).flatMap(([name, property]) => [
    ...(required.includes(name) ? [] : [[name, undefined] as const]),
    ...samples(property).map((value) => [name, value] as const),
  ])
  const changed = (params: object, [name, value]: readonly [string, unknown]): object => {
    const { [name]: _, ...others } = params as Record<string, unknown>
    return value === undefined ? others : { ...others, [name]: value }
  }
  for (const change of changes) yield changed(example, change)
  for (const one of changes) for (const other of changes) yield changed(changed(example, one), other)
}
