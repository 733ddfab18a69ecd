/** Tokens of the simulated Slack: their owner, their scopes, and how they end. */

import { createHash } from 'node:crypto'
import { type Clock, createTokens, type Issued } from '../../../kit/simulator.ts'

export interface Token {
  readonly kind: 'bot' | 'user'
  readonly scopes: readonly string[]
}

/** A token in use, as its calls show it. */
export interface Caller extends Token {
  readonly sent: string
  readonly ends: number
}

export type Refused = 'not_authed' | 'invalid_auth' | 'token_revoked' | 'token_expired' | 'account_inactive'

export interface Access {
  readonly application: { readonly client_id: string; readonly client_secret: string }
  readonly credentials: readonly Readonly<Record<string, string>>[]
  readonly settings: { rotates: boolean; removed: boolean; without: readonly string[] }
  find(token: string | undefined): Caller | Refused
  /** Seconds until a token expires; null for one that does not. */
  left(caller: Caller): number | null
  issue(kind: Token['kind'], scopes: readonly string[]): Issued
  /** A new pair for a refresh token, which ends with this use; undefined if it is not valid. */
  rotate(refreshToken: string): (Issued & { readonly token: Token }) | undefined
  revoke(token: string): void
  revokeAll(): void
  expireAll(): void
}

/** Rotating tokens are valid for twelve hours ("Using token rotation"). */
export const tokenSeconds = 43_200

/** Everything that a read here needs, but for search, which takes no bot token. */
const readScopes = [
  ...['users:read', 'users:read.email', 'users.profile:read', 'channels:read', 'channels:history', 'channels:join'],
  ...['groups:read', 'groups:history', 'im:read', 'im:history', 'mpim:read', 'mpim:history', 'files:read'],
  ...['usergroups:read', 'team:read', 'pins:read', 'bookmarks:read', 'reactions:read', 'emoji:read'],
]

export function createAccess(seed: number, clock: Clock): Access {
  const secret = (of: string, length: number) =>
    createHash('sha256').update(`slack ${seed} ${of}`).digest('hex').slice(0, length)
  const settings: Access['settings'] = { rotates: false, removed: false, without: [] }
  const application = { client_id: `${1_000_000_000 + seed}.${2_000_000_000 + seed}`, client_secret: secret('app', 32) }
  const tokens = createTokens<Token>(clock, (of, number, { kind }, expires) => {
    const prefix = of === 'refresh' ? 'xoxe' : `${expires ? 'xoxe.' : ''}${kind === 'bot' ? 'xoxb' : 'xoxp'}`
    return `${prefix}-${seed}-${number}-${secret(`${of} ${number}`, 24)}`
  })
  const bot = tokens.issue({ kind: 'bot', scopes: readScopes }, null)
  const user = tokens.issue({ kind: 'user', scopes: [...readScopes, 'search:read'] }, null)
  return {
    application,
    credentials: [{ api_token: user.accessToken }, { access_token: bot.accessToken, ...application }],
    settings,
    find(sent) {
      if (sent === undefined || sent === '') return 'not_authed'
      const found = tokens.find(sent)
      if (found === 'revoked') return 'token_revoked'
      if (found === 'unknown') return 'invalid_auth'
      if (settings.removed) return 'account_inactive'
      if (found === 'expired') return 'token_expired'
      const { kind, scopes } = found.grant
      return { kind, scopes: scopes.filter((scope) => !settings.without.includes(scope)), sent, ends: found.ends }
    },
    left: ({ ends }) => (Number.isFinite(ends) ? Math.floor((ends - clock.now()) / 1000) : null),
    issue: (kind, scopes) => tokens.issue({ kind, scopes }, settings.rotates ? tokenSeconds : null),
    rotate(refreshToken) {
      const rotated = tokens.refresh(refreshToken, tokenSeconds, true)
      return rotated && { ...rotated, token: rotated.grant }
    },
    revoke: tokens.revoke,
    revokeAll: tokens.revokeAll,
    expireAll: tokens.expireAll,
  }
}
