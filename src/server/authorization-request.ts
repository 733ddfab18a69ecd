/** What a program of an agent asks for when it sends its user's browser (OAuth 2.1, section 4.1.1). */
import Type, { type Static } from 'typebox'
import { decode } from '../catalog/decode.ts'
import { optional } from '../catalog/fields.ts'
import { ConexError } from '../errors.ts'
import type { AgentRequest } from '../service/agent-grants.ts'
import { isLoopback, withQuery } from '../service/redirect-url.ts'
import { findAgent, mayReturnTo } from './agent-clients.ts'
import type { ServerContext } from './handler.ts'
import { resourceAt } from './protected-resource.ts'

const sent = (description: string, maxLength = 2048) =>
  Type.String({ description, minLength: 1, maxLength, 'x-form': `a text of 1 to ${maxLength} characters, given once` })

/** Programs may add parameters of their own. */
export const authorizationQuery = Type.Object({
  client_id: sent('The registration of the program, or the address of the document about it.', 8192),
  redirect_uri: sent('Where the browser returns to.'),
  response_type: optional(sent('code.', 100)),
  code_challenge: optional(sent('The hash of the program’s code_verifier.', 200)),
  code_challenge_method: optional(sent('S256.', 100)),
  state: optional(sent('Returned to the program.')),
  resource: optional(sent('The address of /mcp.')),
  scope: optional(sent('Everything that is granted is the scope read.')),
})

/** A request that was checked; it travels through the sign-in page, signed. */
export interface CheckedRequest extends AgentRequest {
  readonly clientName: string
  /** The host that vouches for the name of the program, if any. */
  readonly clientHost: string | null
  readonly state: string | undefined
}

/** A request that is not granted, and the address that tells the program so. */
export class RequestRefused extends Error {
  override readonly name = 'RequestRefused'
  readonly location: string
  constructor(message: string, location: string) {
    super(message)
    this.location = location
  }
}

/** Checks a request. Until the address of the program is known, no browser is sent there. */
export async function checkAuthorizationRequest(context: ServerContext, query: unknown): Promise<CheckedRequest> {
  const asked: Static<typeof authorizationQuery> = decode(authorizationQuery, query)
  const { redirect_uri: redirectUri, state, code_challenge: codeChallenge = '' } = asked
  const client = await findAgent(context, asked.client_id)
  if (!mayReturnTo(client, redirectUri))
    throw new ConexError(
      'invalid_request',
      'The program asks to return to an address that it has not listed (redirect_uri); nothing was granted.',
    )
  const refuse = (error: string, message: string): never => {
    throw new RequestRefused(
      message,
      returnAddress(context, { redirectUri, state }, { error, error_description: message }),
    )
  }
  if (asked.response_type !== 'code') refuse('unsupported_response_type', 'The response_type must be code.')
  // Without a method, the challenge would be the verifier itself.
  if (asked.code_challenge_method !== 'S256' || !/^[\w-]{43}$/.test(codeChallenge))
    refuse('invalid_request', 'A code_challenge with the code_challenge_method S256 is needed.')
  if (!isOurResource(context, asked.resource)) refuse('invalid_target', 'The resource is not the /mcp of this server.')
  return {
    clientId: client.id,
    clientName: client.name,
    clientHost: client.host,
    redirectUri,
    codeChallenge,
    state,
  }
}

/** Whether a resource is the one that this server gives out tokens for; programs of older revisions name none. */
export function isOurResource({ service }: ServerContext, resource: string | undefined): boolean {
  if (resource === undefined) return true
  const plain = (address: string): string | undefined => URL.parse(address)?.href.replace(/\/$/, '')
  return plain(resource) === plain(resourceAt(service.settings.publicUrl()))
}

/** Where the browser goes with an answer; the issuer tells the program who answers (RFC 9207). */
export const returnAddress = (
  { service }: ServerContext,
  { redirectUri, state }: Pick<CheckedRequest, 'redirectUri' | 'state'>,
  answer: Readonly<Record<string, string>>,
): string =>
  withQuery(redirectUri, { ...answer, ...(state !== undefined && { state }), iss: service.settings.publicUrl() })

/** Whether an address is one of a program on the person's own machine. */
export const isOfOwnMachine = (address: string): boolean => isLoopback(new URL(address).hostname)
