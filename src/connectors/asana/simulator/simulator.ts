/** The simulated Asana: its interface below `/api/1.0`, OAuth below `/-`, attachments' bytes on the file host. */
import {
  bearerOf,
  type Call,
  changesFrom,
  createApi,
  inFlight,
  perMinute,
  type RunningSystem,
  readQuery,
  SimulatedRefusal,
  type SimulatedSystem,
  type Surroundings,
  valuesOf,
} from '../../../kit/simulator.ts'
import { changesOf } from './changes.ts'
import { examples, landmarks, tour } from './examples.ts'
import { answerFile } from './file-host.ts'
import { createAccess, wrongRefreshToken } from './oauth.ts'
import { errorReply, messages, refusalFor } from './refusals.ts'
import { routes } from './routes.ts'
import { type Ask, apiPath, type Caller, createWorld, type World } from './world.ts'

const callsAtOnce = 50
const searchesPerMinute = 60
const callsPerMinute = { free: 150, paid: 1500 } as const
/** Seconds to wait if too many calls are running: most have ended by then. */
const waitForOthers = 5

export const asanaSimulator: SimulatedSystem = { kind: 'asana', start }

function start(surroundings: Surroundings): RunningSystem {
  const { clock, seed } = surroundings
  const world = createWorld(surroundings)
  const { baseUrl, limits } = world
  const access = createAccess(seed, clock, world)
  const minute = perMinute(clock)
  const searchMinute = perMinute(clock)
  const flights = inFlight()

  /** Each token has a minute for all calls, one for searches, and a number of calls at once. */
  function admit({ call, caller }: Ask): void {
    if (limits.perMinute === null) return
    const token = bearerOf(call) ?? ''
    const isPaid = caller.person.workspaces.some((gid) => world.find('workspace', gid)?.paid)
    const most = limits.perMinute ?? callsPerMinute[isPaid ? 'paid' : 'free']
    const isSearch = call.path.endsWith('/tasks/search')
    const searches = Math.max(searchesPerMinute, limits.perMinute ?? 0)
    const wait = minute.take(token, most) ?? (isSearch ? searchMinute.take(token, searches) : null)
    const leave = wait === null ? flights.enter(token, callsAtOnce) : null
    const headers = { 'retry-after': String(wait ?? waitForOthers) }
    if (leave === null) throw new SimulatedRefusal(errorReply(429, messages.rateLimited, headers), 'limited')
    call.onEnd(leave)
  }

  const api = createApi<World, Caller>({
    ...{ world, clock, prefix: apiPath },
    routes: routes.map((route) => ({ ...route, admit })),
    caller(call) {
      const token = access.tokens.find(bearerOf(call) ?? '')
      if (typeof token === 'string')
        return errorReply(401, token === 'expired' ? messages.expired : messages.notAuthorized)
      return { person: world.find('user', token.grant.user)!, oauth: token.grant.oauth }
    },
    refusals: {
      noRoute: () => errorReply(404, messages.noRoute),
      param: ({ name, problem, value, fault = '' }) =>
        errorReply(
          400,
          `${name}: ${problem === 'missing' ? 'Missing input' : fault.replace('%', () => String(value))}`,
        ),
    },
    reply: (value, { call }) => ({
      status: 200,
      headers: { 'content-type': 'application/json; charset=UTF-8' },
      body: JSON.stringify(value, null, valuesOf(readQuery(call.query)).get('opt_pretty') === 'true' ? 2 : undefined),
    }),
  })

  const isOAuth = ({ path }: Call) => path.startsWith('/-/')
  return {
    ...{ baseUrl, credentials: access.credentials, consent: access.consent, landmarks, examples, tour },
    handle(call) {
      if (call.host === 'files') return answerFile(call, world, clock.now())
      return isOAuth(call) ? access.answer(call) : api(call)
    },
    refusal: (status, call) => (isOAuth(call) ? { ...wrongRefreshToken, status } : refusalFor(status)),
    ...changesFrom(changesOf(world, access, clock)),
  }
}
