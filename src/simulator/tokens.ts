/** Tokens of a simulated system: issued for a grant, renewed, revoked, and ended by the clock. */
import { createHash } from 'node:crypto'
import type { Clock } from './clock.ts'

export interface Issued {
  readonly accessToken: string
  /** Null for a token that does not expire. */
  readonly refreshToken: string | null
}

export type EndedToken = 'unknown' | 'revoked' | 'expired'

export interface Tokens<Grant> {
  /** Valid for so many seconds; null: until revoked, without a refresh token. */
  issue(grant: Grant, seconds: number | null): Issued
  find(token: string): { readonly grant: Grant; readonly ends: number } | EndedToken
  /** A new access token for a refresh token, which stays valid unless it rotates; undefined if it is not valid. */
  refresh(
    refreshToken: string,
    seconds: number | null,
    rotates: boolean,
  ): (Issued & { readonly grant: Grant }) | undefined
  /** The grant of a refresh token that is valid. */
  grantOf(refreshToken: string): Grant | undefined
  /** When an access token that is not revoked ends, or ended, in milliseconds since 1970. */
  endOf(token: string): number | undefined
  /** Ends an access token, or a refresh token with all access tokens of its grant, unless it ends alone. */
  revoke(token: string, alone?: boolean): void
  /** Ends all access tokens. */
  revokeAll(): void
  /** Lets all access tokens that can expire do so now. */
  expireAll(): void
}

/** `write` makes the nth token; it must not depend on the time, so that the same seed gives the same credentials. */
export function createTokens<Grant>(
  clock: Clock,
  write: (kind: 'access' | 'refresh', number: number, grant: Grant, expires: boolean) => string,
): Tokens<Grant> {
  const access = new Map<string, { readonly grant: Grant; readonly ends: number }>()
  const refreshing = new Map<string, Grant>()
  const revoked = new Set<string>()
  let count = 0

  function issueWith(grant: Grant, seconds: number | null, refreshToken: string | null): Issued {
    const accessToken = write('access', count, grant, seconds !== null)
    access.set(accessToken, { grant, ends: seconds === null ? Number.POSITIVE_INFINITY : clock.now() + seconds * 1000 })
    return { accessToken, refreshToken }
  }

  function newRefreshToken(grant: Grant): string {
    const refreshToken = write('refresh', count, grant, true)
    refreshing.set(refreshToken, grant)
    return refreshToken
  }

  function revoke(token: string, alone = false): void {
    const grant = refreshing.get(token)
    refreshing.delete(token)
    if (grant !== undefined && !alone) for (const [other, known] of access) if (known.grant === grant) revoke(other)
    access.delete(token)
    revoked.add(token)
  }

  return {
    issue(grant, seconds) {
      count += 1
      return issueWith(grant, seconds, seconds === null ? null : newRefreshToken(grant))
    },
    find(token) {
      const known = access.get(token)
      if (known === undefined) return revoked.has(token) ? 'revoked' : 'unknown'
      return clock.now() >= known.ends ? 'expired' : known
    },
    refresh(refreshToken, seconds, rotates) {
      const grant = refreshing.get(refreshToken)
      if (grant === undefined) return undefined
      count += 1
      if (rotates) refreshing.delete(refreshToken)
      return { grant, ...issueWith(grant, seconds, rotates ? newRefreshToken(grant) : refreshToken) }
    },
    grantOf: (refreshToken) => refreshing.get(refreshToken),
    endOf: (token) => access.get(token)?.ends,
    revoke,
    revokeAll() {
      for (const token of [...access.keys()]) revoke(token)
    },
    expireAll() {
      for (const [token, known] of access)
        if (Number.isFinite(known.ends)) access.set(token, { ...known, ends: clock.now() })
    },
  }
}

/** Texts that look random and follow from the seed, for the tokens and secrets of a system. */
export const secretsOf =
  (seed: number, system: string) =>
  (of: string, length = 32): string =>
    createHash('sha256').update(`${system} ${seed} ${of}`).digest('hex').slice(0, length)
