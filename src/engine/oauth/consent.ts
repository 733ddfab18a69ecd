/** The two ends of a consent: the address to send a browser to, and the code that it brings back (RFC 6749, 4.1). */
import { createHash, randomBytes } from 'node:crypto'
import type { AuthMethod, Credentials } from '../../catalog/authorization.ts'
import type { Connector } from '../../catalog/connector.ts'
import type { Consent } from '../../catalog/consent.ts'
import { ConexError } from '../../errors.ts'
import type { PlatformApplication } from '../settings.ts'
import { applicationRefused, askToken, systemAddress, type TokenContext } from './token-endpoint.ts'

/** An auth method that a person can give in a browser. */
export type ConsentMethod = AuthMethod & { readonly consent: Consent }

export interface ConsentRequest {
  readonly clientId: string
  /** Where the system sends the browser back to. */
  readonly redirectUri: string
  readonly state: string
  /** The secret behind the proof; null where the system checks none. */
  readonly verifier: string | null
}

/** What a browser brought back, with what its consent was begun with. */
export interface Redemption extends Pick<ConsentRequest, 'redirectUri' | 'verifier'> {
  readonly code: string
  readonly application: PlatformApplication
}

/** The method of a kind that a person can give in a browser, or null when there is none. */
export const consentMethod = (connector: Connector): ConsentMethod | null =>
  connector.authMethods.find((method): method is ConsentMethod => method.consent !== undefined) ?? null

/** A secret to prove with, where the system checks a proof. 32 bytes are what RFC 7636, 4.1 recommends. */
export const newVerifier = ({ pkce }: Consent): string | null => (pkce ? randomBytes(32).toString('base64url') : null)

/** The address that asks a person for consent. */
export function consentAddress(
  connector: Connector,
  { consent }: ConsentMethod,
  baseUrl: string | undefined,
  { clientId, redirectUri, state, verifier }: ConsentRequest,
): string {
  const url = systemAddress(consent.consentAddress, connector, baseUrl)
  const asked = {
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: consent.scopes.join(consent.scopeSeparator),
    state,
    ...(verifier !== null && { code_challenge: challengeOf(verifier), code_challenge_method: 'S256' }),
    ...consent.parameters,
  }
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value)
  // Every reader of queries knows %20 as a space, not all know the plus sign.
  url.search = url.search.replaceAll('+', '%20')
  return url.href
}

const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url')

/** The credentials that a code stands for, with the id of the application that can renew them. */
export async function redeemCode(
  context: TokenContext,
  { code, redirectUri, verifier, application }: Redemption,
): Promise<Credentials> {
  const { connector } = context
  const method = consentMethod(connector)
  if (method === null) throw new Error(`There is no consent for ${connector.kind}.`)
  const { consent, authorization } = method
  const ask = (form: Readonly<Record<string, string>>): Promise<Credentials> =>
    askToken(context, method, {
      endpoint: consent,
      application,
      form,
      purpose: 'give a token for the consent',
      refused: (about, upstream) =>
        about === 'application'
          ? applicationRefused(connector, upstream)
          : new ConexError(
              'upstream_refused',
              `${connector.title} does not accept the code of this consent; let the end user consent again.`,
              { upstream },
            ),
    })
  const credentials = await ask({
    grant_type: 'authorization_code',
    code,
    // Some want it here even when the application identifies itself in a header.
    client_id: application.clientId,
    redirect_uri: redirectUri,
    ...(verifier !== null && { code_verifier: verifier }),
  })
  if (consent.exchange === undefined || authorization.style !== 'bearer') return credentials
  const { grantType, token } = consent.exchange
  return ask({ grant_type: grantType, [token]: credentials[authorization.token]! })
}
