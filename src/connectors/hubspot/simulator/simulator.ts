/** The simulated HubSpot: the account and its tokens. Its records come later. */
import {
  type Call,
  jsonReply,
  type Reply,
  type RunningSystem,
  type SimulatedSystem,
  type Surroundings,
} from '../../../kit/simulator.ts'
import { createAccess } from './access.ts'
import { changeHelp, makeChange } from './changes.ts'
import { createOAuth } from './oauth.ts'
import { portal } from './portal.ts'
import { refusalFor, refused, tokenRefused } from './replies.ts'

export const hubspotSimulator: SimulatedSystem = { kind: 'hubspot', start }

function start({ seed, clock, origin }: Surroundings): RunningSystem {
  const access = createAccess(seed, clock)
  const oauth = createOAuth(access, clock)

  /** Null for a caller with a valid token. */
  function unauthorized({ headers }: Call): Reply | null {
    const sent = headers.authorization?.startsWith('Bearer ') ? headers.authorization.slice(7) : ''
    const token = access.find(sent)
    if (token === undefined || access.settings.hub !== 'installed')
      return refused(401, 'INVALID_AUTHENTICATION', 'Authentication credentials not found.')
    if (clock.now() < token.ends) return null
    const when = new Date(token.ends).toISOString()
    return refused(401, 'EXPIRED_AUTHENTICATION', `The OAuth token used to make this call expired at ${when}.`, {
      context: { 'expire time': [when] },
    })
  }

  return {
    baseUrl: origin,
    credentials: access.credentials,
    consent: oauth.consent,
    landmarks: { portal: String(portal.id) },
    // Its records come later.
    examples: {},
    tour: {},
    handle(call) {
      const known = oauth.answer(call)
      if (known !== undefined) return known
      if (call.path !== '/account-info/v3/details' || call.method !== 'GET')
        return { status: 404, headers: { 'content-type': 'text/html' }, body: '<html>Not found</html>' }
      return unauthorized(call) ?? jsonReply(200, details)
    },
    refusal: (status, call) =>
      call.path.startsWith('/oauth/')
        ? { ...tokenRefused('BAD_REFRESH_TOKEN', 'invalid_grant', 'missing or invalid refresh token'), status }
        : refusalFor(status),
    changes: changeHelp,
    change: (change) => makeChange(access, change),
  }
}

const details = {
  portalId: portal.id,
  accountType: 'STANDARD',
  timeZone: 'Europe/Berlin',
  companyCurrency: 'EUR',
  additionalCurrencies: [],
  utcOffset: '+01:00',
  utcOffsetMilliseconds: 3_600_000,
  uiDomain: 'app.hubspot.com',
  dataHostingLocation: 'na1',
}
