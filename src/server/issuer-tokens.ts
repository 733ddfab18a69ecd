/**
 * Tokens of the operator's own identity provider: JWTs that it signs for an end user. Its keys are found through its
 * metadata, and kept for ten minutes.
 */
import { decodeProtectedHeader } from 'jose/decode/protected_header'
import { JOSEError, JWKSInvalid, JWKSTimeout } from 'jose/errors'
import { createRemoteJWKSet, customFetch } from 'jose/jwks/remote'
import { jwtVerify } from 'jose/jwt/verify'
import Type from 'typebox'
import { checkOf } from '../catalog/check.ts'
import { clocksDifferMs } from '../clocks.ts'
import { ConexError } from '../errors.ts'
import { nameText } from '../service/aliases.ts'
import { isId } from '../service/new-id.ts'
import type { Service } from '../service/service.ts'
import { errorFields } from './logger.ts'
import type { Caller } from './tokens.ts'

export interface IssuerSettings {
  /** As its tokens have it, letter for letter. */
  readonly issuer: string
  readonly audience: () => string
  readonly userClaim: string
  /** Null if the service has a single organization. */
  readonly organizationClaim: string | null
  /** The scopes that a token needs, with spaces between them; null for none. */
  readonly scopes: string | null
}

export interface IssuerTokens {
  /** Whether a token has the form of one; says nothing about its worth. */
  mayBe(token: string): boolean
  verify(token: string): Promise<Caller>
}

/** With a shared secret, this server could sign tokens itself, and Conex's own tokens are of that kind. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

type Keys = ReturnType<typeof createRemoteJWKSet>
type JWTPayload = Awaited<ReturnType<typeof jwtVerify>>['payload']

export function issuerTokens(
  { engine, store, now, log }: Pick<Service, 'engine' | 'store' | 'now' | 'log'>,
  settings: IssuerSettings,
): IssuerTokens {
  const { issuer, audience, userClaim, organizationClaim, scopes } = settings
  let found: Promise<Keys> | null = null

  /** A failure is kept for a while, so that refused tokens do not make the server ask again and again. */
  function keys(): Promise<Keys> {
    if (found === null) {
      const asked = findKeys()
      found = asked
      asked.catch(() => {
        setTimeout(() => {
          found = null
        }, failureKeptMs).unref()
      })
    }
    return found
  }

  async function findKeys(): Promise<Keys> {
    for (const url of metadataAddresses(issuer)) {
      const { status, value } = await engine.readDocument(url, AbortSignal.timeout(longestWaitMs))
      if (status === 404) continue
      const { issuer: named, jwks_uri } = (value ?? {}) as Readonly<Record<string, unknown>>
      if (status !== 200 || typeof jwks_uri !== 'string' || !URL.canParse(jwks_uri))
        throw new Error(`The metadata at ${url} name no jwks_uri.`)
      if (named !== issuer) throw new Error(`The metadata at ${url} are those of another issuer than ${issuer}.`)
      return createRemoteJWKSet(new URL(jwks_uri), {
        timeoutDuration: longestWaitMs,
        async [customFetch](address, { signal }) {
          const { status, value } = await engine.readDocument(new URL(address), signal)
          return Response.json(value ?? null, { status })
        },
      })
    }
    throw new Error(`There are no metadata of ${issuer}.`)
  }

  /** The payload of a token that the issuer signed for this server, and that has not ended. */
  async function payloadOf(token: string): Promise<JWTPayload> {
    try {
      const { payload } = await jwtVerify(token, await keys(), {
        algorithms,
        issuer,
        audience: audience(),
        currentDate: new Date(now()),
        clockTolerance: clocksDifferMs / 1000,
        requiredClaims: ['exp'],
      })
      return payload
    } catch (error) {
      if (isOfToken(error))
        throw new ConexError(
          'unauthenticated',
          'The token is malformed, expired, or not one of the identity provider for this service; get a new one.',
        )
      log.warn({ issuer, ...errorFields(error) }, 'the keys of the identity provider could not be read')
      throw new ConexError('upstream_error', 'The identity provider cannot be asked for its keys; try again later.')
    }
  }

  async function organizationOf(payload: JWTPayload): Promise<string> {
    if (organizationClaim !== null) {
      const named = payload[organizationClaim]
      const id = typeof named === 'string' && isId(named) ? named.toLowerCase() : null
      if (id !== null && (await store.organizations.exists(id))) return id
      throw new ConexError('forbidden', `The claim ${organizationClaim} of the token names no organization of Conex.`)
    }
    const [only, ...others] = await store.organizations.list()
    if (only !== undefined && others.length === 0) return only.id
    throw new ConexError(
      'forbidden',
      'The token says nothing about an organization, and there are several; the operator must set CONEX_MCP_ORGANIZATION_CLAIM.',
    )
  }

  return {
    mayBe(token) {
      try {
        return algorithms.includes(decodeProtectedHeader(token).alg ?? '')
      } catch {
        return false
      }
    },

    async verify(token) {
      const payload = await payloadOf(token)
      const missing = scopes !== null && !hasScopes(payload, scopes)
      if (missing)
        throw new ConexError('forbidden', `The token needs the scope ${scopes}; ask for it.`, { missingScope: scopes })
      const user = payload[userClaim]
      if (!isName(user))
        throw new ConexError('unauthenticated', `The claim ${userClaim} of the token names no end user.`)
      return {
        clientId: [payload.client_id, payload.azp].find(isName) ?? issuer,
        organizationId: await organizationOf(payload),
        externalUserId: user,
        rawRequests: false,
      }
    },
  }
}

const longestWaitMs = 5_000
const failureKeptMs = 10_000

const faultsOfName = checkOf(Type.Object({ name: nameText('') }), '')
const isName = (name: unknown): name is string => faultsOfName({ name }).length === 0

/** Providers write scopes as a text (RFC 9068), or as a list under this or another name. */
function hasScopes({ scope, scp }: JWTPayload, needed: string): boolean {
  const given = [scope ?? scp ?? []].flat().flatMap((one) => String(one).split(' '))
  return needed.split(' ').every((one) => given.includes(one))
}

/** Where an issuer publishes metadata (OpenID Connect Discovery 1.0, section 4; RFC 8414, section 3). */
function metadataAddresses(issuer: string): URL[] {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')
  return [
    new URL(`${origin}${path}/.well-known/openid-configuration`),
    new URL(`${origin}/.well-known/oauth-authorization-server${path}`),
  ]
}

/** Whether a token is at fault, and not what it is checked with. */
const isOfToken = (error: unknown): boolean =>
  error instanceof JOSEError &&
  !(error instanceof JWKSTimeout || error instanceof JWKSInvalid || error.code === JOSEError.code)
