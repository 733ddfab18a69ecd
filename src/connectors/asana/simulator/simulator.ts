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
import { createAccess } from './access.ts'
import { changesOf } from './changes.ts'
import { prefix } from './declare.ts'
import { createEvents } from './events.ts'
import { examples, tour } from './examples.ts'
import { answerFile } from './file-host.ts'
import { landmarks } from './landmarks.ts'
import { createOAuth, refusal } from './oauth.ts'
import { errorReply, messages, refusalFor } from './refusals.ts'
import { routes } from './routes.ts'
import type { Ask, Caller, System } from './system.ts'
import { createWorld } from './world.ts'

const callsAtOnce = 50
const searchesPerMinute = 60
const callsPerMinute = { free: 150, paid: 1500 } as const
/** Seconds to wait if too many calls are running: most have ended by then. */
const waitForOthers = 5

export const asanaSimulator: SimulatedSystem = { kind: 'asana', start }

function start(surroundings: Surroundings): RunningSystem {
  const { clock, seed, scale, origin, filesOrigin } = surroundings
  const records = createWorld(seed, scale)
  const baseUrl = `${origin}${prefix}`
  const world: System = { ...records, baseUrl, filesOrigin, events: createEvents(records) }
  const access = createAccess(seed, clock)
  const oauth = createOAuth(access, records, clock)
  const limits = { perMinute: surroundings.callsPerMinute as number | null | undefined }
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
    if (leave === null) throw limited(wait ?? waitForOthers)
    call.onEnd(leave)
  }

  const api = createApi<System, Caller>({
    ...{ world, clock, prefix },
    routes: routes.map((route) => ({ ...route, admit })),
    caller(call) {
      const token = access.find(bearerOf(call) ?? '')
      if (typeof token === 'string')
        return errorReply(401, token === 'expired' ? messages.expired : messages.notAuthorized)
      const { user, oauth } = token.grant
      const person = world.find('user', user)
      return person === undefined ? errorReply(401, messages.notAuthorized) : { person, oauth }
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
    ...{ baseUrl, credentials: access.credentials, consent: oauth.consent, landmarks, examples, tour },
    handle(call) {
      if (call.host === 'files') return answerFile(call, world, clock.now())
      return isOAuth(call) ? oauth.answer(call) : api(call)
    },
    refusal: (status, call) =>
      isOAuth(call)
        ? { ...refusal('invalid_grant', 'The `refresh_token` provided was invalid.'), status }
        : refusalFor(status),
    ...changesFrom(changesOf(world, access, clock, limits)),
  }
}

function limited(seconds: number): SimulatedRefusal {
  const reply = errorReply(429, messages.rateLimited)
  const headers = { ...reply.headers, 'retry-after': String(seconds) }
  return new SimulatedRefusal({ ...reply, headers }, messages.rateLimited)
}
