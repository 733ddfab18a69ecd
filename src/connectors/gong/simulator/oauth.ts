/** The OAuth addresses: consent by an administrator (given at once), codes, and refreshing. */
import { randomBytes } from 'node:crypto'
import type { Clock } from '../../../simulator/clock.ts'
import { readQuery, valuesOf } from '../../../simulator/query.ts'
import { jsonReply } from '../../../simulator/send.ts'
import type { Call, Reply } from '../../../simulator/system.ts'
import type { Access, Tokens } from './access.ts'
import { minute } from './calendar.ts'
import { errorReply, messages } from './replies.ts'
import type { State } from './state.ts'

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

const codeLife = 10 * minute

export function createOAuth(access: Access, state: State, clock: Clock, companyBase: string): (call: Call) => Reply {
  const codes = new Map<string, { redirectUri: string; expires: number }>()

  /** An administrator who always agrees, unless the address carries `simulate=refuse`. */
  function authorize(call: Call): Reply {
    const params = valuesOf(readQuery(call.query))
    const redirectUri = params.get('redirect_uri') ?? ''
    if (params.get('client_id') !== access.client.id || !/^https?:\/\/./.test(redirectUri))
      return errorReply(400, 'The client_id or redirect_uri is not known')
    const back = new URL(redirectUri)
    if (params.get('response_type') !== 'code') back.searchParams.set('error', 'unsupported_response_type')
    else if (params.get('simulate') === 'refuse') back.searchParams.set('error', 'access_denied')
    else {
      const code = randomBytes(24).toString('base64url')
      codes.set(code, { redirectUri, expires: clock.now() + codeLife })
      back.searchParams.set('code', code)
    }
    const given = params.get('state')
    if (given !== undefined) back.searchParams.set('state', given)
    return { status: 302, headers: { location: back.href }, body: '' }
  }

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
      return refused(401, 'invalid_client', 'The client has to authenticate with HTTP Basic')
    // Both the query and a form are read.
    const form = valuesOf([...readQuery(call.query), ...readQuery(call.body)])
    if (form.get('grant_type') === 'refresh_token') {
      const tokens = access.refresh(form.get('refresh_token') ?? '')
      return tokens === undefined ? refused(400, 'invalid_grant', 'The refresh token is not valid') : issued(tokens)
    }
    if (form.get('grant_type') !== 'authorization_code')
      return refused(400, 'unsupported_grant_type', 'Only authorization_code and refresh_token are known')
    const given = form.get('code') ?? ''
    const code = codes.get(given)
    codes.delete(given)
    if (code === undefined || clock.now() > code.expires || code.redirectUri !== form.get('redirect_uri'))
      return refused(400, 'invalid_grant', 'The code is not valid')
    return issued(access.consent())
  }

  return (call) => {
    if (call.method === 'GET' && call.path === '/oauth2/authorize') return authorize(call)
    if (call.method === 'POST' && call.path === '/oauth2/generate-customer-token') return token(call)
    return errorReply(404, messages.noRoute)
  }
}

const refused = (status: number, error: string, description: string): Reply =>
  jsonReply(status, { error, error_description: description })
