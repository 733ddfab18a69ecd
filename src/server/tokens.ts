/** Signs and verifies tokens. Any node with the keys can do both without a query to the database. */
import { SignJWT } from 'jose/jwt/sign'
import { jwtVerify } from 'jose/jwt/verify'
import { clocksDifferMs } from '../clocks.ts'
import { ConexError } from '../errors.ts'
import { rawRequestScope } from '../service/raw-request.ts'
import type { Key } from '../service/sealing.ts'
import type { Tenant } from '../store/tenant.ts'

/** The caller that a token identifies. An end user of null means an organization-wide token. */
export interface Caller extends Tenant {
  readonly clientId: string
  /** Whether the token allows requests of the caller's own to systems. */
  readonly rawRequests: boolean
}

export interface IssuedToken {
  readonly token: string
  /** Seconds. */
  readonly expiresIn: number
}

export interface Tokens {
  /**
   * Issues a token: 15 minutes for an organization, 20 for one end user. With a resource, it is for this address alone.
   */
  issue(caller: Caller, resource?: string): Promise<IssuedToken>
  /**
   * The caller that a token identifies; `unauthenticated` if it is malformed, expired or foreign. Tokens for this
   * resource alone are accepted too.
   */
  verify(token: string, resource?: string): Promise<Caller>
}

const issuer = 'conex'
const audience = 'conex'
const algorithm = 'HS256'
const organizationSeconds = 15 * 60
const endUserSeconds = 20 * 60

/** Tokens with several keys: the first signs and all verify, so that keys can be rotated without downtime. */
export function createTokens(keys: readonly Key[], now: () => number): Tokens {
  const [first] = keys
  if (first === undefined) throw new Error('At least one token key is needed.')
  const byId = new Map(keys.map((key) => [key.id, key]))
  // Programs send the same token with every request, and verifying its signature each time would cost more than the
  // request.
  const verified = new Map<string, Verified>()

  return {
    async issue({ clientId, organizationId, externalUserId, rawRequests }, resource = audience) {
      const expiresIn = externalUserId === null ? organizationSeconds : endUserSeconds
      const issuedAt = Math.floor(now() / 1000)
      const token = await new SignJWT({
        org: organizationId,
        ...(externalUserId !== null && { user: externalUserId }),
        ...(rawRequests && { scope: rawRequestScope }),
      })
        .setProtectedHeader({ alg: algorithm, kid: first.id, typ: 'JWT' })
        .setIssuer(issuer)
        .setAudience(resource)
        .setSubject(clientId)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + expiresIn)
        .sign(first.secret)
      return { token, expiresIn }
    },

    async verify(token, resource = audience) {
      const known = verified.get(token)
      if (known !== undefined) {
        if (known.expiresAt > now() && [audience, resource].includes(known.audience)) return known.caller
        if (known.expiresAt <= now()) verified.delete(token)
        throw invalidToken()
      }
      const checked = await check(token, [audience, resource])
      if (verified.size >= mostRemembered) verified.delete(verified.keys().next().value!)
      verified.set(token, checked)
      return checked.caller
    },
  }

  async function check(token: string, audiences: string[]): Promise<Verified> {
    try {
      const { payload } = await jwtVerify(
        token,
        ({ kid }) => {
          const key = byId.get(kid ?? '')
          if (key === undefined) throw invalidToken()
          return key.secret
        },
        {
          algorithms: [algorithm],
          issuer,
          audience: audiences,
          currentDate: new Date(now()),
          requiredClaims: ['exp', 'sub', 'org'],
        },
      )
      const { sub, org, user, scope, aud, exp, iat = 0 } = payload
      // A token from a clock that was ahead would be valid for longer than any token may be.
      if (iat * 1000 > now() + clocksDifferMs) throw invalidToken()
      if (typeof sub !== 'string' || typeof org !== 'string') throw invalidToken()
      // A claim with the wrong type must not turn an end user's token into an organization-wide one.
      if (user !== undefined && (typeof user !== 'string' || user === '')) throw invalidToken()
      return {
        caller: {
          clientId: sub,
          organizationId: org,
          externalUserId: user ?? null,
          rawRequests: scope === rawRequestScope,
        },
        audience: aud as string,
        expiresAt: exp! * 1000,
      }
    } catch (error) {
      throw error instanceof ConexError ? error : invalidToken()
    }
  }
}

interface Verified {
  readonly caller: Caller
  readonly audience: string
  readonly expiresAt: number
}

const mostRemembered = 10_000

const invalidToken = (): ConexError =>
  new ConexError('unauthenticated', 'The token is malformed, expired or from another service; get a new one.')
