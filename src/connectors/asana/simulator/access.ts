/** Callers: personal tokens, applications' access and refresh tokens, and how long each is valid. */
import { createHash } from 'node:crypto'
import type { Clock } from '../../../kit/simulator.ts'
import { gidOf } from './gids.ts'
import { people } from './organization.ts'

export interface Grant {
  readonly user: string
  readonly refreshToken: string
}

export interface Caller {
  readonly user: string
  readonly oauth: boolean
}

export interface Access {
  readonly credentials: readonly Readonly<Record<string, string>>[]
  readonly client: { readonly id: string; readonly secret: string }
  /** How refreshing behaves; changes on demand set it. */
  readonly settings: { rotates: boolean; seconds: number }
  /** The owner of the token in the header; 'expired' for an access token that was valid once. */
  caller(authorization: string | undefined): Caller | 'expired' | undefined
  grant(refreshToken: string): Grant | undefined
  /** A new access token, and a new refresh token if those rotate. */
  refresh(grant: Grant): { accessToken: string; refreshToken?: string }
  /** A new grant for a person, as from a consent. */
  consent(user: string): { accessToken: string; refreshToken: string }
  /** Ends a refresh token and every token issued from it. */
  revoke(refreshToken: string): void
  expireAll(): void
}

export function createAccess(seed: number, clock: Clock): Access {
  const secret = (of: string, length = 32) =>
    createHash('sha256').update(`${seed} ${of}`).digest('hex').slice(0, length)
  const personal = (index: number) =>
    `2/${gidOf('user', index)}/12${secret(`app ${index}`, 14)}:${secret(`token ${index}`)}`
  const client = { id: `12${String(seed).padStart(14, '0')}`, secret: secret('client') }
  const pats = new Map(
    [people.one, people.two, people.volunteer].map((index) => [personal(index), gidOf('user', index)]),
  )
  const grants = new Map<string, Grant>()
  const issued = new Map<string, { grant: Grant; expires: number }>()
  const settings = { rotates: false, seconds: 3600 }
  let count = 0

  function issue(grant: Grant): string {
    count += 1
    const token = `1/${grant.user}:${secret(`access ${count}`)}`
    // Forget tokens that ended long ago; nobody can tell them from unknown ones any more.
    if (issued.size > 10_000) issued.delete(issued.keys().next().value as string)
    issued.set(token, { grant, expires: clock.now() + settings.seconds * 1000 })
    return token
  }

  function newGrant(user: string): Grant {
    count += 1
    const grant = { user, refreshToken: `2/${user}/refresh:${secret(`refresh ${count}`)}` }
    grants.set(grant.refreshToken, grant)
    return grant
  }

  const first = newGrant(gidOf('user', people.two))
  const self: Access = {
    credentials: [
      { token: personal(people.one) },
      {
        refresh_token: first.refreshToken,
        access_token: issue(first),
        client_id: client.id,
        client_secret: client.secret,
      },
      { token: personal(people.volunteer) },
      { token: personal(people.two) },
    ],
    client,
    settings,
    caller(authorization) {
      const token = authorization?.startsWith('Bearer ') ? authorization.slice(7) : ''
      const person = pats.get(token)
      if (person !== undefined) return { user: person, oauth: false }
      const access = issued.get(token)
      if (access === undefined) return undefined
      return clock.now() >= access.expires ? 'expired' : { user: access.grant.user, oauth: true }
    },
    grant: (refreshToken) => grants.get(refreshToken),
    refresh(grant) {
      if (!settings.rotates) return { accessToken: issue(grant) }
      grants.delete(grant.refreshToken)
      const next = newGrant(grant.user)
      return { accessToken: issue(next), refreshToken: next.refreshToken }
    },
    consent(user) {
      const grant = newGrant(user)
      return { accessToken: issue(grant), refreshToken: grant.refreshToken }
    },
    revoke(refreshToken) {
      grants.delete(refreshToken)
      for (const [token, access] of issued) if (access.grant.refreshToken === refreshToken) issued.delete(token)
    },
    expireAll() {
      for (const access of issued.values()) access.expires = clock.now()
    },
  }
  return self
}
