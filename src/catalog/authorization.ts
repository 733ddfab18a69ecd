/** How requests to a third-party system are authorized: a closed set of named styles with their credential fields. */
import Type, { type Static, type TObject, type TSchema } from 'typebox'
import type { Consent } from './consent.ts'
import type { Revocation } from './revocation.ts'
import type { TokenEndpoint } from './token-endpoint.ts'

/** The values of one connector's credential fields. */
export type Credentials = Readonly<Record<string, string>>

/** `Authorization: Bearer <field>`. */
export interface BearerStyle {
  readonly style: 'bearer'
  readonly token: string
  /**
   * The query parameter for a proof that the caller knows the secret of the application that the token belongs to: an
   * HMAC-SHA256 of the token under it, in hex. It is added if the credentials contain the application.
   */
  readonly proof?: string
}

/** `Authorization: Basic <user:password>`. */
export interface BasicStyle {
  readonly style: 'basic'
  readonly user: string
  readonly password: string
}

/**
 * A bearer token that a refresh token renews at a token endpoint, in the fields `access_token` and `refresh_token`. If
 * callers cannot give a refresh token, it comes only from a consent.
 */
export interface RefreshableStyle extends TokenEndpoint {
  readonly style: 'refreshable'
  /**
   * The field of the token answer with the customer's own base address, for systems that have one per customer. It is
   * stored beside the credentials.
   */
  readonly customerAddress?: string
}

export type AuthorizationStyle = BearerStyle | BasicStyle | RefreshableStyle

/** One way to give a connector access. Its fields distinguish it from the others. */
export interface AuthMethod<C extends TObject = TObject> {
  /** `oauth`, `token`, `access_key`: the `auth_method` of a connector record. */
  readonly name: string
  readonly title: string
  readonly credentials: C
  readonly authorization: AuthorizationStyle
  /** How a person gives these credentials in a browser, if the system has a consent page. */
  readonly consent?: Consent
  /** How to revoke the grant, if the system supports that. */
  readonly revocation?: Revocation
}

/** Declares an auth method. */
export function authMethod<const P extends Record<string, TSchema>>(method: {
  name: string
  title: string
  credentials: P
  authorization: AuthorizationStyle
  consent?: Consent
  revocation?: Revocation
}): AuthMethod<TObject<P>> {
  return { ...method, credentials: Type.Object(method.credentials, { additionalProperties: false }) }
}

export type CredentialsOf<M> = M extends AuthMethod<infer C> ? Static<C> : never

/** The fields of the application that a grant belongs to, where a method has them: both are given, or neither. */
export const applicationFields = ({ credentials }: AuthMethod): readonly string[] =>
  ['client_id', 'client_secret'].filter((name) => Object.hasOwn(credentials.properties, name))

/** The fields that Conex stores in addition to those that a caller can give. */
export const notedFields = ({ authorization, credentials }: AuthMethod): readonly string[] =>
  authorization.style === 'refreshable'
    ? ['refresh_token', authorization.customerAddress ?? []]
        .flat()
        .filter((name) => !Object.hasOwn(credentials.properties, name))
    : []

/** The required fields of a method. */
export const requiredFields = (method: AuthMethod): readonly string[] =>
  (method.credentials as { readonly required?: readonly string[] }).required ?? []
