/** The simulated Gong: its interface below `/v2` and `/company-17/v2`, OAuth below `/oauth2`, recordings on the file host. */
import {
  type Call,
  createApi,
  type Reply,
  type RunningSystem,
  type SimulatedSystem,
  type Surroundings,
} from '../../../kit/simulator.ts'
import { createAccess } from './access.ts'
import { createChanges } from './changes.ts'
import type { Caller } from './declare.ts'
import { examplesAt, landmarksOf } from './examples.ts'
import { answerMedia } from './media-host.ts'
import { createOAuth } from './oauth.ts'
import { answerReply, errorReply, messages, refusalFor, scopeMissing } from './replies.ts'
import { routes, scopes } from './routes.ts'
import { company } from './vocabulary.ts'
import { createWorld, type World } from './world.ts'

export const gongSimulator: SimulatedSystem = { kind: 'gong', start }

/** The company's own host, as a path: grants work only below it. */
const companyPrefix = `/company-${company.number}`

function start(surroundings: Surroundings): RunningSystem {
  const { seed, clock, origin } = surroundings
  const world = createWorld(surroundings)
  const { settings, missingScopes } = world
  const access = createAccess(seed, clock, settings)
  const oauth = createOAuth(access, world, clock, `${origin}${companyPrefix}`)
  const landmarks = landmarksOf(world, clock.now())

  function callerOf(call: Call): Caller | Reply {
    const found = access.caller(call.headers.authorization)
    if (found === undefined) return errorReply(401, messages.unauthorized)
    if (settings.inactive) return errorReply(401, messages.inactive)
    if (found === 'grant' && !call.path.startsWith(companyPrefix)) return errorReply(401, messages.wrongHost)
    if (found === 'key' && settings.wrong_address) return errorReply(403, messages.wrongAddress)
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
        noRoute: () => errorReply(404, messages.noRoute),
        wrongMethod: () => errorReply(405, messages.wrongMethod),
        unreadableBody: () => errorReply(400, messages.badBody),
        scope: ([needed = '']) => errorReply(401, scopeMissing(needed)),
        param({ name, problem, fault = 'is not valid' }) {
          if (name === 'cursor') return errorReply(400, messages.badCursor)
          if (problem === 'missing') return errorReply(400, `${name}: is required`)
          return errorReply(400, fault === messages.badRequest ? fault : `${name}: ${fault}`)
        },
        cursor: (fault) => errorReply(400, fault === 'expired' ? messages.staleCursor : messages.badCursor),
      },
      reply: (value) => answerReply(value as object),
    })
  const [general, ofCompany] = [apiBelow('/v2'), apiBelow(`${companyPrefix}/v2`)]

  function handle(call: Call): Reply {
    if (call.host === 'files') return answerMedia(call, world, clock.now())
    if (call.path.startsWith('/oauth2/')) return oauth.answer(call)
    const api = call.path.startsWith(`${companyPrefix}/`) ? ofCompany : general
    // A POST is read from its body alone.
    const reply = api(call.method === 'POST' ? { ...call, query: '' } : call)
    return settings.bare_ids ? withBareIds(reply) : reply
  }

  return {
    baseUrl: origin,
    credentials: access.credentials,
    consent: oauth.consent,
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
