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
  /** Added if the credentials contain the application that the token belongs to. */
  readonly proof?: ApplicationProof
}

/**
 * Proves that the caller knows the application's secret: an HMAC-SHA256 of the token under it, in hex, as a query
 * parameter.
 */
export interface ApplicationProof {
  readonly query: string
  readonly clientId: string
  readonly clientSecret: string
}

/** `Authorization: Basic <user:password>`. */
export interface BasicStyle {
  readonly style: 'basic'
  readonly user: string
  readonly password: string
}

/** A bearer token that a refresh token renews at a token endpoint. */
export interface RefreshableStyle extends TokenEndpoint {
  readonly style: 'refreshable'
  /**
   * The fields for the access token, the refresh token, and the application they belong to. If callers cannot give a
   * refresh token, it comes only from a consent.
   */
  readonly accessToken: string
  readonly refreshToken: string
  readonly clientId: string
  readonly clientSecret: string
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

/** The fields of an application: both are given, or neither. Null if the method has none. */
export function applicationFields({ authorization }: AuthMethod): readonly [id: string, secret: string] | null {
  switch (authorization.style) {
    case 'refreshable':
      return [authorization.clientId, authorization.clientSecret]
    case 'bearer':
      return authorization.proof === undefined ? null : [authorization.proof.clientId, authorization.proof.clientSecret]
    case 'basic':
      return null
  }
}

/** The fields that Conex stores in addition to those that a caller can give. */
export function notedFields({ authorization, credentials }: AuthMethod): readonly string[] {
  if (authorization.style !== 'refreshable') return []
  const names = [authorization.refreshToken, authorization.customerAddress]
  return names.filter((name) => name !== undefined && !Object.hasOwn(credentials.properties, name)) as string[]
}

/** The required fields of a method. */
export const requiredFields = (method: AuthMethod): readonly string[] =>
  (method.credentials as { readonly required?: readonly string[] }).required ?? []
