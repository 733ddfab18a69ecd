/** Callers: the company's access key, and the tokens of its grants. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../../kit/simulator.ts'
import { second } from './calendar.ts'
import type { Settings } from './settings.ts'

export type Access = ReturnType<typeof createAccess>

export const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

export const same = (a: string, b: string): boolean =>
  Buffer.byteLength(a) === Buffer.byteLength(b) && timingSafeEqual(Buffer.from(a), Buffer.from(b))

/**
 * Tokens contain their number and a signature, so the simulator stores nothing about them, and tokens from before a
 * restart still work. Each grant is its own line, in which a refresh token dies when it or a later one is used.
 */
export function createAccess(seed: number, clock: Clock, settings: Settings) {
  const secret = (of: string, length = 40) =>
    createHash('sha256').update(`${seed} gong ${of}`).digest('base64url').slice(0, length)
  const key = { access_key: `KEYLWRKS${secret('key', 16)}`, access_key_secret: secret('key secret') }
  const application = { client_id: `keelworks-app-${secret('client', 8)}`, client_secret: secret('client secret') }
  /** The number of the last used refresh token, by grant. */
  const spent = new Map<number, number>()
  /** Access tokens of an earlier generation have ended. */
  let generation = 0
  let issued = 0

  const write = (kind: string, ...numbers: number[]) =>
    `${kind}.${numbers.map((n) => n.toString(36)).join('.')}.${secret(`${kind} ${numbers.join(' ')}`, 24)}`

  /** The numbers in a token; none in one that was not written here. */
  function read(kind: string, token: string): readonly number[] {
    const numbers = token.split('.').slice(1, -1)
    const found = numbers.map((part) => Number.parseInt(part, 36))
    return same(token, write(kind, ...found)) ? found : []
  }

  function issue(grant: number, number: number) {
    issued += 1
    const ends = clock.now() + settings.access_token_seconds * second
    return { access_token: write('gat', generation, ends, issued), refresh_token: write('grt', grant, number) }
  }

  return {
    credentials: [key, { ...issue(0, 0), ...application }],
    application,
    /** What the credentials in a header are; undefined if they are not valid. */
    caller(authorization = ''): 'key' | 'grant' | undefined {
      if (same(authorization, basic(key.access_key, key.access_key_secret))) return 'key'
      const [madeIn, ends = 0] = read('gat', authorization.replace(/^Bearer /, ''))
      return madeIn === generation && clock.now() < ends ? 'grant' : undefined
    },
    /** Uses up a refresh token; undefined if it was used before or never existed. */
    refresh(token: string) {
      const [grant, number] = read('grt', token)
      if (grant === undefined || number === undefined || number <= (spent.get(grant) ?? -1)) return undefined
      spent.set(grant, number)
      return issue(grant, number + 1)
    },
    /** A new grant, as from a consent. */
    consent: () => issue(clock.now() * 100 + issued, 0),
    expireAll() {
      generation += 1
    },
  }
}
