/** The OAuth addresses: consent by an administrator, codes, and refreshing. */
import {
  type Call,
  type Clock,
  createConsentPage,
  jsonReply,
  type Reply,
  readQuery,
  valuesOf,
} from '../../../kit/simulator.ts'
import { type Access, basic } from './access.ts'
import { errorReply } from './replies.ts'
import { scopes } from './routes.ts'
import { company } from './vocabulary.ts'
import type { World } from './world.ts'

export function createOAuth(access: Access, { settings, missingScopes }: World, clock: Clock, companyBase: string) {
  const { application } = access
  const consent = createConsentPage({
    title: 'Gong',
    person: `a technical administrator of ${company.name}`,
    application,
    clock,
    separator: ' ',
    scopes,
    pkce: false,
    refuse: (message) => errorReply(400, message),
  })

  const refused = (status: number, error: string, error_description: string): Reply =>
    jsonReply(status, { error, error_description })

  /** Clients authenticate with HTTP Basic. Both the query and a form are read. */
  function token({ headers, query, body }: Call): Reply {
    if (headers.authorization !== basic(application.client_id, application.client_secret))
      return refused(401, 'invalid_client', 'The client must authenticate with HTTP Basic')
    const form = valuesOf([...readQuery(query), ...readQuery(body)])
    const grantType = form.get('grant_type')
    let tokens: ReturnType<Access['refresh']>
    if (grantType === 'refresh_token') tokens = access.refresh(form.get('refresh_token') ?? '')
    else if (grantType === 'authorization_code') {
      const given = consent.redeem(form.get('code') ?? '', form.get('redirect_uri') ?? '', undefined)
      tokens = typeof given === 'string' ? undefined : access.consent()
    } else return refused(400, 'unsupported_grant_type', 'Only authorization_code and refresh_token are known')
    if (tokens === undefined) return refused(400, 'invalid_grant', 'The code or refresh token is not valid')
    return jsonReply(200, {
      ...tokens,
      expires_in: settings.access_token_seconds,
      token_type: 'Bearer',
      scope: scopes.filter((scope) => !missingScopes.has(scope)).join(' '),
      api_base_url_for_customer: companyBase,
    })
  }

  return {
    consent,
    answer(call: Call): Reply {
      if (call.path === '/oauth2/authorize' && ['GET', 'POST'].includes(call.method)) return consent.answer(call)
      if (call.method === 'POST' && call.path === '/oauth2/generate-customer-token') return token(call)
      return errorReply(404)
    },
  }
}
