/** Installing an application: the consent page, `oauth.v2.access` for codes and rotation, `auth.revoke` (method pages). */

import { type Call, type Clock, type ConsentPage, createConsentPage, type Reply } from '../../../kit/simulator.ts'
import { type Access, tokenSeconds } from './access.ts'
import { failed, fine } from './replies.ts'
import { team } from './team.ts'

export interface OAuth {
  readonly consent: ConsentPage
  /** `oauth.v2.access`: its arguments as form or query. */
  access(call: Call, args: ReadonlyMap<string, string>): Reply
}

export function createOAuth(access: Access, clock: Clock): OAuth {
  const { application } = access
  const consent = createConsentPage({
    title: 'Slack',
    person: `${team.userName} of ${team.name}`,
    application,
    clock,
    separator: ',',
    pkce: false,
  })

  function wrongClient(call: Call, args: ReadonlyMap<string, string>): Reply | undefined {
    const [id, secret] = basicPair(call.headers.authorization) ?? [args.get('client_id'), args.get('client_secret')]
    if (id !== application.client_id) return failed('invalid_client_id')
    return secret === application.client_secret ? undefined : failed('bad_client_secret')
  }

  const expiring = (refreshToken: string | null) =>
    refreshToken === null ? {} : { refresh_token: refreshToken, expires_in: tokenSeconds }

  const about = {
    app_id: team.appId,
    team: { id: team.id, name: team.name },
    enterprise: null,
    is_enterprise_install: false,
  }

  function refresh(args: ReadonlyMap<string, string>): Reply {
    const rotated = access.rotate(args.get('refresh_token') ?? '')
    if (rotated === undefined) return failed('invalid_refresh_token')
    const { token, accessToken, refreshToken } = rotated
    return fine({
      access_token: accessToken,
      token_type: token.kind,
      scope: token.scopes.join(','),
      ...(token.kind === 'bot' && { bot_user_id: team.botUserId }),
      ...about,
      ...expiring(refreshToken),
    })
  }

  function exchange(args: ReadonlyMap<string, string>): Reply {
    if (args.has('code_verifier')) return failed('pkce_not_allowed')
    const given = consent.redeem(args.get('code') ?? '', args.get('redirect_uri') ?? '', undefined)
    if (given === 'other redirect_uri') return failed('bad_redirect_uri')
    if (typeof given === 'string') return failed('invalid_code')
    if (given.scopes.length === 0) return failed('no_scopes')
    const { accessToken, refreshToken } = access.issue('bot', given.scopes)
    return fine({
      access_token: accessToken,
      token_type: 'bot',
      scope: given.scopes.join(','),
      bot_user_id: team.botUserId,
      ...about,
      authed_user: { id: team.userId },
      ...expiring(refreshToken),
    })
  }

  return {
    consent,
    access(call, args) {
      const wrong = wrongClient(call, args)
      if (wrong !== undefined) return wrong
      const grantType = args.get('grant_type') ?? 'authorization_code'
      if (grantType === 'refresh_token') return refresh(args)
      return grantType === 'authorization_code' ? exchange(args) : failed('invalid_grant_type')
    },
  }
}

function basicPair(authorization: string | undefined): readonly [string, string] | undefined {
  if (!authorization?.startsWith('Basic ')) return undefined
  const pair = Buffer.from(authorization.slice(6), 'base64').toString()
  const colon = pair.indexOf(':')
  return colon < 0 ? undefined : [pair.slice(0, colon), pair.slice(colon + 1)]
}
