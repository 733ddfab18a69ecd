/** The codes of a consent page. Each works once, for a while, and only with the right PKCE verifier. */
import { createHash } from 'node:crypto'
import type { Clock } from './clock.ts'

export interface GivenCode {
  readonly redirectUri: string
  /** The SHA-256 of the verifier (RFC 7636, S256); undefined if none was announced. */
  readonly challenge: string | undefined
  readonly scopes: readonly string[]
}

export interface Codes {
  keep(code: string, given: GivenCode): void
  /** Returns the data of the code, and uses it up. */
  take(code: string): GivenCode | undefined
  proves(given: GivenCode, verifier: string | undefined): boolean
}

export function createCodes(clock: Clock, life: number): Codes {
  const codes = new Map<string, GivenCode & { readonly ends: number }>()
  return {
    keep(code, given) {
      codes.set(code, { ...given, ends: clock.now() + life })
    },
    take(code) {
      const given = codes.get(code)
      codes.delete(code)
      return given === undefined || clock.now() > given.ends ? undefined : given
    },
    proves: ({ challenge }, verifier = '') =>
      challenge === undefined || createHash('sha256').update(verifier).digest('base64url') === challenge,
  }
}
