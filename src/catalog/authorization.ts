/** How requests to a third-party system are authorized, as a closed set of named styles with their credential fields. */
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
  /** Sent along where the credentials hold the application that the token was made for. */
  readonly proof?: ApplicationProof
}

/** Shows that the caller has the application's secret: the token's HMAC-SHA256 under it, in hex, as a query parameter. */
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

/** A bearer token that can be renewed with a refresh token at a token endpoint. */
export interface RefreshableStyle extends TokenEndpoint {
  readonly style: 'refreshable'
  /**
   * The fields that hold the access token, the refresh token, and the application they were made for. A refresh token that
   * callers cannot give comes from a consent alone.
   */
  readonly accessToken: string
  readonly refreshToken: string
  readonly clientId: string
  readonly clientSecret: string
  /** The field of the token answer that holds the customer's own base address, where a system has one for each; kept beside the credentials. */
  readonly customerAddress?: string
}

export type AuthorizationStyle = BearerStyle | BasicStyle | RefreshableStyle

/** One way to give a connector access, told apart from the others by its fields. */
export interface AuthMethod<C extends TObject = TObject> {
  /** `oauth`, `token`, `access_key`: what a connector record shows as `auth_method`. */
  readonly name: string
  readonly title: string
  readonly credentials: C
  readonly authorization: AuthorizationStyle
  /** How a person gives these credentials in a browser, where the system has a page for that. */
  readonly consent?: Consent
  /** How the system takes the grant back, where it can. */
  readonly revocation?: Revocation
}

/** Declares one way to give access. */
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

/** The fields that hold an application, which are given both or neither; null where a method has none. */
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

/** The fields that Conex itself keeps beside those that a caller can give. */
export function notedFields({ authorization, credentials }: AuthMethod): readonly string[] {
  if (authorization.style !== 'refreshable') return []
  const names = [authorization.refreshToken, authorization.customerAddress]
  return names.filter((name) => name !== undefined && !Object.hasOwn(credentials.properties, name)) as string[]
}

/** The fields that a method cannot do without. */
export const requiredFields = (method: AuthMethod): readonly string[] =>
  (method.credentials as { readonly required?: readonly string[] }).required ?? []
