/** Tokens of the simulated Slack: their owner, their scopes, and how they end. */
import { createHash } from 'node:crypto'
import type { Clock } from '../../../kit/simulator.ts'

export interface Token {
  readonly kind: 'bot' | 'user'
  readonly scopes: readonly string[]
  /** The refresh token beside it; null for a token that does not expire. */
  readonly refreshToken: string | null
  readonly ends: number
}

export type Refused = 'not_authed' | 'invalid_auth' | 'token_revoked' | 'token_expired' | 'account_inactive'

export interface Issued {
  readonly accessToken: string
  readonly refreshToken: string | null
}

export interface Access {
  readonly application: { readonly client_id: string; readonly client_secret: string }
  readonly credentials: readonly Readonly<Record<string, string>>[]
  readonly settings: { rotates: boolean; removed: boolean }
  find(token: string | undefined): Token | Refused
  /** Seconds until a token expires; null for one that does not. */
  left(token: Token): number | null
  issue(kind: Token['kind'], scopes: readonly string[]): Issued
  /** A new pair for a refresh token, which ends with this use; undefined if it is not valid. */
  rotate(refreshToken: string): (Issued & { readonly token: Token }) | undefined
  revoke(token: string): void
  revokeAll(): void
  expireAll(): void
}

/** Rotating tokens are valid for twelve hours ("Using token rotation"). */
export const tokenSeconds = 43_200

/** The scopes of the reference application. */
const readScopes = ['users:read', 'channels:read', 'channels:history', 'groups:read', 'im:read', 'mpim:read']

export function createAccess(seed: number, clock: Clock): Access {
  const secret = (of: string, length: number) =>
    createHash('sha256').update(`slack ${seed} ${of}`).digest('hex').slice(0, length)
  const tokens = new Map<string, Token>()
  const revoked = new Set<string>()
  const settings = { rotates: false, removed: false }
  const application = { client_id: `${1_000_000_000 + seed}.${2_000_000_000 + seed}`, client_secret: secret('app', 32) }
  let count = 0

  function issue(kind: Token['kind'], scopes: readonly string[], rotates = settings.rotates): Issued {
    count += 1
    const prefix = `${rotates ? 'xoxe.' : ''}${kind === 'bot' ? 'xoxb' : 'xoxp'}`
    const accessToken = `${prefix}-${seed}-${count}-${secret(`access ${count}`, 24)}`
    const refreshToken = rotates ? `xoxe-${seed}-${count}-${secret(`refresh ${count}`, 24)}` : null
    const ends = rotates ? clock.now() + tokenSeconds * 1000 : Number.POSITIVE_INFINITY
    tokens.set(accessToken, { kind, scopes, refreshToken, ends })
    return { accessToken, refreshToken }
  }

  const bot = issue('bot', readScopes)
  const user = issue('user', [...readScopes, 'search:read'])
  return {
    application,
    credentials: [{ access_token: bot.accessToken, ...application }, { api_token: user.accessToken }],
    settings,
    find(token) {
      if (token === undefined || token === '') return 'not_authed'
      if (revoked.has(token)) return 'token_revoked'
      const known = tokens.get(token)
      if (known === undefined) return 'invalid_auth'
      if (settings.removed) return 'account_inactive'
      return clock.now() >= known.ends ? 'token_expired' : known
    },
    left: ({ ends }) => (Number.isFinite(ends) ? Math.floor((ends - clock.now()) / 1000) : null),
    issue: (kind, scopes) => issue(kind, scopes),
    rotate(refreshToken) {
      for (const [accessToken, token] of tokens) {
        if (token.refreshToken !== refreshToken) continue
        tokens.set(accessToken, { ...token, refreshToken: null })
        return { token, ...issue(token.kind, token.scopes, true) }
      }
      return undefined
    },
    revoke(token) {
      tokens.delete(token)
      revoked.add(token)
    },
    revokeAll() {
      for (const token of tokens.keys()) revoked.add(token)
      tokens.clear()
    },
    expireAll() {
      for (const [name, token] of tokens)
        if (Number.isFinite(token.ends)) tokens.set(name, { ...token, ends: clock.now() })
    },
  }
}
