/**
 * Handlers for programs of agents that connect by the address of /mcp alone: where to get a token, and Conex itself as
 * the authorization server.
 */
import type { FastifyReply } from 'fastify'
import Type, { type Static } from 'typebox'
import { decode } from '../catalog/decode.ts'
import { arrayOf, boolean, integer, oneOf, optional, text } from '../catalog/fields.ts'
import { ConexError } from '../errors.ts'
import {
  type Agent,
  allowAgent,
  createSignInCode,
  endAgent as end,
  listAgents as list,
  redeemAgentCode,
  refreshAgent,
  revokeAgent,
} from '../service/agent-grants.ts'
import { nameText } from '../service/aliases.ts'
import { agentListSchema, signInCodeSchema } from '../wire.ts'
import {
  agentIdOf,
  agentScope,
  RegistrationRefused,
  registerAgent,
  registeredSchema,
  registrationSchema,
} from './agent-clients.ts'
import {
  authorizationQuery,
  type CheckedRequest,
  checkAuthorizationRequest,
  isOfOwnMachine,
  isOurResource,
  RequestRefused,
  returnAddress,
} from './authorization-request.ts'
import type { Endpoint } from './endpoint.ts'
import { callerOf, type Handler, type ServerContext } from './handler.ts'
import { checkOwnForm } from './own-forms.ts'
import { cardHeaders } from './page.ts'
import { resourceAt, resourceMetadataSchema } from './protected-resource.ts'
import { requestRefusedPage, signInHeaders, signInPage } from './sign-in-page.ts'

export const resourceMetadata: Endpoint = {
  summary: 'Tell programs of agents where to get a token for /mcp',
  answers: { 200: { description: 'The metadata of a protected resource (RFC 9728).', schema: resourceMetadataSchema } },
  errors: ['not_found'],
  async handle({ resource }) {
    const metadata = resource.metadata()
    if (metadata !== null) return metadata
    throw new ConexError(
      'not_found',
      'No authorization server gives out tokens for /mcp; ask the operator of this service for one.',
    )
  },
}

/** Answers only where Conex is the authorization server. */
const whereAgentsSignIn =
  (handle: Handler): Handler =>
  async (context, request, reply) => {
    if (context.agentsSignIn) return handle(context, request, reply)
    throw new ConexError('not_found', 'Agents do not sign in at this server; its operator can set CONEX_MCP_SIGN_IN.')
  }

export const authorizationServer: Endpoint = {
  summary: 'Tell programs of agents how they get a token from Conex',
  answers: {
    200: {
      description: 'The metadata of an authorization server (RFC 8414).',
      schema: Type.Object(
        {
          issuer: text(),
          authorization_endpoint: text(),
          token_endpoint: text(),
          registration_endpoint: text(),
          revocation_endpoint: text(),
          response_types_supported: arrayOf(text()),
          response_modes_supported: arrayOf(text()),
          grant_types_supported: arrayOf(text()),
          token_endpoint_auth_methods_supported: arrayOf(text()),
          revocation_endpoint_auth_methods_supported: arrayOf(text()),
          code_challenge_methods_supported: arrayOf(text()),
          scopes_supported: arrayOf(text()),
          authorization_response_iss_parameter_supported: boolean(),
          client_id_metadata_document_supported: boolean(),
        },
        { title: 'AuthorizationServer' },
      ),
    },
  },
  errors: ['not_found'],
  handle: whereAgentsSignIn(async ({ service }) => {
    const issuer = service.settings.publicUrl()
    return {
      issuer,
      authorization_endpoint: `${issuer}/oauth/authorize`,
      token_endpoint: `${issuer}/oauth/token`,
      registration_endpoint: `${issuer}/oauth/register`,
      revocation_endpoint: `${issuer}/oauth/revoke`,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
      code_challenge_methods_supported: ['S256'],
      scopes_supported: [agentScope],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    }
  }),
}

const oauthErrorSchema = Type.Object({ error: text(), error_description: text() }, { title: 'OAuthError' })

const oauthError = (reply: FastifyReply, error: string, description: string): FastifyReply =>
  reply.code(400).send({ error, error_description: description })

export const registerProgram: Endpoint = {
  summary: 'Register a program of an agent',
  body: registrationSchema,
  answers: {
    201: { description: 'The registration (RFC 7591).', schema: registeredSchema },
    400: { description: 'The metadata cannot be used.', schema: oauthErrorSchema },
  },
  errors: ['not_found'],
  handle: whereAgentsSignIn(async (context, request, reply) => {
    try {
      return reply.code(201).send(await registerAgent(context, request.body))
    } catch (error) {
      if (error instanceof RegistrationRefused) return oauthError(reply, error.code, error.message)
      throw error
    }
  }),
}

const pageSeconds = 15 * 60

export const showSignIn: Endpoint = {
  summary: 'Show an end user the page on which they allow a program',
  query: authorizationQuery,
  takesAnyQuery: true,
  answers: {
    200: { description: 'The page.', mediaType: 'text/html' },
    302: { description: 'Returns to a program on the user’s machine with an error.' },
    400: { description: 'A page that says why the request cannot be granted.', mediaType: 'text/html' },
  },
  errors: ['not_found', 'invalid_request'],
  refusalTitle: 'The program was not connected',
  handle: whereAgentsSignIn(async (context, request, reply) => {
    try {
      const checked = await checkAuthorizationRequest(context, request.query)
      const signed = await context.signedMessages.sign('conex-agent-request', checked, pageSeconds)
      return reply.headers(signInHeaders(checked.redirectUri)).send(signInPage({ request: checked, signed }))
    } catch (error) {
      if (!(error instanceof RequestRefused)) throw error
      // Anybody can register an address, so no browser is sent to another site without a person's doing.
      if (isOfOwnMachine(error.location)) return reply.redirect(error.location, 302)
      return reply.code(400).headers(cardHeaders).send(requestRefusedPage(error.message, error.location))
    }
  }),
}

const decisionForm = Type.Object(
  {
    request: Type.String({ description: 'The request, as the page holds it.', maxLength: 16_384 }),
    decision: oneOf(['allow', 'refuse']),
    sign_in_code: optional(Type.String({ description: 'The code of the end user.', maxLength: 64 })),
  },
  { additionalProperties: false },
)

export const decideSignIn: Endpoint = {
  summary: 'Receive what an end user decided on the page',
  form: decisionForm,
  largestBody: 24 * 1024,
  answers: {
    303: { description: 'Returns to the program, with a code or an error.' },
    422: { description: 'The page again: the sign-in code is not good.', mediaType: 'text/html' },
  },
  errors: ['not_found', 'forbidden', 'invalid_request'],
  refusalTitle: 'The program was not connected',
  handle: whereAgentsSignIn(async (context, request, reply) => {
    checkOwnForm(request)
    const { decision, sign_in_code, request: signed } = decode(decisionForm, request.body)
    const asked = await context.signedMessages.read<CheckedRequest>('conex-agent-request', signed)
    if (asked === null)
      throw new ConexError('invalid_request', 'This page has expired; start again in the program that sent you here.')
    const back = (answer: Readonly<Record<string, string>>): FastifyReply =>
      reply.redirect(returnAddress(context, asked, answer), 303)
    if (decision === 'refuse')
      return back({ error: 'access_denied', error_description: 'The user refused the program.' })
    const { clientId, clientName, redirectUri, codeChallenge } = asked
    const allowed = { clientId, clientName, redirectUri, codeChallenge }
    const code = await allowAgent(context.service, sign_in_code ?? '', allowed)
    if (code !== null) return back({ code })
    const fault = 'This code is not good: it is mistyped, used, or older than ten minutes. Ask for a new one.'
    return reply
      .code(422)
      .headers(signInHeaders(redirectUri))
      .send(signInPage({ request: asked, signed, fault }))
  }),
}

/** Programs may send more than Conex reads. */
const tokenForm = Type.Object({
  grant_type: oneOf(['authorization_code', 'refresh_token']),
  client_id: text('The same as in the request of the code.'),
  code: optional(text()),
  code_verifier: optional(text('The text whose hash was the code_challenge.')),
  redirect_uri: optional(text('The same as in the request of the code.')),
  refresh_token: optional(text()),
  resource: optional(text('The address of /mcp.')),
})

const tokensSchema = Type.Object(
  {
    access_token: text('For /mcp alone, and for a single end user.'),
    token_type: text('Bearer.'),
    expires_in: integer('Seconds.'),
    refresh_token: text('Works once, and gives another one.'),
    scope: text(),
  },
  { title: 'AgentTokens' },
)

export const issueAgentTokens: Endpoint = {
  summary: 'Exchange a code or a refresh token of an agent for tokens',
  form: tokenForm,
  largestBody: 16 * 1024,
  answers: {
    200: { description: 'The tokens (RFC 6749).', schema: tokensSchema },
    400: { description: 'The exchange is refused.', schema: oauthErrorSchema },
  },
  errors: ['not_found'],
  handle: whereAgentsSignIn(async (context, request, reply) => {
    const form = (request.body ?? {}) as Partial<Static<typeof tokenForm>>
    const { grant_type, client_id, resource } = form
    if (grant_type === undefined || client_id === undefined)
      return oauthError(reply, 'invalid_request', 'Send grant_type and client_id.')
    if (!isOurResource(context, resource))
      return oauthError(reply, 'invalid_target', 'The resource is not the /mcp of this server.')
    const clientId = await agentIdOf(context, client_id)
    if (clientId === null) return oauthError(reply, 'invalid_client', 'There is no such client_id; register again.')
    switch (grant_type) {
      case 'authorization_code': {
        const { code, code_verifier: codeVerifier, redirect_uri: redirectUri } = form
        if (code === undefined || codeVerifier === undefined)
          return oauthError(reply, 'invalid_request', 'Send code and code_verifier.')
        return given(await redeemAgentCode(context.service, code, { clientId, redirectUri, codeVerifier }))
      }
      case 'refresh_token': {
        const { refresh_token } = form
        if (refresh_token === undefined) return oauthError(reply, 'invalid_request', 'Send refresh_token.')
        return given(await refreshAgent(context.service, refresh_token, clientId))
      }
      default:
        return oauthError(reply, 'unsupported_grant_type', 'Only authorization_code and refresh_token are supported.')
    }

    async function given(agent: Agent | null): Promise<unknown> {
      if (agent !== null) return tokensFor(context, agent)
      return oauthError(reply, 'invalid_grant', 'It is unknown, expired, used, or not for this program; sign in again.')
    }
  }),
}

async function tokensFor(
  { tokens, service }: ServerContext,
  { organizationId, externalUserId, clientId, refreshToken }: Agent,
): Promise<Static<typeof tokensSchema>> {
  const caller = { organizationId, externalUserId, clientId, rawRequests: false }
  const { token, expiresIn } = await tokens.issue(caller, resourceAt(service.settings.publicUrl()))
  return {
    access_token: token,
    token_type: 'Bearer',
    expires_in: expiresIn,
    refresh_token: refreshToken,
    scope: agentScope,
  }
}

/** Programs may send more than Conex reads. */
const revocationForm = Type.Object({
  token: text('The refresh token.'),
  client_id: text('The program that it was given to.'),
})

export const revokeAgentToken: Endpoint = {
  summary: 'End what an end user allowed an agent, for the program itself',
  form: revocationForm,
  largestBody: 16 * 1024,
  answers: {
    200: { description: 'The refresh token is not good any more (RFC 7009).' },
    400: { description: 'The token cannot be revoked.', schema: oauthErrorSchema },
  },
  errors: ['not_found'],
  handle: whereAgentsSignIn(async (context, request, reply) => {
    const { token, client_id } = (request.body ?? {}) as Partial<Static<typeof revocationForm>>
    if (token === undefined || client_id === undefined)
      return oauthError(reply, 'invalid_request', 'Send token and client_id.')
    const clientId = await agentIdOf(context, client_id)
    if (clientId === null) return oauthError(reply, 'invalid_client', 'There is no such client_id.')
    // A JWT: nobody keeps those.
    if (token.split('.').length === 3)
      return oauthError(reply, 'unsupported_token_type', 'An access token ends by itself; send the refresh token.')
    if (await revokeAgent(context.service, token, clientId)) return reply.code(200).send()
    return oauthError(reply, 'invalid_grant', 'The token is not one of this program.')
  }),
}

const endUserOf = Type.Object({ external_user_id: nameText('Your own id for the end user.') })

export const makeSignInCode: Endpoint = {
  summary: 'Make a code with which an end user connects a program of an agent',
  answers: { 200: { description: 'A code that works once, within ten minutes.', schema: signInCodeSchema } },
  errors: ['not_found'],
  handle: whereAgentsSignIn(async ({ service }, request) => {
    const { external_user_id } = decode(endUserOf, request.params)
    return createSignInCode(service, callerOf(request), external_user_id)
  }),
}

export const listAgents: Endpoint = {
  summary: 'List the programs of agents that an end user let in',
  answers: { 200: { description: 'The programs.', schema: agentListSchema } },
  handle: async ({ service }, request) =>
    list(service, callerOf(request), decode(endUserOf, request.params).external_user_id),
}

const agentOf = Type.Object({ ...endUserOf.properties, agent_id: text('From the list.') })

export const endAgent: Endpoint = {
  summary: 'End what an end user allowed an agent',
  answers: { 204: { description: 'The agent gets no more tokens; the last one ends within 20 minutes.' } },
  errors: ['not_found'],
  async handle({ service }, request, reply) {
    const { external_user_id, agent_id } = decode(agentOf, request.params)
    await end(service, callerOf(request), external_user_id, agent_id)
    return reply.code(204).send()
  },
}
