/** Gives a request its declared type, or says what is wrong with it. */
import type { Static, TSchema } from 'typebox'
import { checkOf } from '../catalog/check.ts'
import { asSentence, ConexError, type Issue } from '../errors.ts'

/** The value as the schema's type; a 422 that lists every fault when it does not fit. */
export function decode<S extends TSchema>(schema: S, value: unknown): Static<S> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidRequest([{ path: '', message: 'has to be a JSON object' }])
  const issues = checkOf(schema, '')(value)
  if (issues.length > 0) throw invalidRequest(issues)
  return value as Static<S>
}

/** The 422 for a request with these faults. */
export function invalidRequest(issues: readonly [Issue, ...Issue[]] | readonly Issue[]): ConexError {
  const [first] = issues
  const where = first === undefined || first.path === '' ? 'The request' : `"${first.path.slice(1)}"`
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more; see errors)` : ''
  const detail = asSentence(`${where} ${first?.message ?? 'does not fit'}${more}`)
  return new ConexError('invalid_request', detail, { issues })
}
