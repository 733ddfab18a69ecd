/** Callers: the company's access key, and the tokens of its one grant. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../../kit/simulator.ts'
import { second } from './calendar.ts'
import type { State } from './state.ts'

export interface Tokens {
  readonly accessToken: string
  readonly refreshToken: string
}

export interface Access {
  readonly credentials: readonly Readonly<Record<string, string>>[]
  readonly client: { readonly id: string; readonly secret: string }
  /** The credentials of a header; undefined if it has none. */
  caller(authorization: string | undefined): 'key' | 'grant' | undefined
  /** Uses up a refresh token; undefined if it was used before or never existed. */
  refresh(refreshToken: string): Tokens | undefined
  /** A new grant, as from a consent. */
  consent(): Tokens
  expireAll(): void
}

/**
 * Tokens contain their number and a signature, so the simulator stores nothing about them, and tokens from before a
 * restart still work. Each grant is its own line, in which a refresh token dies when it or a later one is used.
 */
export function createAccess(seed: number, clock: Clock, state: State): Access {
  const secret = (of: string, length = 40) =>
    createHash('sha256').update(`${seed} gong ${of}`).digest('base64url').slice(0, length)
  const key = { id: `KEYLWRKS${secret('key', 16)}`, secret: secret('key secret') }
  const client = { id: `keelworks-app-${secret('client', 8)}`, secret: secret('client secret') }
  const basic = `Basic ${Buffer.from(`${key.id}:${key.secret}`).toString('base64')}`
  /** The number of the last used refresh token, by grant. */
  const spent = new Map<number, number>()
  let lastGrant = 0
  /** Access tokens of an earlier generation have ended. */
  let generation = 0
  let issued = 0

  const write = (kind: string, numbers: readonly number[]) =>
    `${kind}.${numbers.map((n) => n.toString(36)).join('.')}.${secret(`${kind} ${numbers.join(' ')}`, 24)}`

  function read(kind: string, token: string): number[] | undefined {
    const parts = token.split('.')
    if (parts[0] !== kind || parts.length < 4) return undefined
    const numbers = parts.slice(1, -1).map((part) => Number.parseInt(part, 36))
    return numbers.every(Number.isSafeInteger) && same(token, write(kind, numbers)) ? numbers : undefined
  }

  function tokens(grant: number, number: number): Tokens {
    issued += 1
    const expires = clock.now() + state.settings.accessTokenSeconds * second
    return { accessToken: write('gat', [generation, expires, issued]), refreshToken: write('grt', [grant, number]) }
  }

  const first = tokens(0, 0)
  return {
    credentials: [
      { access_key: key.id, access_key_secret: key.secret },
      {
        refresh_token: first.refreshToken,
        access_token: first.accessToken,
        client_id: client.id,
        client_secret: client.secret,
      },
    ],
    client,
    caller(authorization = '') {
      if (same(authorization, basic)) return 'key'
      const numbers = authorization.startsWith('Bearer ') ? read('gat', authorization.slice(7)) : undefined
      if (numbers === undefined) return undefined
      const [madeIn, expires = 0] = numbers
      return madeIn === generation && clock.now() < expires ? 'grant' : undefined
    },
    refresh(refreshToken) {
      const [grant, number] = read('grt', refreshToken) ?? []
      if (grant === undefined || number === undefined || number <= (spent.get(grant) ?? -1)) return undefined
      spent.set(grant, number)
      return tokens(grant, number + 1)
    },
    consent() {
      lastGrant += 1
      return tokens(clock.now() * 100 + lastGrant, 0)
    },
    expireAll() {
      generation += 1
    },
  }
}

const same = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a, 'utf8'), Buffer.from(b, 'utf8'))
