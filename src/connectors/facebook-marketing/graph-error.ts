/** The envelope of Graph's errors. */

export interface GraphError {
  readonly code: number | null
  readonly subcode: number | null
  readonly message: string
  /** Meta says that a repeat can help; without it, nothing is known. */
  readonly isTransient: boolean
  /** For the caller: the message, its text for users, and the trace that Meta's support asks for. */
  readonly told: string
}

/** Reads `{"error": {"message", "type", "code", "error_subcode"?, …}}`; null if the body contains no error. */
export function readGraphError(body: unknown): GraphError | null {
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, 'error')) return null
  const { error: given } = body as { error: unknown }
  const error: unknown = Array.isArray(given) ? given[0] : given
  if (typeof error === 'string') return { code: null, subcode: null, message: error, isTransient: false, told: error }
  if (typeof error !== 'object' || error === null) return null
  const fields = error as Record<string, unknown>
  const message = textOf(fields.message)
  const subcode = numberOf(fields.error_subcode)
  const user = textOf(fields.error_user_msg)
  const trace = textOf(fields.fbtrace_id)
  const notes = [subcode === null ? '' : `subcode ${subcode}`, trace === '' ? '' : `trace ${trace}`].filter(Boolean)
  const told = [message, user === message ? '' : user, notes.length === 0 ? '' : `(${notes.join(', ')})`]
  return {
    code: numberOf(fields.code),
    subcode,
    message,
    isTransient: fields.is_transient === true,
    told: told.filter(Boolean).join(' '),
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isInteger(number) ? number : null
}
