/** Grants and tokens of the simulated HubSpot, and how they end. */
import { createHash } from 'node:crypto'
import type { Clock } from '../../../kit/simulator.ts'
import { beyond, type Plan, portal } from './portal.ts'

export interface Grant {
  readonly refreshToken: string
  readonly scopes: readonly string[]
}

export interface AccessToken {
  readonly grant: Grant
  readonly ends: number
}

export interface Access {
  readonly application: { readonly client_id: string; readonly client_secret: string }
  readonly credentials: readonly Readonly<Record<string, string>>[]
  readonly settings: {
    rotates: boolean
    seconds: number
    hub: 'installed' | 'uninstalled' | 'deleted'
    plan: Plan
    /** Scopes that no grant has any more. */
    withheld: readonly string[]
  }
  /** The scopes that a grant has at this moment. */
  scopesOf(grant: Grant): readonly string[]
  find(token: string): AccessToken | undefined
  grant(refreshToken: string): Grant | undefined
  consent(scopes: readonly string[]): Grant
  /** A new access token; with rotation, the grant continues under a new refresh token. */
  issue(grant: Grant): { readonly accessToken: string; readonly grant: Grant }
  /** Ends a refresh token. Its access tokens stay valid to their end ("Manage OAuth tokens"). */
  revoke(refreshToken: string): void
  expireAll(): void
}

export function createAccess(seed: number, clock: Clock): Access {
  const secret = (of: string) => createHash('sha256').update(`hubspot ${seed} ${of}`).digest('hex')
  const uuid = (of: string) => secret(of).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, '$1-$2-$3-$4-$5')
  const tokens = new Map<string, AccessToken>()
  const grants = new Map<string, Grant>()
  const settings: Access['settings'] = {
    rotates: false,
    seconds: 1800,
    hub: 'installed',
    plan: 'enterprise',
    withheld: [],
  }
  const application = { client_id: uuid('application'), client_secret: uuid('secret of the application') }
  let count = 0

  function newGrant(scopes: readonly string[]): Grant {
    count += 1
    const grant = { refreshToken: `na1-${uuid(`refresh ${count}`)}`, scopes }
    grants.set(grant.refreshToken, grant)
    return grant
  }

  function issue(grant: Grant): { accessToken: string; grant: Grant } {
    const own = settings.rotates ? newGrant(grant.scopes) : grant
    if (own !== grant) grants.delete(grant.refreshToken)
    count += 1
    // About as long as real ones, which have outgrown many database columns.
    const accessToken = `C${secret(`access ${count}`)}${secret(`more ${count}`)}.${secret(`end ${count}`)}`
    tokens.set(accessToken, { grant: own, ends: clock.now() + settings.seconds * 1000 })
    return { accessToken, grant: own }
  }

  const first = newGrant(portal.scopes)
  const { accessToken } = issue(first)
  return {
    application,
    credentials: [
      { refresh_token: first.refreshToken, access_token: accessToken, ...application },
      { refresh_token: first.refreshToken, ...application },
    ],
    settings,
    scopesOf: ({ scopes }) =>
      scopes.filter((scope) => !settings.withheld.includes(scope) && !beyond(settings.plan).includes(scope)),
    find: (token) => tokens.get(token),
    grant: (refreshToken) => grants.get(refreshToken),
    consent: newGrant,
    issue,
    revoke: (refreshToken) => void grants.delete(refreshToken),
    expireAll() {
      for (const [token, access] of tokens) tokens.set(token, { ...access, ends: clock.now() })
    },
  }
}
