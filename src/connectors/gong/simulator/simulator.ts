/** The simulated Gong: its interface below `/v2` and `/company-17/v2`, OAuth below `/oauth2`, recordings on the file host. */
import {
  type Call,
  createApi,
  type Reply,
  type RunningSystem,
  type SimulatedSystem,
  type Surroundings,
} from '../../../kit/simulator.ts'
import { createChanges } from './changes.ts'
import type { Caller } from './declare.ts'
import { examplesAt, landmarksOf } from './examples.ts'
import { answerMedia } from './media-host.ts'
import { createAccess } from './oauth.ts'
import { badId } from './params.ts'
import { answerReply, errorReply, refusalFor, scopeMissing } from './replies.ts'
import { routes, scopes } from './routes.ts'
import { company } from './vocabulary.ts'
import { createWorld, type World } from './world.ts'

export const gongSimulator: SimulatedSystem = { kind: 'gong', start }

/** The company's own host, as a path: grants work only below it. */
const companyPrefix = `/company-${company.number}`

const badCursor = 'Invalid cursor'

function start(surroundings: Surroundings): RunningSystem {
  const { seed, clock, origin } = surroundings
  const world = createWorld(surroundings)
  const { settings, missingScopes } = world
  const access = createAccess(seed, clock, world, `${origin}${companyPrefix}`)
  const landmarks = landmarksOf(world, clock.now())

  function callerOf(call: Call): Caller | Reply {
    const found = access.caller(call.headers.authorization)
    if (found === undefined) return errorReply(401)
    if (settings.inactive) return errorReply(401, 'Company is inactive')
    if (found === 'grant' && !call.path.startsWith(companyPrefix))
      return errorReply(401, 'Unauthorized: access token has been revoked')
    if (found === 'key' && settings.wrong_address) return errorReply(403)
    return { scopes: scopes.filter((scope) => !missingScopes.has(scope)) }
  }

  const apiBelow = (prefix: string) =>
    createApi<World, Caller>({
      world,
      clock,
      prefix,
      routes,
      caller: callerOf,
      scopesOf: (caller) => caller.scopes,
      refusals: {
        noRoute: () => errorReply(404),
        wrongMethod: () => errorReply(405),
        unreadableBody: () => errorReply(400, 'Failed to read the request body: malformed JSON'),
        scope: ([needed = '']) => errorReply(401, scopeMissing(needed)),
        param({ name, problem, fault = 'is not valid' }) {
          if (name === 'cursor') return errorReply(400, badCursor)
          if (problem === 'missing') return errorReply(400, `${name}: is required`)
          return fault === badId.fault ? errorReply(400) : errorReply(400, `${name}: ${fault}`)
        },
        cursor: (fault) => errorReply(400, fault === 'expired' ? 'cursor has expired' : badCursor),
      },
      reply: (value) => answerReply(value as object),
    })
  const [general, ofCompany] = [apiBelow('/v2'), apiBelow(`${companyPrefix}/v2`)]

  function handle(call: Call): Reply {
    if (call.host === 'files') return answerMedia(call, world, clock.now())
    if (call.path.startsWith('/oauth2/')) return access.answer(call)
    const api = call.path.startsWith(`${companyPrefix}/`) ? ofCompany : general
    // A POST is read from its body alone.
    const reply = api(call.method === 'POST' ? { ...call, query: '' } : call)
    return settings.bare_ids ? withBareIds(reply) : reply
  }

  return {
    baseUrl: origin,
    credentials: access.credentials,
    consent: access.consent,
    landmarks,
    examples: examplesAt(landmarks, clock.now()),
    tour: {
      list: { entity: 'calls', columns: ['title', 'started', 'system'] },
      download: { entity: 'call_audio' },
      search: {
        entity: 'users',
        params: {
          query: { filter: { and: [{ eq: { active: true } }, { like: { title: '%manager%' } }] } },
          limit: 5,
        },
        columns: ['firstName', 'lastName', 'title'],
      },
    },
    handle,
    refusal: refusalFor,
    ...createChanges(world, access),
  }
}

/** Long ids as bare numbers, everywhere. */
const withBareIds = (reply: Reply): Reply =>
  typeof reply.body === 'string' ? { ...reply, body: reply.body.replaceAll(/"(\d{18,19})"/g, '$1') } : reply
