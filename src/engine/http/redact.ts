/** Removes secrets from a system's messages. */
import type { Credentials } from '../../catalog/authorization.ts'

/** The longest message that Conex passes on. */
const longest = 500

/** Reads only this much of a longer message: megabytes would delay all other requests. */
const longestRead = 16 * 1024

/** The forms in which a system may echo secrets, the longest first: one secret can be the beginning of another. */
export function writtenForms(secrets: readonly string[]): string[] {
  return secrets
    .filter((secret) => secret.length >= 4)
    .flatMap((secret) => {
      const escaped = [
        encodeURIComponent(secret.toWellFormed()),
        new URLSearchParams([['', secret]]).toString().slice(1),
      ]
      const base64 = Buffer.from(secret).toString('base64')
      return [secret, ...escaped, ...escaped.map(lowerEscapes), base64, base64.replace(/=+$/, ''), base64url(secret)]
    })
    .sort((a, b) => b.length - a.length)
}

const base64url = (text: string): string => Buffer.from(text).toString('base64url')

/** Percent-escapes may be written in either case (RFC 3986, 2.1). */
const lowerEscapes = (text: string): string => text.replaceAll(/%../g, (escaped) => escaped.toLowerCase())

/**
 * The value of a parameter whose name marks it as a credential, of any caller: `access_token=…`, `"client_secret":
 * "…"`, also percent-encoded or in JSON within a text. A name that can be a plain word counts only before `=` or in
 * quotes.
 */
const credentialValue = (() => {
  const ending =
    'token|secret|passwo?r?d|passphrase|signature|proof|(?:api|access|private)[_-]?key|credentials?|assertion|cookie|jwt'
  const whole = 'code|code[_-]verifier|key|auth|authorization|sig|sid|pin|otp'
  const name = `(?<![a-z0-9])(?:[a-z0-9_.-]{0,40}?(?:${ending})|${whole})`
  const quoted = String.raw`\\?["']\s*[:=]`
  const strong = String.raw`(?<=_token|_secret|_proof|password|api_?key)\s*:`
  const value = String.raw`(?:(?!%26|%22|\\["'])[^\s&"'<>;,)}\]])+`
  return new RegExp(String.raw`(?<name>${name}(?:${quoted}|=|%3d|${strong})\s*\\?["']?)${value}`, 'gi')
})()

/** The text without what looks like a credential, of anybody. Params whose names begin like these are kept. */
export const withoutCredentials = (text: string, kept: RegExp = /(?!)/): string =>
  text
    .replaceAll(/(bearer|basic)\s+[^\s"',;]{8,}/gi, '$1 •••')
    .replaceAll(credentialValue, (all, name: string) => (kept.test(name) ? all : `${name}•••`))

/** A system's message for a caller: without echoed secrets and control characters, and of bounded length. */
export function redact(text: string, credentials: Credentials): string {
  const forms = writtenForms(Object.values(credentials))
  let safe = text.slice(0, longestRead).toWellFormed()
  for (const form of forms) safe = safe.replaceAll(form, '•••')
  // The cut text may end with the beginning of a secret.
  if (text.length > longestRead) safe = safe.slice(0, Math.max(0, safe.length - (forms[0]?.length ?? 0)))
  safe = withoutCredentials(safe)
  safe = safe.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()
  return safe.length > longest ? `${safe.slice(0, longest).toWellFormed()}…` : safe
}
