/** The simulated Asana: its interface below `/api/1.0`, OAuth below `/-`, attachments' bytes on the file host. */
import {
  bearerOf,
  type Call,
  decode,
  inFlight,
  orRefusal,
  perMinute,
  type Reply,
  type RunningSystem,
  type SimulatedSystem,
  type Surroundings,
} from '../../../kit/simulator.ts'
import { createAccess } from './access.ts'
import { changeHelp, createChanges } from './changes.ts'
import { createEvents } from './events.ts'
import { examples } from './examples.ts'
import { answerFile } from './file-host.ts'
import { addFixtures, landmarks } from './fixtures.ts'
import { createLists } from './lists.ts'
import { createOAuth, refusal } from './oauth.ts'
import { readParams } from './params.ts'
import { errorReply, messages, refusalFor } from './refusals.ts'
import { createContext, type System } from './request-context.ts'
import { type Route, routes } from './routes.ts'
import { createVisibility } from './visibility.ts'
import { createWorld } from './world.ts'

const prefix = '/api/1.0'
const callsAtOnce = 50
const searchesPerMinute = 60
const callsPerMinute = { free: 150, paid: 1500 } as const
/** Seconds to wait if too many calls are running: most have ended by then. */
const waitForOthers = 5

export const asanaSimulator: SimulatedSystem = { kind: 'asana', start }

function start(surroundings: Surroundings): RunningSystem {
  const { clock, seed, scale } = surroundings
  const world = createWorld(seed, scale)
  addFixtures(world)
  const system: System = {
    world,
    lists: createLists(world),
    visibility: createVisibility(world),
    events: createEvents(world),
    baseUrl: `${surroundings.origin}${prefix}`,
    filesOrigin: surroundings.filesOrigin,
  }
  const access = createAccess(seed, clock)
  const oauth = createOAuth(access, world, clock)
  const limits = { perMinute: surroundings.callsPerMinute }
  const minute = perMinute(clock)
  const searchMinute = perMinute(clock)
  const flights = inFlight()

  function tooMany(call: Call, user: string, searching: boolean): Reply | undefined {
    if (limits.perMinute === null) return undefined
    const token = call.headers.authorization ?? ''
    const person = world.find('user', user)
    const paid = person?.workspaces.some((gid) => world.find('workspace', gid)?.paid) ?? false
    const limit = limits.perMinute ?? (paid ? callsPerMinute.paid : callsPerMinute.free)
    const wait =
      minute.take(token, limit) ??
      (searching ? searchMinute.take(token, Math.max(searchesPerMinute, limits.perMinute ?? 0)) : null)
    if (wait !== null) return limited(wait)
    const leave = flights.enter(token, callsAtOnce)
    if (leave === null) return limited(waitForOthers)
    call.onEnd(leave)
    return undefined
  }

  function answer(call: Call): Reply {
    const found = call.path.startsWith(`${prefix}/`) && call.method === 'GET' ? findRoute(call.path) : undefined
    if (found === undefined) return errorReply(404, messages.noRoute)
    const token = access.find(bearerOf(call) ?? '')
    if (token === 'expired') return errorReply(401, messages.expired)
    if (typeof token === 'string') return errorReply(401, messages.notAuthorized)
    const caller = token.grant
    const refused = tooMany(call, caller.user, found.key === 'workspaces/*/tasks/search')
    if (refused !== undefined) return refused
    const params = readParams(call.query)
    const context = createContext(system, caller, call.path.slice(prefix.length), found.gid, params, clock.now())
    const value = found.route(context)
    const body = params.get('opt_pretty') === 'true' ? JSON.stringify(value, null, 2) : JSON.stringify(value)
    return { status: 200, headers: jsonHeaders, body }
  }

  return {
    baseUrl: system.baseUrl,
    credentials: access.credentials,
    consent: oauth.consent,
    landmarks,
    examples,
    tour: {
      list: { entity: 'project_tasks', columns: ['gid', 'name', 'resource_subtype'] },
      download: { entity: 'attachments' },
      search: {
        entity: 'tasks',
        params: {
          query: {
            filter: { and: [{ eq: { completed: false } }, { keyword: { notes: 'Friday catalog' } }] },
            sort: [{ due_on: 'asc' }],
          },
          limit: 5,
        },
        columns: ['due_on', 'name', 'assignee'],
      },
    },
    handle(call) {
      if (call.host === 'files') return answerFile(call, world, surroundings.filesOrigin, clock.now())
      if (call.path.startsWith('/-/')) return oauth.answer(call)
      return orRefusal(() => answer(call))
    },
    refusal: (status, call) =>
      call.path.startsWith('/-/')
        ? { ...refusal('invalid_grant', 'The `refresh_token` provided was invalid.'), status }
        : refusalFor(status),
    changes: changeHelp,
    change: createChanges({ world, events: system.events, access, clock, limits }),
  }
}

const jsonHeaders = { 'content-type': 'application/json; charset=UTF-8' }

function limited(seconds: number): Reply {
  const reply = errorReply(429, messages.rateLimited)
  return { ...reply, headers: { ...reply.headers, 'retry-after': String(seconds) } }
}

/** The route of a path: every second segment is a gid, all others are words. */
function findRoute(path: string): { route: Route; gid: string; key: string } | undefined {
  const segments = path.slice(prefix.length + 1).split('/')
  const gid = segments[1] ?? ''
  if (segments.length > 1) {
    if (gid === '') return undefined
    segments[1] = '*'
  }
  const key = segments.join('/')
  const route = Object.hasOwn(routes, key) ? routes[key] : undefined
  return route === undefined ? undefined : { route, gid: decode(gid), key }
}
