/** Handlers for tokens. */
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { decode, invalidRequest } from '../catalog/decode.ts'
import { optional, text } from '../catalog/fields.ts'
import { ConexError } from '../errors.ts'
import { endUserFields, endUserNames, endUserOf } from '../service/aliases.ts'
import { authenticateClient, stillAuthorized } from '../service/authenticate-client.ts'
import { rawRequestScope } from '../service/raw-request.ts'
import { bearerTokenSchema, scopedTokenSchema } from '../wire.ts'
import type { Endpoint } from './endpoint.ts'
import { callerOf, type ServerContext } from './handler.ts'
import { errorFields } from './logger.ts'

const grantType = optional(Type.Literal('client_credentials', { description: 'The only grant type; optional.' }))

const scope = optional(
  Type.Literal(rawRequestScope, { description: 'Also allows raw requests, if the operator does.' }),
)

export const clientCredentials = Type.Object(
  {
    client_id: text('The id of the client.', { minLength: 1, maxLength: 255 }),
    client_secret: text('Its secret.', { minLength: 1, maxLength: 1024 }),
    grant_type: grantType,
    'grant-type': grantType,
    scope,
  },
  { additionalProperties: false },
)

export const scopedTokenRequest = Type.Object({ ...endUserFields, scope }, { additionalProperties: false })

export const issueBearerToken: Endpoint = {
  summary: 'Exchange a client id and secret for a bearer token',
  body: clientCredentials,
  answers: {
    200: { description: 'A token for the whole organization, valid for 15 minutes.', schema: bearerTokenSchema },
  },
  errors: ['unauthenticated'],
  async handle(context, request, reply) {
    const { service, tokens } = context
    const { client_id, client_secret, scope } = decode(clientCredentials, request.body)
    const client = await authenticateClient(service, client_id, client_secret).catch((error) => {
      // After the answer: neither its duration nor a failed write may reveal which clients exist.
      reply.raw.once('close', () => void noteGuess(context, request, client_id))
      throw error
    })
    const issued = await tokens.issue({
      clientId: client.id,
      organizationId: client.organizationId,
      externalUserId: null,
      rawRequests: scope !== undefined,
    })
    return { access_token: issued.token, token_type: 'Bearer', expires_in: issued.expiresIn }
  },
}

/** Records a failed attempt to authenticate as a client, if the client exists. */
async function noteGuess(
  { service, denials }: ServerContext,
  request: FastifyRequest,
  client_id: string,
): Promise<void> {
  try {
    const known = await service.store.organizations.findClient(client_id)
    if (known === null) return
    const details = { code: 'unauthenticated', route: request.routeOptions.url ?? '', client_id }
    await denials.write(service, { organizationId: known.organizationId, externalUserId: null }, details)
  } catch (error) {
    service.log.error(errorFields(error), 'no audit entry')
  }
}

export const issueScopedToken: Endpoint = {
  summary: 'Get a token for one end user',
  body: scopedTokenRequest,
  largestBody: 16 * 1024,
  oneOfEach: [endUserNames],
  answers: { 200: { description: 'A token for a single end user, valid for 20 minutes.', schema: scopedTokenSchema } },
  async handle({ service, tokens }, request) {
    const wanted = decode(scopedTokenRequest, request.body)
    const externalUserId = endUserOf(wanted)
    if (externalUserId === undefined) throw invalidRequest([{ path: '/external_user_id', message: 'is required' }])
    const caller = callerOf(request)
    if (wanted.scope !== undefined && !caller.rawRequests)
      throw new ConexError('forbidden', `Only a bearer token with the scope ${wanted.scope} can give it to others.`)
    await stillAuthorized(service, caller.clientId)
    const issued = await tokens.issue({ ...caller, externalUserId, rawRequests: wanted.scope !== undefined })
    return { token: issued.token, expires_in: issued.expiresIn }
  },
}
