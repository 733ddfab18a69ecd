/** Date-times of callers as the systems read them: RFC 3339 allows small letters for `T` and `Z`, and the systems do not. */
import type { TSchema } from 'typebox'
import type { Params } from './rules.ts'

interface Shape {
  readonly format?: string
  readonly anyOf?: readonly Shape[]
  readonly properties?: Readonly<Record<string, Shape>>
}

/** The checked params, with their date-times in capital letters. */
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

/** A day with a `t` behind it, or a time with a `z`; of other texts that may stand in its place, none looks like that. */
const small = /^\d{4}-\d\d-\d\d(?:t|T.*z)/
