/** Keeps calls below what a system takes: each waits for its moment, in the order in which they came, on all nodes together. */
import { createHash } from 'node:crypto'
import type { AuthMethod, Credentials } from '../../catalog/authorization.ts'
import type { Connector } from '../../catalog/connector.ts'
import type { CallLimit } from '../../catalog/limit.ts'
import type { UpstreamAnswer } from '../../catalog/refusal.ts'
import { ConexError } from '../../errors.ts'
import { Semaphore } from '../../semaphore.ts'
import { customerAddress } from '../oauth/authorize.ts'
import type { EngineSettings } from '../settings.ts'
import type { Block, Budget, CallCount } from './call-count.ts'
import { ledgersInMemory, type SharedLedger, shareLedger } from './shared-ledger.ts'

/** A call that may have to wait. */
export interface Waiting {
  readonly connector: Connector
  /** Where it goes unless the credentials name an address of their own. */
  readonly baseUrl: string
  readonly signal: AbortSignal
  /** Milliseconds since 1970 after which waiting is of no use. */
  readonly endsAt: number
  /** Work for a copy: it takes only what callers leave. */
  readonly background?: boolean | undefined
}

/** How the limits of a kind stand on this node. */
export interface LimitLoad {
  /** Calls that wait for their moment. */
  readonly waiting: number
  /** The fewest calls left to a set of credentials in use; null where none are counted. */
  readonly remaining: number | null
}

/** Finds the allowance of credentials. */
export interface Limiter {
  (call: Pick<Waiting, 'connector' | 'baseUrl'>, method: AuthMethod, credentials: Credentials): Allowance
  /** By kind, as this node knows it without asking the store. */
  load(): ReadonlyMap<string, LimitLoad>
}

/** The most sets of credentials that are remembered; the one used longest ago is forgotten first. */
const mostRemembered = 10_000

/** A store that fails does so for every call. */
const toldEveryMs = 60_000

/** One limiter for all calls of an engine. */
export function createLimiter(settings: EngineSettings): Limiter {
  const remembered = new Map<string, Allowance>()
  const shared = settings.ledgers ?? ledgersInMemory(mostRemembered)
  let toldAt = Number.NEGATIVE_INFINITY

  function tellOfFailure(error: unknown): void {
    if (performance.now() - toldAt < toldEveryMs) return
    toldAt = performance.now()
    settings.log.error({ reason: String(error) }, 'calls could not be counted in the store; this node counts alone')
  }

  function load(): ReadonlyMap<string, LimitLoad> {
    const loads = new Map<string, LimitLoad>()
    for (const { kind, waiting, seen } of remembered.values()) {
      const before = loads.get(kind) ?? { waiting: 0, remaining: null }
      const left = seen()?.remaining ?? Number.POSITIVE_INFINITY
      const fewest = Math.min(before.remaining ?? Number.POSITIVE_INFINITY, left)
      const remaining = fewest === Number.POSITIVE_INFINITY ? null : fewest
      loads.set(kind, { waiting: before.waiting + waiting(), remaining })
    }
    return loads
  }

  const find = (...[{ connector, baseUrl }, method, credentials]: Parameters<Limiter>): Allowance => {
    const limits = settings.limits[connector.kind] ?? connector.limits
    if (limits === undefined || limits.length === 0) return unlimited
    // An address of its own tells one customer from all others, whatever tokens it uses.
    const owner = customerAddress(method, credentials) ?? `${baseUrl} ${lastingOf(method, credentials)}`
    const key = createHash('sha256').update(`facts ${connector.kind} ${owner}`).digest('base64url')
    const found =
      remembered.get(key) ??
      createAllowance(
        settings,
        connector.kind,
        limits,
        shareLedger(shared, key, limits, settings.clock.now, tellOfFailure),
      )
    // Set anew, so that the first key is always the one used longest ago.
    remembered.delete(key)
    remembered.set(key, found)
    if (remembered.size > mostRemembered) remembered.delete(remembered.keys().next().value!)
    return found
  }
  return Object.assign(find, { load })
}

/** Tells credentials apart by what a renewal changes least. */
function lastingOf({ authorization: style }: AuthMethod, credentials: Credentials): string {
  const lasting =
    style.style === 'basic' ? [style.user, style.password] : [style.style === 'bearer' ? style.token : 'refresh_token']
  return lasting.map((field) => credentials[field] ?? '').join(':')
}

/** When a call goes, or when it may ask again where no moment was given to it. */
interface Moment {
  readonly given: boolean
  readonly at: number
}

/** The calls of one set of credentials, which are limited apart from all others. */
export type Allowance = ReturnType<typeof createAllowance>

function createAllowance({ clock }: EngineSettings, kind: string, limits: readonly CallLimit[], shared: SharedLedger) {
  /** Blocks in the hands of this node, of calls and of syncs, by name: a sync gets nothing out of a block that was set aside for callers. */
  const held = new Map<string, Block>()
  let places: Semaphore | null = null
  let waitingCalls = 0

  /** The name under which a limit counts a call with this path by itself, or ''. */
  const nameOf = (path: string): string => limits.find(({ only }) => only?.path.test(path))?.only?.name ?? ''

  async function momentOf(name: string, background: boolean, latest: number): Promise<Moment> {
    if (!limits.some(({ only }) => only === undefined || only.name === name))
      return { given: true, at: Math.max(clock.now(), shared.seen().closedUntil(name)) }
    const key = `${name} ${background}`
    const fromHeld = (): Moment | null => {
      const block = held.get(key)
      const now = clock.now()
      if (block === undefined || block.calls === 0 || block.until < now) return null
      const at = Math.max(block.from, now, shared.seen().closedUntil(name))
      if (at > Math.min(latest, block.until)) return null
      block.calls--
      return { given: true, at }
    }
    const fromLedger = async (): Promise<Moment> => {
      const wornOut = [...held].filter(([, { until }]) => until < clock.now())
      const found = await shared.change((count) => {
        for (const [, block] of wornOut) count.giveBack(block)
        return count.setAside(name, background, latest)
      })
      for (const [old] of wornOut) held.delete(old)
      if (typeof found === 'number') return { given: false, at: found }
      held.set(key, { ...found, calls: found.calls - 1 })
      return { given: true, at: found.from }
    }
    return fromHeld() ?? shared.inOrder(async () => fromHeld() ?? fromLedger())
  }

  function leftOf(count: CallCount): Budget | null {
    for (const block of held.values()) count.giveBack(block)
    return count.left()
  }

  const change = (make: (count: CallCount) => void): Promise<void> => shared.inOrder(() => shared.change(make))

  return {
    /**
     * Waits until one more call with this path fits the limits of the kind, and tells whether it had to. Throws
     * `upstream_rate_limited` at once when that would last longer than the call may, and the signal's reason when the caller
     * has gone.
     */
    async admit({ connector, signal, endsAt, background = false }: Waiting, path: string): Promise<boolean> {
      const name = nameOf(path)
      for (let waited = false; ; waited = true) {
        const { given, at } = await momentOf(name, background, endsAt - 1)
        const wait = at - clock.now()
        if (at >= endsAt)
          throw new ConexError(
            'upstream_rate_limited',
            `${connector.title} takes no more calls of these credentials for now, so this one was not sent; repeat it after the time in retry_after.`,
            { retryAfter: Math.ceil(wait / 1000) },
          )
        if (given && wait <= 0) return waited
        waitingCalls++
        await clock.sleep(Math.max(0, wait), signal).finally(() => {
          waitingCalls--
        })
        // The system may have asked for silence meanwhile.
        if (given && shared.seen().closedUntil(name) <= clock.now()) return true
      }
    },

    /** Waits for a place among the requests under way; gives how to leave it. */
    async enter({ connector, signal, background }: Waiting): Promise<() => void> {
      if (connector.atOnce === undefined) return () => {}
      places ??= new Semaphore(connector.atOnce)
      await places.take(1, signal, background)
      return () => places!.give(1)
    },

    /** The system refused the call and asked for so many milliseconds of silence, from whatever node. */
    close: (path: string, milliseconds: number): Promise<void> =>
      change((count) => count.close(nameOf(path), milliseconds)),

    /** Takes note of what an answer tells of the system's own count. */
    async told(connector: Connector, headers: UpstreamAnswer['headers']): Promise<void> {
      const usage = connector.usage?.(headers) ?? null
      if (usage === null) return
      const [before, after] = [shared.seen(), shared.seen()]
      after.note(usage)
      // Told to the others when it matters to them, or has moved by a hundredth.
      const turned = before.quietUntil() > 0 !== after.quietUntil() > 0
      const moved =
        Math.abs((before.usage?.remaining ?? Number.POSITIVE_INFINITY) - usage.remaining) * 100 >= usage.calls
      if (turned || moved) await change((count) => count.note(usage))
    },

    /** The calls left; null where none are counted. */
    budget: async (): Promise<Budget | null> => leftOf(await shared.read()),

    kind,

    /** The calls that wait for their moment. */
    waiting: (): number => waitingCalls,

    /** The same as `budget`, as this node saw it last. */
    seen: (): Budget | null => leftOf(shared.seen()),
  }
}

/** For kinds that declare no limits. */
const unlimited: Allowance = {
  kind: '',
  waiting: () => 0,
  seen: () => null,
  admit: async () => false,
  enter: async () => () => {},
  close: async () => {},
  told: async () => {},
  budget: async () => null,
}
