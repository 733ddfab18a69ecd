/** Installing an application: the consent page, and `oauth.v2.access` for codes and rotation (method pages). */
import {
  type Call,
  type Clock,
  createConsentPage,
  createTokenEndpoint,
  type Reply,
  type TokenFault,
} from '../../../kit/simulator.ts'
import { type Access, tokenSeconds } from './access.ts'
import { failed, fine, refuse } from './replies.ts'
import { team } from './team.ts'

const words: Readonly<Record<TokenFault, string>> = {
  'client id': 'invalid_client_id',
  'client secret': 'bad_client_secret',
  'grant type': 'invalid_grant_type',
  'refresh token': 'invalid_refresh_token',
  'other redirect_uri': 'bad_redirect_uri',
  'unknown code': 'invalid_code',
  'wrong verifier': 'invalid_code',
}

export function createOAuth({ application, tokens, settings }: Access, clock: Clock) {
  const consent = createConsentPage({
    title: 'Slack',
    person: `${team.userName} of ${team.name}`,
    ...{ application, clock, separator: ',', pkce: false },
  })

  const token = createTokenEndpoint({
    ...{ consent, tokens },
    settings: {
      rotates: true,
      get seconds() {
        return settings.rotates ? tokenSeconds : null
      },
    },
    grant: ({ scopes }) => (scopes.length === 0 ? refuse('no_scopes') : ({ kind: 'bot', scopes } as const)),
    answer: ({ accessToken, refreshToken }, { kind, scopes }, isNew) =>
      fine({
        ...{ access_token: accessToken, token_type: kind, scope: scopes.join(',') },
        ...(kind === 'bot' && { bot_user_id: team.botUserId }),
        ...{ app_id: team.appId, team: { id: team.id, name: team.name }, enterprise: null },
        is_enterprise_install: false,
        ...(isNew && { authed_user: { id: team.userId } }),
        ...(refreshToken !== null && { refresh_token: refreshToken, expires_in: tokenSeconds }),
      }),
    refuse: (fault) => failed(words[fault]),
  })

  return {
    consent,
    /** `oauth.v2.access`: its arguments as form or query. */
    access(call: Call, args: ReadonlyMap<string, string>): Reply {
      if (args.has('code_verifier')) return failed('pkce_not_allowed')
      return token(new Map([['grant_type', 'authorization_code'], ...args]), call.headers.authorization)
    },
  }
}
