/** Rules for pasted secrets. Every entry point applies them, so that none accepts a secret that no call can use. */

/** Whether it can be sent in a header unchanged. */
export const fitsHeader = (secret: string): boolean => /^[\x21-\x7e]+$/.test(secret)

/** In characters. Servers refuse headers with a longer secret. */
export const longestSecret = 16_384

/** Describes the fault of a trimmed secret without repeating it; null if it is usable. */
export function secretFault(secret: string): string | null {
  if (/^(["'`]).*\1$/s.test(secret)) return 'must be the secret without quotation marks around it'
  const fault = pastedFault(secret)
  if (fault !== null) return fault
  if (!fitsHeader(secret)) return 'must be ASCII text without spaces, line breaks or control characters inside'
  return lengthFault(secret)
}

/** The same for a value that may contain spaces. */
export function plainFault(value: string): string | null {
  const fault = pastedFault(value)
  if (fault !== null) return fault
  if (!/^[\x20-\x7e]*$/.test(value)) return 'must be ASCII text without line breaks or control characters'
  return lengthFault(value)
}

function pastedFault(value: string): string | null {
  if (placeholder.test(value)) return 'is a placeholder; replace it with the value'
  const scheme = /^(?:authorization:\s*)?(bearer|basic)\s/i.exec(value)?.[1]
  return scheme === undefined ? null : `must be sent without "${scheme}" in front of it`
}

const lengthFault = (value: string): string | null =>
  value.length > longestSecret ? `must have at most ${longestSecret} characters` : null

/** `<paste token here>`, `${TOKEN}`, `$TOKEN`, `{{ token }}`, `%TOKEN%`, `your-token`, `…`. */
const placeholder = /^<.*>$|^\$\{.*\}$|^\$[A-Z_]+$|^\{\{.*\}\}$|^%\w+%$|^your[-_ ]|^(?:…|\.{3,}|[*•]+|x{3,})$/is
