/** Reads the body of a form, as browsers and OAuth send it. */
import { ConexError } from '../errors.ts'

/** Every name may stand once; an empty value counts as none (RFC 6749, 3.2). */
export function readForm(body: Buffer): Readonly<Record<string, string>> {
  const fields = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(body.toString('utf8'))) {
    if (fields.has(name)) throw new ConexError('invalid_request', 'The form has a field twice; send each field once.')
    fields.set(name, value)
  }
  return Object.fromEntries([...fields].filter(([name, value]) => value !== '' && name !== '__proto__'))
}
