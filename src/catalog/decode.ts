/** Checks a request against its declared type. */
import type { Static, TObject, TSchema } from 'typebox'
import { asSentence, ConexError, type Issue } from '../errors.ts'
import { checkOf } from './check.ts'

/** The value as the schema's type; a 422 that lists every fault if it does not match. */
export function decode<S extends TSchema>(schema: S, value: unknown): Static<S> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidRequest([{ path: '', message: 'must be a JSON object' }])
  const issues = checkOf(schema, '')(value)
  if (issues.length > 0) throw invalidRequest(issues)
  return value as Static<S>
}

/** The parameters of a query as the schema's type. In a URL, all of them are text. */
export function decodeQuery<S extends TObject>(schema: S, query: unknown): Static<S> {
  const types = schema.properties as Readonly<Record<string, { readonly type?: string }>>
  const given = Object.entries(query as object).map(([name, value]) => {
    const type = Object.hasOwn(types, name) ? types[name]!.type : undefined
    return [name, typeof value === 'string' ? fromText(type, value) : value]
  })
  return decode(schema, Object.fromEntries(given))
}

function fromText(type: string | undefined, text: string): unknown {
  if (type === 'integer' && /^[0-9]{1,15}$/.test(text)) return Number(text)
  if (type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true'
  return text
}

/** The 422 for a request with these faults. */
export function invalidRequest(issues: readonly [Issue, ...Issue[]] | readonly Issue[]): ConexError {
  const [first] = issues
  const where = first === undefined || first.path === '' ? 'The request' : `"${first.path.slice(1)}"`
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more; see errors)` : ''
  const detail = asSentence(`${where} ${first?.message ?? 'does not fit'}${more}`)
  return new ConexError('invalid_request', detail, { issues })
}
