/** Keeps calls below what a system takes: every call waits for its turn, in the order in which they came. */
import { createHash } from 'node:crypto'
import type { AuthMethod, Credentials } from '../catalog/authorization.ts'
import type { Connector } from '../catalog/connector.ts'
import type { CallLimit } from '../catalog/limit.ts'
import { ConexError } from '../errors.ts'
import { customerAddress } from './authorize.ts'
import type { EngineSettings } from './settings.ts'

/** What a call that waits has to say of itself. */
export interface Waiting {
  readonly connector: Connector
  /** Where it goes unless the credentials name an address of their own. */
  readonly baseUrl: string
  readonly signal: AbortSignal
  /** Milliseconds since 1970 after which waiting is of no use. */
  readonly endsAt: number
  /** Work for a copy: it takes only what callers leave, and never the last tenth of a long stretch. */
  readonly background?: boolean | undefined
}

export interface Limiter {
  /**
   * Waits until one more call fits the limits of the kind, and tells whether it had to. Throws `upstream_rate_limited` at
   * once when that would last longer than the call may, and the signal's reason when the caller has gone.
   */
  turn(call: Waiting, method: AuthMethod, credentials: Credentials): Promise<boolean>
  /** What is left in the longest stretch that the kind's limits speak of; null without limits. */
  budget(
    call: Pick<Waiting, 'connector' | 'baseUrl'>,
    method: AuthMethod,
    credentials: Credentials,
  ): { readonly remaining: number; readonly resetsAt: number } | null
}

/** The most sets of credentials that are remembered; the one used longest ago is forgotten first. */
const mostRemembered = 10_000

/** One limiter for all calls of an engine. Other nodes and a restart are not seen: for them the system's own refusals remain. */
export function createLimiter({ clock, limits: ofOperator }: EngineSettings): Limiter {
  const queues = new Map<string, Turns>()

  function turnsOf(key: string, limits: readonly CallLimit[]): Turns {
    const turns = queues.get(key) ?? createTurns(limits)
    // Set anew, so that the first key is always the one used longest ago.
    queues.delete(key)
    queues.set(key, turns)
    if (queues.size > mostRemembered) queues.delete(queues.keys().next().value!)
    return turns
  }

  function turnsFor(
    { connector, baseUrl }: Pick<Waiting, 'connector' | 'baseUrl'>,
    method: AuthMethod,
    credentials: Credentials,
  ): Turns | null {
    const limits = ofOperator[connector.kind] ?? connector.limits
    if (limits === undefined || limits.length === 0) return null
    // An address of its own tells one customer from all others, whatever tokens it uses.
    const owner = customerAddress(method, credentials) ?? `${baseUrl} ${hashOf(method, credentials)}`
    return turnsOf(`${connector.kind} ${owner}`, limits)
  }

  return {
    async turn(call, method, credentials) {
      const turns = turnsFor(call, method, credentials)
      if (turns === null) return false
      let waited = false
      for (;;) {
        const now = clock.now()
        const wait = (call.background ? turns.idle(now) : turns.next(now)) - now
        if (now + wait >= call.endsAt)
          throw new ConexError(
            'upstream_rate_limited',
            `${call.connector.title} takes no more calls of these credentials for now, so this one was not sent; repeat it after the time in retry_after.`,
            { retryAfter: Math.ceil(wait / 1000) },
          )
        // A caller's moment is given away now; work for a copy looks again, since a caller may have come before it.
        if (wait <= 0 || !call.background) turns.take(now)
        if (wait <= 0) return waited
        await clock.sleep(wait, call.signal)
        waited = true
        if (!call.background) return true
      }
    },

    budget(call, method, credentials) {
      return turnsFor(call, method, credentials)?.left(clock.now()) ?? null
    },
  }
}

/** Tells credentials apart by what a renewal changes least. */
function hashOf({ authorization: style }: AuthMethod, credentials: Credentials): string {
  const lasting =
    style.style === 'basic'
      ? [style.user, style.password]
      : [style.style === 'bearer' ? style.token : style.refreshToken]
  const text = lasting.map((field) => credentials[field] ?? '').join(':')
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}

interface Turns {
  /** When the next call may go: now, or later. */
  next(now: number): number
  /** When a call may go that others come before. */
  idle(now: number): number
  /** Gives that moment away. A call that is given up while it waits keeps it. */
  take(now: number): void
  left(now: number): { readonly remaining: number; readonly resetsAt: number }
}

/** Moments are given away in rising order, so that for each limit the last ones say when the next is free. */
function createTurns(limits: readonly CallLimit[]): Turns {
  const windows = limits.map(createWindow)
  const longest = windows.reduce((one, other) => (other.seconds > one.seconds ? other : one))
  let last = 0
  const next = (now: number): number => Math.max(now, last, ...windows.map((window) => window.next()))
  return {
    next,
    idle: (now) => Math.max(next(now), ...windows.map((window) => window.unreserved(now))),
    take(now) {
      last = next(now)
      for (const window of windows) window.take(last)
    },
    left: (now) => ({ remaining: longest.remaining(now), resetsAt: longest.resetsAt(now) }),
  }
}

/** The most moments that one limit remembers; beyond it they are kept in groups. */
const mostMoments = 100
/** Of limits over less than that nothing is kept back: what is used up comes back soon. */
const longStretch = 600

interface Window {
  readonly seconds: number
  next(): number
  take(moment: number): void
  remaining(now: number): number
  resetsAt(now: number): number
  /** When more than the last tenth is free. */
  unreserved(now: number): number
}

/** A stretch of time that slides. Of large limits only every so-manyth moment is kept, which errs towards fewer calls. */
function createWindow({ calls, seconds }: CallLimit): Window {
  const group = Math.ceil(calls / mostMoments)
  const groups = Math.max(1, Math.floor(calls / group))
  /** The last moment of each of the last groups, in a ring. */
  const moments: number[] = []
  let taken = 0
  const span = seconds * 1000
  const recent = (now: number): number[] => moments.filter((moment) => moment + span > now)
  const reserved = seconds < longStretch ? 0 : Math.ceil(calls / 10)
  const remaining = (now: number): number => {
    const unfilled = taken % group === 0 ? 0 : group - (taken % group)
    return Math.max(0, calls - recent(now).length * group + unfilled)
  }
  return {
    seconds,
    next() {
      const place = Math.floor(taken / group) % groups
      const opens = taken % group === 0 && moments[place] !== undefined
      return opens ? moments[place]! + span : 0
    },
    take(moment) {
      moments[Math.floor(taken / group) % groups] = moment
      taken++
    },
    remaining,
    resetsAt: (now) => Math.max(now, ...recent(now).map((moment) => moment + span)),
    unreserved(now) {
      if (reserved === 0 || remaining(now) > reserved) return now
      return Math.min(...recent(now).map((moment) => moment + span))
    },
  }
}
