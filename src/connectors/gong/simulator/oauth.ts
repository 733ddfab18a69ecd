/** The OAuth addresses: consent by an administrator, codes, and refreshing. */
import {
  type Call,
  type Clock,
  type ConsentPage,
  createConsentPage,
  jsonReply,
  type Reply,
  readQuery,
  valuesOf,
} from '../../../kit/simulator.ts'
import type { Access, Tokens } from './access.ts'
import { errorReply, messages } from './replies.ts'
import type { State } from './state.ts'
import { company } from './vocabulary.ts'

export const scopes = [
  'api:users:read',
  'api:calls:read:basic',
  'api:calls:read:extensive',
  'api:calls:read:media-url',
  'api:calls:read:transcript',
  'api:workspaces:read',
  'api:stats:user-actions',
  'api:stats:user-actions:detailed',
  'api:stats:interaction',
  'api:stats:scorecards',
  'api:settings:scorecards:read',
  'api:settings:trackers:read',
  'api:library:read',
  'api:coaching:read',
] as const

export interface OAuth {
  readonly consent: ConsentPage
  answer(call: Call): Reply
}

export function createOAuth(access: Access, state: State, clock: Clock, companyBase: string): OAuth {
  const consent = createConsentPage({
    title: 'Gong',
    person: `a technical administrator of ${company.name}`,
    application: { client_id: access.client.id, client_secret: access.client.secret },
    clock,
    separator: ' ',
    scopes,
    pkce: false,
    refuse: (message) => errorReply(400, message),
  })

  function issued({ accessToken, refreshToken }: Tokens): Reply {
    return jsonReply(200, {
      access_token: accessToken,
      refresh_token: refreshToken,
      expires_in: state.settings.accessTokenSeconds,
      token_type: 'Bearer',
      scope: scopes.filter((scope) => !state.settings.missingScopes.includes(scope)).join(' '),
      api_base_url_for_customer: companyBase,
    })
  }

  function token(call: Call): Reply {
    const pair = `${access.client.id}:${access.client.secret}`
    if (call.headers.authorization !== `Basic ${Buffer.from(pair).toString('base64')}`)
      return refused(401, 'invalid_client', 'The client must authenticate with HTTP Basic')
    // Both the query and a form are read.
    const form = valuesOf([...readQuery(call.query), ...readQuery(call.body)])
    if (form.get('grant_type') === 'refresh_token') {
      const tokens = access.refresh(form.get('refresh_token') ?? '')
      return tokens === undefined ? refused(400, 'invalid_grant', 'The refresh token is not valid') : issued(tokens)
    }
    if (form.get('grant_type') !== 'authorization_code')
      return refused(400, 'unsupported_grant_type', 'Only authorization_code and refresh_token are known')
    const given = consent.redeem(form.get('code') ?? '', form.get('redirect_uri') ?? '', undefined)
    if (typeof given === 'string') return refused(400, 'invalid_grant', 'The code is not valid')
    return issued(access.consent())
  }

  return {
    consent,
    answer(call) {
      if (call.path === '/oauth2/authorize' && ['GET', 'POST'].includes(call.method)) return consent.answer(call)
      if (call.method === 'POST' && call.path === '/oauth2/generate-customer-token') return token(call)
      return errorReply(404, messages.noRoute)
    },
  }
}

const refused = (status: number, error: string, description: string): Reply =>
  jsonReply(status, { error, error_description: description })
