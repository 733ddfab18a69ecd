/** Rewrites callers' date-times for systems: RFC 3339 allows lower-case `t` and `z`, but the systems do not. */
import type { TSchema } from 'typebox'
import type { Params } from './rules.ts'

interface Shape {
  readonly format?: string
  readonly anyOf?: readonly Shape[]
  readonly properties?: Readonly<Record<string, Shape>>
}

/** The checked params, with upper-case date-times. */
export const normalizeTimes = (schema: TSchema, params: Params): Params => plain(schema as Shape, params) as Params

function plain(shape: Shape, value: unknown): unknown {
  if (typeof value === 'string') return isTime(shape) && small.test(value) ? value.toUpperCase() : value
  if (shape.properties === undefined || typeof value !== 'object' || value === null) return value
  let changed: Record<string, unknown> | null = null
  for (const [name, given] of Object.entries(value)) {
    const property = Object.hasOwn(shape.properties, name) ? shape.properties[name] : undefined
    if (property === undefined) continue
    const written = plain(property, given)
    if (written === given) continue
    changed ??= { ...value }
    changed[name] = written
  }
  return changed ?? value
}

const isTime = ({ format, anyOf }: Shape): boolean => format === 'date-time' || (anyOf?.some(isTime) ?? false)

/**
 * A date followed by `t`, or a time followed by `z`. Other texts that are allowed in the same place never look like
 * this.
 */
const small = /^\d{4}-\d\d-\d\d(?:t|T.*z)/
