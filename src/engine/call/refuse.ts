/** Turns what a third-party system refused into the one error that the caller sees. */
import type { Credentials } from '../../catalog/authorization.ts'
import type { Connector } from '../../catalog/connector.ts'
import type { Refusal, UpstreamAnswer } from '../../catalog/refusal.ts'
import { refusalText } from '../../catalog/refusal-text.ts'
import { ConexError, type UpstreamComplaint } from '../../errors.ts'

/** What an answer means: the kind's own reading first, else what its status says. Null when it is not a refusal. */
export function refusalOf(connector: Connector, answer: UpstreamAnswer): Refusal | null {
  const refusal = connector.readRefusal(answer) ?? refusalByStatus(answer.status)
  if (refusal === null || refusal.message) return refusal
  const message = refusalText(answer)
  return message === '' ? refusal : { ...refusal, message }
}

function refusalByStatus(status: number): Refusal | null {
  if (status >= 200 && status < 300) return null
  if (status < 400) return { code: 'upstream_error', message: 'unexpected redirect' }
  switch (status) {
    case 401:
      return { code: 'reauthorization_required' }
    case 402:
      return { code: 'upstream_plan_required' }
    case 403:
    case 451:
      return { code: 'upstream_forbidden' }
    case 404:
      return { code: 'record_not_found' }
    case 429:
      return { code: 'upstream_rate_limited', transient: true }
    case 502:
    case 503:
    case 504:
      return { code: 'upstream_error', transient: true }
    default:
      return { code: status >= 500 ? 'upstream_error' : 'upstream_refused' }
  }
}

/** The error for a refusal, without the secrets. `waitSeconds` is what the system asked to wait, where it did. */
export function refusalError(
  connector: Connector,
  status: number,
  refusal: Refusal,
  secrets: Credentials,
  waitSeconds: number | undefined,
): ConexError {
  const message = refusal.message === undefined ? null : scrub(refusal.message, secrets)
  const code = refusal.upstreamCode === undefined ? null : scrub(refusal.upstreamCode, secrets)
  const upstream: UpstreamComplaint = { status, code, message }
  const said = message === null || message === '' ? '' : ` It said: ${message}`
  return new ConexError(refusal.code, (refusal.detail ?? detailOf(connector.title, status, refusal)) + said, {
    upstream,
    ...(waitSeconds === undefined ? {} : { retryAfter: waitSeconds }),
  })
}

function detailOf(system: string, status: number, { code }: Refusal): string {
  switch (code) {
    case 'reauthorization_required':
      return `${system} rejects the credentials of this connector; give it new ones or have its user consent again.`
    case 'upstream_forbidden':
      return `${system} does not let these credentials read this; ask for the permission there, or use other credentials.`
    case 'upstream_plan_required':
      return `${system} offers this on a paid plan only; upgrade the account there, or read the same data another way.`
    case 'record_not_found':
      return `${system} has no such record, or does not show it to these credentials; check the id.`
    case 'upstream_rate_limited':
      return `${system} asks to slow down; repeat the call after the time in retry_after.`
    case 'invalid_cursor':
      return `${system} no longer knows this page token; start again from the first page.`
    case 'upstream_refused':
      return `${system} refuses the request; change the params as it asks.`
    default:
      return `${system} failed with status ${status}; repeat the call later.`
  }
}

/** The longest complaint that is passed on. */
const longest = 500

/** Of a longer one this much is looked at: looking through megabytes would hold up everybody else. */
const longestRead = 16 * 1024

/** How secrets may be written in an echo, the longest first: one secret can be the beginning of another. */
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
 * The value of a parameter whose name says that it is a credential, whoever's: `access_token=…`, `"client_secret": "…"`,
 * also percent-encoded or in JSON within a text. What may be a plain word as well counts only before `=` or in quotes.
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

/** A system's words, fit for a caller: no secret that it echoed, no control characters, not endless. */
export function scrub(text: string, credentials: Credentials): string {
  const forms = writtenForms(Object.values(credentials))
  let safe = text.slice(0, longestRead).toWellFormed()
  for (const form of forms) safe = safe.replaceAll(form, '•••')
  // The first part of a secret may stand where the text was cut.
  if (text.length > longestRead) safe = safe.slice(0, Math.max(0, safe.length - (forms[0]?.length ?? 0)))
  safe = safe.replaceAll(/(bearer|basic)\s+[^\s"',;]{8,}/gi, '$1 •••')
  safe = safe.replaceAll(credentialValue, '$<name>•••')
  safe = safe.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()
  return safe.length > longest ? `${safe.slice(0, longest).toWellFormed()}…` : safe
}
