/** Tokens of the simulated Asana: personal ones, and those of an application that a person allowed. */
import { createHash } from 'node:crypto'
import { type Clock, createTokens } from '../../../kit/simulator.ts'
import { people } from './company.ts'
import { gidOf } from './gids.ts'

/** What a token stands for. */
export interface Caller {
  readonly user: string
  /** Whether an application acts for the person. */
  readonly oauth: boolean
}

export type Access = ReturnType<typeof createAccess>

export function createAccess(seed: number, clock: Clock) {
  const secret = (of: string, length = 32) =>
    createHash('sha256').update(`${seed} ${of}`).digest('hex').slice(0, length)
  const application = { client_id: `12${String(seed).padStart(14, '0')}`, client_secret: secret('client') }
  const tokens = createTokens<Caller>(clock, (kind, number, { user, oauth }) => {
    const end = secret(`${kind} ${number}`)
    if (kind === 'refresh') return `2/${user}/refresh:${end}`
    return oauth ? `1/${user}:${end}` : `2/${user}/12${secret(`app ${user}`, 14)}:${end}`
  })
  /** How refreshing behaves; changes on demand set it. */
  const settings = { rotates: false, seconds: 3600 }
  const consent = (user: string) => tokens.issue({ user, oauth: true }, settings.seconds)
  const personal = (index: number) => ({
    token: tokens.issue({ user: gidOf('user', index), oauth: false }, null).accessToken,
  })
  const first = consent(gidOf('user', people.two))
  return {
    ...tokens,
    application,
    settings,
    /** A new grant of a person. */
    consent,
    credentials: [
      personal(people.one),
      { refresh_token: first.refreshToken ?? '', access_token: first.accessToken, ...application },
      personal(people.volunteer),
      personal(people.two),
    ] as readonly Readonly<Record<string, string>>[],
  }
}
