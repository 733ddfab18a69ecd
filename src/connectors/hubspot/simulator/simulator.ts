/** The simulated HubSpot: one account with its records, and the application that reads them. */
import { bearerOf, createApi, jsonReply, type Reply, type SimulatedSystem } from '../../../kit/simulator.ts'
import { createAccess } from './access.ts'
import { associationRoutes } from './association-routes.ts'
import { createCallLimits } from './calls.ts'
import { createChanges } from './changes.ts'
import { crmRoutes } from './crm-routes.ts'
import { examplesOf, landmarksOf } from './examples.ts'
import { answerFile, fileRoutes } from './file-routes.ts'
import { createOAuth } from './oauth.ts'
import { portal } from './portal.ts'
import { refusalFor, refused, tokenRefused } from './replies.ts'
import { setupRoutes } from './setup-routes.ts'
import { type Caller, makeWorld, missingScopes, type World } from './world.ts'

const page = (status: number, words: string) => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: `<html><body>${words}</body></html>`,
})

const routes = [...crmRoutes, ...associationRoutes, ...setupRoutes, ...fileRoutes]

export const hubspotSimulator: SimulatedSystem = {
  kind: 'hubspot',
  start({ seed, scale, clock, origin, filesOrigin, callsPerMinute }) {
    const access = createAccess(seed, clock)
    const oauth = createOAuth(access, clock)
    const world = makeWorld(seed, scale, clock, filesOrigin)
    const count = createCallLimits(clock, world.settings, callsPerMinute)
    const landmarks = landmarksOf(world)

    const api = createApi<World, Caller>({
      world,
      clock,
      routes,
      caller(call) {
        const token = access.find(bearerOf(call) ?? '')
        if (token === undefined || access.settings.hub !== 'installed')
          return refused(401, 'INVALID_AUTHENTICATION', 'Authentication credentials not found.')
        if (clock.now() >= token.ends) {
          const when = new Date(token.ends).toISOString()
          return refused(401, 'EXPIRED_AUTHENTICATION', `The OAuth token used to make this call expired at ${when}.`, {
            context: { 'expire time': [when] },
          })
        }
        const counted = count(call, access.application.client_id)
        return 'status' in counted ? (counted as Reply) : { scopes: access.scopesOf(token.grant), headers: counted }
      },
      scopesOf: ({ scopes }) => scopes,
      refusals: {
        noRoute: () => page(404, 'Not found'),
        wrongMethod: () => refused(405, undefined, 'Method not allowed'),
        unreadableBody: () => refused(400, 'VALIDATION_ERROR', 'Invalid input JSON'),
        scope: missingScopes,
        param: ({ name, problem }) => refused(400, 'VALIDATION_ERROR', `${name} is ${problem}`),
        cursor: () => refused(400, 'VALIDATION_ERROR', 'Invalid cursor'),
      },
      reply: (value, { caller }) => jsonReply(200, value, caller.headers),
    })

    return {
      baseUrl: origin,
      credentials: access.credentials,
      consent: oauth.consent,
      landmarks: { portal: String(portal.id), ...landmarks },
      examples: examplesOf(landmarks),
      tour: {
        list: { entity: 'deals', columns: ['properties.dealname', 'properties.amount', 'properties.dealstage'] },
        download: { entity: 'files' },
        search: {
          entity: 'contacts',
          params: { query: { filter: { eq: { 'properties.lifecyclestage': 'customer' } } }, limit: 5 },
          columns: ['properties.firstname', 'properties.email'],
        },
      },
      handle(call) {
        if (call.host === 'files') return answerFile(call, world, clock.now())
        const known = oauth.answer(call)
        if (known !== undefined) return known
        const isTooLong = call.path.length + call.query.length > world.settings.longestAddress
        if (isTooLong) return page(414, 'Request-URI Too Large')
        // A slash at the end changes nothing.
        return api({ ...call, path: call.path.replace(/(?<=.)\/$/, '') })
      },
      refusal: (status, call) =>
        call.path.startsWith('/oauth/')
          ? { ...tokenRefused('BAD_REFRESH_TOKEN', 'invalid_grant', 'missing or invalid refresh token'), status }
          : refusalFor(status),
      ...createChanges(world, access, clock),
    }
  },
}
