/** Tokens of the simulated Slack: their owner, their scopes, and how they end. */
import { type Clock, createTokens, secretsOf } from '../../../kit/simulator.ts'

export interface Token {
  readonly kind: 'bot' | 'user'
  readonly scopes: readonly string[]
}

/** A token in use, as its calls show it. */
export interface Caller extends Token {
  readonly sent: string
  readonly ends: number
}

export type Access = ReturnType<typeof createAccess>

/** Rotating tokens are valid for twelve hours ("Using token rotation"). */
export const tokenSeconds = 43_200

/** Everything that a read here needs, but for search, which takes no bot token. */
const readScopes = [
  ...['users:read', 'users:read.email', 'users.profile:read', 'channels:read', 'channels:history', 'channels:join'],
  ...['groups:read', 'groups:history', 'im:read', 'im:history', 'mpim:read', 'mpim:history', 'files:read'],
  ...['usergroups:read', 'team:read', 'pins:read', 'bookmarks:read', 'reactions:read', 'emoji:read'],
]

const words = { unknown: 'invalid_auth', revoked: 'token_revoked', expired: 'token_expired' } as const

export function createAccess(seed: number, clock: Clock) {
  const secret = secretsOf(seed, 'slack')
  const settings = { rotates: false, removed: false, without: [] as readonly string[] }
  const application = { client_id: `${1_000_000_000 + seed}.${2_000_000_000 + seed}`, client_secret: secret('app') }
  const tokens = createTokens<Token>(clock, (of, number, { kind }, expires) => {
    const prefix = of === 'refresh' ? 'xoxe' : `${expires ? 'xoxe.' : ''}${kind === 'bot' ? 'xoxb' : 'xoxp'}`
    return `${prefix}-${seed}-${number}-${secret(`${of} ${number}`, 24)}`
  })
  const bot = tokens.issue({ kind: 'bot', scopes: readScopes }, null)
  const user = tokens.issue({ kind: 'user', scopes: [...readScopes, 'search:read'] }, null)
  return {
    ...{ application, settings, tokens },
    credentials: [{ api_token: user.accessToken }, { access_token: bot.accessToken, ...application }],
    /** The caller with a token, or the word for why there is none. */
    find(sent = ''): Caller | string {
      if (sent === '') return 'not_authed'
      const found = tokens.find(sent)
      if (found === 'unknown' || found === 'revoked') return words[found]
      if (settings.removed) return 'account_inactive'
      if (found === 'expired') return words[found]
      const { kind, scopes } = found.grant
      return { kind, scopes: scopes.filter((scope) => !settings.without.includes(scope)), sent, ends: found.ends }
    },
    /** Seconds until a token expires; null for one that does not. */
    left: ({ ends }: Caller) => (Number.isFinite(ends) ? Math.floor((ends - clock.now()) / 1000) : null),
  }
}
