/**
 * The count of the calls of one set of credentials, as facts that nodes can share, each of which holds until a moment: blocks of
 * calls that were set aside, silences that the system asked for, what it said about its own count.
 *
 * A block is a few calls that one node may make until a moment. It counts as made at that moment, in every window of time
 * that a limit names, so that no window ever holds more calls than the limit, whichever nodes make them.
 */
import type { CallLimit, Usage } from '../../catalog/limit.ts'
import { clocksDifferMs } from '../../clocks.ts'

interface Fact {
  /** Until when a block may be used, the system takes no calls, syncs keep to the smallest plan, or the system's count holds. */
  readonly until: number
  readonly kind: 'block' | 'closed' | 'cautious' | 'usage'
  /** The name of the limit that counts these calls by themselves; '' is all others, and closes those with a name as well. */
  readonly name: string
  /** Of a block, or of the system's count; else 0. */
  readonly calls: number
  /** Of the system's count. */
  readonly remaining?: number
}

/** The stored form: facts by their ends, and the time of writing by the clock of the node that wrote them. */
export interface Ledger {
  readonly facts: readonly Fact[]
  readonly at: number
}

/** Calls that may be made from one moment to another, in milliseconds since 1970. */
export interface Block {
  readonly name: string
  readonly from: number
  readonly until: number
  /** Those that are not used yet. */
  calls: number
}

/** How many calls a set of credentials has left in the longest window that its system counts. */
export interface Budget {
  readonly remaining: number
  /** Milliseconds since 1970 at which all of them are free again. */
  readonly resetsAt: number
}

/** More calls than this are never set aside at once, so that little is lost with a node. */
const largestBlock = 50
/** A limit has so many blocks at least. */
const blocksOfLimit = 100
/** A block lasts for one of so many parts of the shortest window. */
const blocksOfWindow = 20
const cautionMs = 600_000
/** A system that asks for a longer silence is asked again after a day. */
const longestClosure = 86_400_000

/** A count at one moment. */
export class CallCount {
  readonly #limits: readonly CallLimit[]
  readonly #now: number
  #facts: Ledger['facts']

  constructor(limits: readonly CallLimit[], { facts, at }: Ledger, now: number) {
    this.#limits = limits
    this.#now = now
    const ahead = at - now
    // Facts by a clock that was ahead go back with it: nothing lasts longer than it was to last.
    this.#facts = ahead <= clocksDifferMs ? facts : facts.map((fact) => ({ ...fact, until: fact.until - ahead }))
  }

  /** As they are to be stored: the very same ones where nothing has changed. */
  get facts(): Ledger['facts'] {
    return this.#facts
  }

  /** When none of them matters any more. */
  get end(): number {
    return Math.max(this.#now, ...this.#facts.flatMap((fact) => this.#limits.map((limit) => endOf(fact, limit))))
  }

  /**
   * Sets a block aside at the earliest moment that fits every limit. Gives that moment where it is later than wanted; a sync, which
   * leaves the reserve to callers, never gets moments to come.
   */
  setAside(name: string, background: boolean, latest: number): Block | number {
    const limits = this.#limits.filter(({ only }) => only === undefined || only.name === name)
    const most = (limit: CallLimit): number => (background ? this.#forSyncs(limit) : limit.calls)
    let from = Math.max(this.#now, this.closedUntil(name), background ? this.quietUntil(limits) : 0)
    for (let tried = Number.NaN; tried !== from; ) {
      tried = from
      for (const limit of limits) from = this.#freeFrom(limit, most(limit), from)
    }
    if (from > (background ? this.#now : latest)) return from
    const room = Math.min(...limits.map((limit) => most(limit) - this.#countedAt(limit, from)))
    const part = Math.floor(Math.min(...limits.map((limit) => limit.calls)) / blocksOfLimit)
    const calls = Math.max(1, Math.min(room, part, largestBlock))
    // A single call goes at its moment; several need time to be asked for.
    const until = calls === 1 ? from : from + Math.min(...limits.map(spanOf)) / blocksOfWindow
    this.#facts = this.#compacted([...this.#facts, { kind: 'block', name, until, calls }])
    return { name, from, until, calls }
  }

  /** Takes back the unused calls of a block. */
  giveBack({ name, until, calls }: Block): void {
    // It may have been merged with later ones meanwhile.
    const found = this.#facts.find((fact) => fact.kind === 'block' && fact.name === name && fact.until >= until)
    this.#facts = this.#facts.flatMap((fact) => {
      if (fact !== found) return fact
      return fact.calls > calls ? { ...fact, calls: fact.calls - calls } : []
    })
  }

  /** The system refused a call of this name and asked for silence. */
  close(name: string, milliseconds: number): void {
    const until = this.#now + Math.min(milliseconds, longestClosure)
    this.#put({ kind: 'closed', name, until: Math.max(until, this.closedUntil(name)), calls: 0 })
    if (this.#limits.some((limit) => limit.smallestPlan !== undefined && nameOf(limit) === name))
      this.#put({ kind: 'cautious', name, until: until + cautionMs, calls: 0 })
  }

  /** The system told of its own count. */
  note({ calls, remaining, seconds }: Usage): void {
    const until = this.#now + Math.min(seconds * 1000, longestClosure)
    this.#put({ kind: 'usage', name: '', until, calls, remaining })
  }

  /** Until when calls of this name are not to be made. */
  closedUntil(name: string): number {
    const closed = this.#facts.filter((fact) => fact.kind === 'closed' && (fact.name === '' || fact.name === name))
    return Math.max(0, ...closed.map(({ until }) => until))
  }

  /** What the system told of its own count, unless that is too long ago. */
  get usage(): (Fact & Pick<Usage, 'remaining'>) | undefined {
    const usage = this.#facts.find(({ kind, until }) => kind === 'usage' && until > this.#now)
    return usage && { remaining: 0, ...usage }
  }

  /** Until when syncs leave what the system says is left of its count to callers. */
  quietUntil(limits = this.#limits): number {
    const { usage } = this
    const reserve = Math.max(0, ...limits.map((limit) => limit.reserve ?? 0))
    return usage !== undefined && usage.remaining <= usage.calls * reserve ? usage.until : 0
  }

  /** The calls left in the longest window, and when all of them are free again; null where no limit counts all calls. */
  left(): Budget | null {
    const closed = this.closedUntil('')
    if (closed > this.#now) return { remaining: 0, resetsAt: closed }
    const limits = this.#limits.filter(({ only }) => only === undefined)
    if (limits.length === 0) return null
    const longest = limits.reduce((one, other) => (other.seconds > one.seconds ? other : one))
    const remaining = Math.max(0, this.#planOf(longest) - this.#countedAt(longest, this.#now))
    const { usage } = this
    if (usage !== undefined && usage.remaining < remaining) return { remaining: usage.remaining, resetsAt: usage.until }
    const last = this.#facts.findLast((fact) => fact.kind === 'block' && endOf(fact, longest) > this.#now)
    return { remaining, resetsAt: last === undefined ? this.#now : endOf(last, longest) }
  }

  /** Replaces the fact of the same kind and name. */
  #put(fact: Fact): void {
    const others = this.#facts.filter(({ kind, name }) => kind !== fact.kind || name !== fact.name)
    this.#facts = [...others, fact]
  }

  #planOf(limit: CallLimit): number {
    const { calls, smallestPlan = calls } = limit
    const isCautious = this.#facts.some(
      ({ kind, name, until }) => kind === 'cautious' && name === nameOf(limit) && until > this.#now,
    )
    return isCautious ? smallestPlan : calls
  }

  #forSyncs(limit: CallLimit): number {
    return Math.max(1, Math.floor(this.#planOf(limit) * (1 - (limit.reserve ?? 0)) + 1e-9))
  }

  /** The blocks that count in the window that ends at a moment. Future moments that were given away count already. */
  #countedBlocks(limit: CallLimit, moment: number): Ledger['facts'] {
    return this.#facts.filter((fact) => {
      return fact.kind === 'block' && endOf(fact, limit) > moment && (limit.only?.name ?? fact.name) === fact.name
    })
  }

  #countedAt(limit: CallLimit, moment: number): number {
    return this.#countedBlocks(limit, moment).reduce((sum, { calls }) => sum + calls, 0)
  }

  /** The first moment from the given one on at which one more call fits the limit. */
  #freeFrom(limit: CallLimit, most: number, from: number): number {
    let sum = this.#countedAt(limit, from)
    let free = from
    for (const block of this.#countedBlocks(limit, from)) {
      if (sum < most) break
      sum -= block.calls
      free = endOf(block, limit)
    }
    return free
  }

  /** Without facts that matter to no limit any more, and old blocks that lie close together in one, which errs towards fewer calls. */
  #compacted(facts: Ledger['facts']): Ledger['facts'] {
    const kept = new Map<string, Fact>()
    for (const [at, fact] of facts.entries()) {
      // The shortest window that the fact is in still.
      const span = Math.min(...this.#limits.filter((limit) => endOf(fact, limit) > this.#now).map(spanOf))
      if (span === Number.POSITIVE_INFINITY) continue
      const slot = `${fact.name} ${span} ${Math.floor((fact.until * blocksOfLimit) / span)}`
      const place = fact.kind === 'block' && fact.until < this.#now ? slot : String(at)
      kept.set(place, { ...fact, calls: fact.calls + (kept.get(place)?.calls ?? 0) })
    }
    return [...kept.values()].sort((one, other) => one.until - other.until)
  }
}

const spanOf = ({ seconds }: CallLimit): number => seconds * 1000

/** When a fact matters no more to a limit: a block counts in each window that it is in. */
const endOf = ({ kind, until }: Fact, limit: CallLimit): number => (kind === 'block' ? until + spanOf(limit) : until)

/** The name under which calls of a limit are counted; empty for all calls. */
const nameOf = ({ only }: CallLimit): string => only?.name ?? ''
