/** Callers: the company's access key, and grants of an administrator at the OAuth addresses. */
import {
  type Call,
  type Clock,
  createConsentPage,
  createTokenEndpoint,
  createTokens,
  jsonReply,
  type Reply,
  readQuery,
  secretsOf,
  type TokenFault,
  valuesOf,
} from '../../../kit/simulator.ts'
import { errorReply } from './replies.ts'
import { scopes } from './routes.ts'
import { company } from './vocabulary.ts'
import type { World } from './world.ts'

export type Access = ReturnType<typeof createAccess>

export function createAccess(seed: number, clock: Clock, { settings, missingScopes }: World, companyBase: string) {
  const secret = secretsOf(seed, 'gong')
  const key = { access_key: `KEYLWRKS${secret('key', 16)}`, access_key_secret: secret('key secret') }
  const application = { client_id: `keelworks-app-${secret('client', 8)}`, client_secret: secret('client secret') }
  const tokens = createTokens(
    clock,
    (kind, number) => `${kind === 'access' ? 'gat' : 'grt'}.${secret(`${kind} ${number}`)}`,
  )
  const basic = Buffer.from(`${key.access_key}:${key.access_key_secret}`).toString('base64')
  const { accessToken, refreshToken } = tokens.issue('grant', settings.access_token_seconds)
  const consent = createConsentPage({
    title: 'Gong',
    person: `a technical administrator of ${company.name}`,
    ...{ application, clock, separator: ' ', scopes, pkce: false },
    refuse: (message) => errorReply(400, message),
  })

  function refuse(fault: TokenFault): Reply {
    if (fault === 'client id' || fault === 'client secret')
      return refused(401, 'invalid_client', 'The client must authenticate with HTTP Basic')
    if (fault !== 'grant type') return refused(400, 'invalid_grant', 'The code or refresh token is not valid')
    return refused(400, 'unsupported_grant_type', 'Only authorization_code and refresh_token are known')
  }

  const token = createTokenEndpoint({
    ...{ consent, tokens, refuse, grant: () => 'grant' },
    settings: {
      rotates: true,
      get seconds() {
        return settings.access_token_seconds
      },
    },
    answer: (issued) =>
      jsonReply(200, {
        ...{ access_token: issued.accessToken, refresh_token: issued.refreshToken, token_type: 'Bearer' },
        expires_in: settings.access_token_seconds,
        scope: scopes.filter((scope) => !missingScopes.has(scope)).join(' '),
        api_base_url_for_customer: companyBase,
      }),
  })

  return {
    ...{ consent, tokens },
    credentials: [key, { access_token: accessToken, refresh_token: refreshToken ?? '', ...application }],
    /** What the credentials in a header are; undefined if they are not valid. */
    caller(authorization = ''): 'key' | 'grant' | undefined {
      if (authorization === `Basic ${basic}`) return 'key'
      return typeof tokens.find(authorization.replace(/^Bearer /, '')) === 'string' ? undefined : 'grant'
    },
    answer(call: Call): Reply {
      if (call.path === '/oauth2/authorize' && ['GET', 'POST'].includes(call.method)) return consent.answer(call)
      if (call.method !== 'POST' || call.path !== '/oauth2/generate-customer-token') return errorReply(404)
      // Both the query and a form are read, and clients authenticate with HTTP Basic alone.
      const form = valuesOf([...readQuery(call.query), ...readQuery(call.body)])
      form.delete('client_id')
      return token(form, call.headers.authorization)
    },
  }
}

const refused = (status: number, error: string, error_description: string): Reply =>
  jsonReply(status, { error, error_description })
