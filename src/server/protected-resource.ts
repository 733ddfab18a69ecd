/**
 * /mcp as a protected resource of OAuth (RFC 9728): who gives out its tokens, which ones it accepts, and what its
 * refusals say about that.
 */
import Type, { type Static } from 'typebox'
import { arrayOf, optional, text } from '../catalog/fields.ts'
import type { ConexError } from '../errors.ts'
import type { IssuerTokens } from './issuer-tokens.ts'
import type { Caller, Tokens } from './tokens.ts'

export const resourceMetadataSchema = Type.Object(
  {
    resource: text('The address of /mcp, which tokens name as their audience.'),
    resource_name: text(),
    authorization_servers: arrayOf(text(), 'Who gives out its tokens.'),
    scopes_supported: optional(arrayOf(text(), 'The scopes that its tokens need.')),
    bearer_methods_supported: arrayOf(text(), 'Where a token is sent.'),
  },
  { title: 'ProtectedResource' },
)
export type ResourceMetadata = Static<typeof resourceMetadataSchema>

export interface ProtectedResource {
  /** What it says about itself; null if no authorization server gives out tokens for it. */
  metadata(): ResourceMetadata | null
  /** The caller that a token identifies. */
  verify(token: string): Promise<Caller>
  /** The WWW-Authenticate header of a refusal; null if the refusal is not about the token. */
  challenge(error: ConexError, hadToken: boolean): string | null
}

export interface ResourceParts {
  /** The public address of the server. */
  readonly publicUrl: () => string
  readonly tokens: Tokens
  /** The authorization server; null if there is none. */
  readonly authorizationServer: () => string | null
  /** The scopes that its tokens have, with spaces between them; null for none. */
  readonly scope: string | null
  /** The tokens of the operator's identity provider, if there is one. */
  readonly issuerTokens: IssuerTokens | null
}

/** The path of the metadata of a server without a path of its own. */
export const metadataPath = '/.well-known/oauth-protected-resource'

/** The identifier of the resource is its address. */
export const resourceAt = (publicUrl: string): string => `${publicUrl}/mcp`

export function protectedResource(parts: ResourceParts): ProtectedResource {
  const { publicUrl, tokens, authorizationServer, scope, issuerTokens } = parts
  const parameters = (named: Readonly<Record<string, string | null>>): string =>
    Object.entries(named)
      .flatMap(([name, value]) => (value === null ? [] : [`${name}="${value}"`]))
      .join(', ')

  return {
    metadata() {
      const server = authorizationServer()
      if (server === null) return null
      return {
        resource: resourceAt(publicUrl()),
        resource_name: 'Conex',
        authorization_servers: [server],
        ...(scope !== null && { scopes_supported: scope.split(' ') }),
        bearer_methods_supported: ['header'],
      }
    },

    verify: (token) =>
      issuerTokens?.mayBe(token) ? issuerTokens.verify(token) : tokens.verify(token, resourceAt(publicUrl())),

    challenge({ status, missingScope }, hadToken) {
      if (status !== 401 && missingScope === undefined) return null
      if (authorizationServer() === null) return 'Bearer'
      const error = missingScope !== undefined ? 'insufficient_scope' : hadToken ? 'invalid_token' : null
      const resource_metadata = `${publicUrl()}${metadataPath}/mcp`
      return `Bearer ${parameters({ error, resource_metadata, scope: missingScope ?? scope })}`
    },
  }
}
