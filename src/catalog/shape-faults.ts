/** The faults of a value against a shape, with their places as programs write them: `entities.tasks.list.path`. */
import type { TSchema } from 'typebox'
import type { Issue } from '../errors.ts'
import { checkOf } from './check.ts'

/** A fault at a place of the declaration. */
export const fault = (path: string, message: string): Issue => ({ path, message })

/** The place of a field. */
export const inside = (place: string, name: string): string => (place === '' ? name : `${place}.${name}`)

/** The faults against a shape; if there are none, those of values that must be functions. */
export function shapeFaults(schema: TSchema, value: unknown, place: string): Issue[] {
  const faults = checkOf(
    schema,
    '',
  )(value).map(({ path, message }) =>
    fault([place, ...path.split('/').slice(1)].filter((name) => name !== '').join('.'), message),
  )
  return faults.length > 0 ? faults : functionFaults(schema as Shape, value, place)
}

interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
  readonly 'x-function'?: true
}

function functionFaults(shape: Shape, value: unknown, place: string): Issue[] {
  if (value === undefined) return []
  if (shape['x-function']) return typeof value === 'function' ? [] : [fault(place, 'must be a function')]
  if (shape.items !== undefined)
    return (value as unknown[]).flatMap((item, index) => functionFaults(shape.items!, item, inside(place, `${index}`)))
  return Object.entries(shape.properties ?? {}).flatMap(([name, inner]) =>
    functionFaults(inner, (value as Readonly<Record<string, unknown>>)[name], inside(place, name)),
  )
}

/** A value by its own name; undefined for any other name. */
export const ownValue = <T>(values: Readonly<Record<string, T>>, name: unknown): T | undefined =>
  typeof name === 'string' && Object.hasOwn(values, name) ? values[name] : undefined

/** The names in a list of alternatives, for messages. */
export const namesOf = (values: object): string => Object.keys(values).join(', ')
