/** The simulated HubSpot: one account with its records, and the application that reads them. */
import {
  bearerOf,
  type Call,
  createApi,
  jsonReply,
  type Reply,
  type SimulatedSystem,
  type Surroundings,
} from '../../../kit/simulator.ts'
import { associationRoutes } from './association-routes.ts'
import { createCallLimits } from './calls.ts'
import { createChanges } from './changes.ts'
import { crmRoutes } from './crm-routes.ts'
import { examplesOf, landmarksOf } from './examples.ts'
import { answerFile, fileRoutes } from './file-routes.ts'
import { type Access, createAccess } from './oauth.ts'
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
  start(surroundings) {
    const { seed, clock, origin } = surroundings
    const access = createAccess(seed, clock)
    let opened: Account | undefined
    // Its records are many, and most programs that start all systems call another one.
    const account = (): Account => (opened ??= openAccount(surroundings, access))

    return {
      baseUrl: origin,
      credentials: access.credentials,
      consent: access.consent,
      get landmarks() {
        return account().landmarks
      },
      get examples() {
        return examplesOf(account().landmarks)
      },
      tour: {
        list: { entity: 'deals', columns: ['properties.dealname', 'properties.amount', 'properties.dealstage'] },
        download: { entity: 'files' },
        search: {
          entity: 'contacts',
          params: { query: { filter: { eq: { 'properties.lifecyclestage': 'customer' } } }, limit: 5 },
          columns: ['properties.firstname', 'properties.email'],
        },
      },
      handle: (call) => (call.host === 'files' ? undefined : access.answer(call)) ?? account().handle(call),
      refusal: (status, call) =>
        call.path.startsWith('/oauth/')
          ? { ...tokenRefused('BAD_REFRESH_TOKEN', 'invalid_grant', 'missing or invalid refresh token'), status }
          : refusalFor(status),
      get changes() {
        return account().changes
      },
      change: (change) => account().change(change),
    }
  },
}

type Account = ReturnType<typeof openAccount>

function openAccount({ seed, scale, clock, filesOrigin, callsPerMinute }: Surroundings, access: Access) {
  const world = makeWorld(seed, scale, clock, filesOrigin)
  const count = createCallLimits(clock, world.settings, callsPerMinute)

  const api = createApi<World, Caller>({
    world,
    clock,
    routes,
    caller(call) {
      const sent = bearerOf(call) ?? ''
      const token = access.tokens.find(sent)
      if (token === 'unknown' || token === 'revoked' || access.settings.hub !== 'installed')
        return refused(401, 'INVALID_AUTHENTICATION', 'Authentication credentials not found.')
      if (token === 'expired') {
        const when = new Date(access.tokens.endOf(sent)!).toISOString()
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
    landmarks: { portal: String(portal.id), ...landmarksOf(world) },
    handle(call: Call): Reply {
      if (call.host === 'files') return answerFile(call, world, clock.now())
      const isTooLong = call.path.length + call.query.length > world.settings.longestAddress
      if (isTooLong) return page(414, 'Request-URI Too Large')
      // A slash at the end changes nothing.
      return api({ ...call, path: call.path.replace(/(?<=.)\/$/, '') })
    },
    ...createChanges(world, access, clock),
  }
}
