/** What decides how an operation takes an answer. */
import type { Operation } from '../catalog/operation.ts'

/** Operations of the same form fail alike: they differ in their paths, params and fields, and an answer that is none has no fields. */
export function formOf(operation: Operation): string {
  const { description: _, path: __, params, select, scopes, rules, ...rest } = operation
  const { record: ___, ...form } = { record: null, ...rest }
  const names = operation.path.includes('{') || Object.keys(params.properties).length > 0
  return JSON.stringify([names, form], (_key, value: unknown) => (typeof value === 'function' ? String(value) : value))
}
