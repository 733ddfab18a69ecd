/** Keeps calls below what a system takes: each waits for its moment, in the order in which they came, on all nodes together. */
import { createHash } from 'node:crypto'
import type { AuthMethod, Credentials } from '../../catalog/authorization.ts'
import type { Connector } from '../../catalog/connector.ts'
import type { CallLimit } from '../../catalog/limit.ts'
import type { UpstreamAnswer } from '../../catalog/refusal.ts'
import { ConexError } from '../../errors.ts'
import { customerAddress } from '../oauth/authorize.ts'
import { Semaphore } from '../semaphore.ts'
import type { EngineSettings } from '../settings.ts'
import {
  type Block,
  type Budget,
  close,
  closedUntil,
  type Facts,
  giveBack,
  left,
  nameOf,
  noteUsage,
  quietUntil,
  setAside,
  usageOf,
} from './ledger.ts'
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

/** Finds the allowance of credentials. */
export type Limiter = (
  call: Pick<Waiting, 'connector' | 'baseUrl'>,
  method: AuthMethod,
  credentials: Credentials,
) => Allowance

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

  return ({ connector, baseUrl }, method, credentials) => {
    const limits = settings.limits[connector.kind] ?? connector.limits
    if (limits === undefined || limits.length === 0) return unlimited
    // An address of its own tells one customer from all others, whatever tokens it uses.
    const owner = customerAddress(method, credentials) ?? `${baseUrl} ${lastingOf(method, credentials)}`
    const key = createHash('sha256').update(`facts ${connector.kind} ${owner}`).digest('base64url')
    const found =
      remembered.get(key) ??
      createAllowance(settings, limits, shareLedger(shared, key, limits, settings.clock.now, tellOfFailure))
    // Set anew, so that the first key is always the one used longest ago.
    remembered.delete(key)
    remembered.set(key, found)
    if (remembered.size > mostRemembered) remembered.delete(remembered.keys().next().value!)
    return found
  }
}

/** Tells credentials apart by what a renewal changes least. */
function lastingOf({ authorization: style }: AuthMethod, credentials: Credentials): string {
  const lasting =
    style.style === 'basic' ? [style.user, style.password] : [style.style === 'bearer' ? style.token : 'refresh_token']
  return lasting.map((field) => credentials[field] ?? '').join(':')
}

/** For kinds that declare no limits. */
const unlimited: Allowance = {
  admit: async () => false,
  enter: async () => () => {},
  close: async () => {},
  told: async () => {},
  budget: async () => null,
}

/** A block in the hands of this node. */
interface Held extends Block {
  unused: number
}

/** When a call goes, or when it may ask again where no moment was given to it. */
interface Moment {
  readonly given: boolean
  readonly at: number
}

/** The calls of one set of credentials, which are limited apart from all others. */
export type Allowance = ReturnType<typeof createAllowance>

function createAllowance({ clock }: EngineSettings, limits: readonly CallLimit[], shared: SharedLedger) {
  /** Of calls and of syncs, by name: a sync gets nothing out of a block that was set aside for callers. */
  const held = new Map<string, Held>()
  let places: Semaphore | null = null

  async function momentOf(name: string, background: boolean, latest: number): Promise<Moment> {
    const key = `${name} ${background}`
    const fromHeld = (): Moment | null => {
      const block = held.get(key)
      const now = clock.now()
      if (block === undefined || block.unused === 0 || block.until < now) return null
      const at = Math.max(block.from, now, closedUntil(shared.known(), name))
      if (at > Math.min(latest, block.until)) return null
      block.unused--
      return { given: true, at }
    }
    return fromHeld() ?? shared.inOrder(async () => fromHeld() ?? fromLedger())

    async function fromLedger(): Promise<Moment> {
      const wornOut = [...held].filter(([, { until }]) => until < clock.now())
      const outcome = await shared.change<Block | { readonly opensAt: number }>((before) => {
        const now = clock.now()
        const settled = wornOut.reduce((facts, [, block]) => giveBack(facts, block, block.unused), before)
        const found = setAside(settled, limits, { name, background, latest: background ? now : latest }, now)
        return 'opensAt' in found ? { facts: settled, result: found } : { facts: found.facts, result: found.block }
      })
      for (const [old] of wornOut) held.delete(old)
      if ('opensAt' in outcome) return { given: false, at: outcome.opensAt }
      held.set(key, { ...outcome, unused: outcome.calls - 1 })
      return { given: true, at: outcome.from }
    }
  }

  const change = (make: (facts: Facts) => Facts): Promise<void> =>
    shared.inOrder(() => shared.change((facts) => ({ facts: make(facts), result: undefined })))

  return {
    /**
     * Waits until one more call with this path fits the limits of the kind, and tells whether it had to. Throws
     * `upstream_rate_limited` at once when that would last longer than the call may, and the signal's reason when the caller
     * has gone.
     */
    async admit({ connector, signal, endsAt, background = false }: Waiting, path: string): Promise<boolean> {
      const name = nameOf(limits, path)
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
        await clock.sleep(Math.max(0, wait), signal)
        // The system may have asked for silence meanwhile.
        if (given && closedUntil(shared.known(), name) <= clock.now()) return true
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
      change((facts) => close(facts, limits, nameOf(limits, path), milliseconds, clock.now())),

    /** Takes note of what an answer tells of the system's own count. */
    async told(connector: Connector, headers: UpstreamAnswer['headers']): Promise<void> {
      const usage = connector.usage?.(headers) ?? null
      if (usage === null) return
      const now = clock.now()
      const note = (facts: Facts): Facts => noteUsage(facts, usage, clock.now())
      const [before, isQuiet] = [usageOf(shared.known(), now), (facts: Facts) => quietUntil(facts, limits, now) > now]
      // Told to the others when it matters to them, or has moved by a hundredth.
      const moved = before === undefined || Math.abs(before.remaining - usage.remaining) * 100 >= usage.calls
      if (moved || isQuiet(shared.known()) !== isQuiet(note(shared.known()))) await change(note)
    },

    /** The calls left; null where none are counted. */
    async budget(): Promise<Budget | null> {
      const facts = await shared.read()
      const unused = [...held.values()].reduce((found, block) => giveBack(found, block, block.unused), facts)
      return left(unused, limits, clock.now())
    },
  }
}
