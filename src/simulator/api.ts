/** A simulated interface from its routes: finds the route, admits the caller, checks the params, answers. */
import { type CallLimiter, slidingWindow } from './call-limits.ts'
import type { Clock } from './clock.ts'
import type { CursorFault } from './pages.ts'
import { type ArgRules, type ParamFault, readArgs } from './params.ts'
import { decode, readQuery, valuesOf } from './query.ts'
import { orRefusal, Refusal } from './refusal.ts'
import { type Ask, isReply, type Route, routeFinder } from './routes.ts'
import type { Call, Reply } from './system.ts'

/** Calls in a sliding time, counted for each name of a limit and each key. */
export interface RouteLimit {
  readonly calls: number
  readonly seconds: number
}

export interface Refusals<Caller> {
  readonly noRoute: (call: Call) => Reply
  readonly wrongMethod?: (call: Call) => Reply
  readonly unreadableBody?: (call: Call) => Reply
  readonly scope?: (needed: readonly string[], caller: Caller) => Reply
  /** Too many calls; come back after so many seconds. */
  readonly limited?: (seconds: number, limit: string, caller: Caller) => Reply
  readonly param: (fault: ParamFault) => Reply
  readonly cursor?: (fault: CursorFault) => Reply
}

export interface Api<World, Caller> {
  readonly world: World
  readonly clock: Clock
  /** The part of the path before the routes. */
  readonly prefix?: string
  readonly routes: readonly Route<World, Caller>[]
  /** Who calls; a refusal for nobody, or for nobody any more. */
  readonly caller: (call: Call) => Caller | Reply
  readonly scopesOf?: (caller: Caller) => readonly string[]
  readonly args?: ArgRules
  /** By name. With `callsPerMinute`, that number replaces each; null lifts all. */
  readonly limits?: Readonly<Record<string, RouteLimit>>
  readonly callsPerMinute?: number | null | undefined
  /** The limit of a call at this moment, and what it is counted by: one token, one account, one method. */
  readonly limitOf?: (ask: Ask<World, Caller>, route: Route<World, Caller>) => { name: string; key: string } | null
  readonly refusals: Refusals<Caller>
  /** The usual form of an answer. */
  readonly reply: (value: unknown, ask: Ask<World, Caller>, route: Route<World, Caller>) => Reply
}

/** Answers calls in this order: route, caller, scope, limit, params, and then what the route looks up. */
export function createApi<World, Caller>(api: Api<World, Caller>): (call: Call) => Reply {
  const { prefix = '', refusals, world, clock } = api
  const find = routeFinder(api.routes)
  const windows = new Map<string, CallLimiter>()

  function take(ask: Ask<World, Caller>, route: Route<World, Caller>): void {
    const counted = api.limitOf?.(ask, route) ?? (route.limit === undefined ? null : { name: route.limit, key: '' })
    const limit = counted === null ? undefined : api.limits?.[counted.name]
    if (counted === null || limit === undefined || api.callsPerMinute === null) return
    const calls = api.callsPerMinute ?? limit.calls
    const seconds = api.callsPerMinute === undefined ? limit.seconds : 60
    let window = windows.get(counted.name)
    if (window === undefined) {
      window = slidingWindow(clock, seconds)
      windows.set(counted.name, window)
    }
    const wait = window.take(counted.key, calls)
    if (wait !== null) throw refusal(refusals.limited?.(wait, counted.name, ask.caller), 'limited')
  }

  function answer(call: Call): Reply {
    const found = call.path.startsWith(prefix) ? find(call.method, call.path.slice(prefix.length)) : null
    if (found === null) return refusals.noRoute(call)
    if (found === 'wrong method') return (refusals.wrongMethod ?? refusals.noRoute)(call)
    const { route } = found
    const path = Object.fromEntries(Object.entries(found.values).map(([name, value]) => [name, decode(value)]))
    const caller = route.open === true ? (undefined as Caller) : api.caller(call)
    if (isReply(caller)) return caller
    const ask = { world, caller, args: {}, path, call, now: clock.now() }
    if (route.scopes !== undefined && api.scopesOf !== undefined) {
      const granted = api.scopesOf(caller)
      if (!route.scopes.some((one) => granted.includes(one)))
        throw refusal(refusals.scope?.(route.scopes, caller), 'scope')
    }
    take(ask, route)
    route.admit?.(ask)
    const given = argumentsOf(call) ?? refuse(refusals.unreadableBody?.(call), 'body')
    const args = readArgs(route.params, given, (fault) => refuse(refusals.param(fault), fault.name), api.args)
    const checked = { ...ask, args: args as Readonly<Record<string, unknown>> }
    const value = route.answer(checked, (fault) => refuse(refusals.cursor?.(fault), 'cursor'))
    return isReply(value) ? value : api.reply(value, checked, route)
  }

  return (call) => orRefusal(() => answer(call))
}

function refusal(reply: Reply | undefined, about: string): Error {
  return reply === undefined ? new Error(`The system has no words for a refusal: ${about}.`) : new Refusal(reply, about)
}

function refuse(reply: Reply | undefined, about: string): never {
  throw refusal(reply, about)
}

/** The arguments of a call, from its query and its form or JSON body; null for a body that cannot be read. */
export function argumentsOf(call: Call): Map<string, unknown> | null {
  const given = new Map<string, unknown>(valuesOf(readQuery(call.query)))
  if (call.method === 'GET' || call.body === '') return given
  if (!/\bjson\b/i.test(call.headers['content-type'] ?? '')) {
    for (const [name, value] of valuesOf(readQuery(call.body))) given.set(name, value)
    return given
  }
  try {
    const body: unknown = JSON.parse(call.body)
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return null
    for (const [name, value] of Object.entries(body)) given.set(name, value)
    return given
  } catch {
    return null
  }
}

/** The token in a Bearer header. */
export const bearerOf = ({ headers }: Call): string | undefined =>
  headers.authorization?.startsWith('Bearer ') ? headers.authorization.slice(7) : undefined
