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

/** By their ends. */
export type Facts = readonly Fact[]

export interface Ledger {
  readonly facts: Facts
  /** When it was written, by the clock of the node that did; all other moments are by it too. */
  readonly at: number
}

/** The facts by this node's clock. Those that were written by a clock that was ahead go back with it: nothing lasts longer than it was to last. */
export function byClock({ facts, at }: Ledger, now: number): Facts {
  const ahead = at - now
  return ahead <= clocksDifferMs ? facts : facts.map((fact) => ({ ...fact, until: fact.until - ahead }))
}

/** Calls that may be made from one moment to another, in milliseconds since 1970. */
export interface Block {
  readonly name: string
  readonly from: number
  readonly until: number
  readonly calls: number
}

export interface Wanted {
  readonly name: string
  /** For a sync, which leaves the reserve to callers and never takes moments to come. */
  readonly background: boolean
  /** A later moment is of no use. */
  readonly latest: number
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

const spanOf = ({ seconds }: CallLimit): number => seconds * 1000

/** The name under which a limit counts a call with this path by itself, or ''. */
export const nameOf = (limits: readonly CallLimit[], path: string): string =>
  limits.find(({ only }) => only?.path.test(path))?.only?.name ?? ''

/** Sets a block aside at the earliest moment that fits every limit, or gives that moment where it is of no use. */
export function setAside(
  facts: Facts,
  limits: readonly CallLimit[],
  { name, background, latest }: Wanted,
  now: number,
): { readonly facts: Facts; readonly block: Block } | { readonly opensAt: number } {
  const counting = limits.filter(({ only }) => only === undefined || only.name === name)
  const most = (limit: CallLimit): number => (background ? forSyncs(facts, limit, now) : limit.calls)
  let from = Math.max(now, closedUntil(facts, name), background ? quietUntil(facts, counting, now) : 0)
  for (let tried = Number.NaN; tried !== from; ) {
    tried = from
    for (const limit of counting) from = freeFrom(facts, limit, most(limit), from)
  }
  if (from > latest) return { opensAt: from }
  const room = Math.min(...counting.map((limit) => most(limit) - countedAt(facts, limit, from)))
  const part = Math.floor(Math.min(...counting.map(({ calls }) => calls)) / blocksOfLimit)
  const calls = Math.max(1, Math.min(room, part, largestBlock))
  // A single call goes at its moment; several need time to be asked for.
  const until = calls === 1 ? from : from + Math.min(...counting.map(spanOf)) / blocksOfWindow
  const all: Facts = [...facts, { kind: 'block', name, until, calls }]
  return { facts: compacted(all, limits, now), block: { name, from, until, calls } }
}

/** Takes back what was not used of a block. */
export function giveBack(facts: Facts, { name, until }: Block, unused: number): Facts {
  // It may have been merged with later ones meanwhile.
  const found = facts.find((fact) => fact.kind === 'block' && fact.name === name && fact.until >= until)
  return facts.flatMap((fact) => {
    if (fact !== found) return fact
    return fact.calls > unused ? { ...fact, calls: fact.calls - unused } : []
  })
}

/** The system refused a call of this name and asked for silence. */
export function close(
  facts: Facts,
  limits: readonly CallLimit[],
  name: string,
  milliseconds: number,
  now: number,
): Facts {
  const until = now + Math.min(milliseconds, longestClosure)
  const closed = put(facts, { kind: 'closed', name, until: Math.max(until, closedUntil(facts, name)), calls: 0 })
  const hasPlans = name === '' && limits.some(({ smallestPlan }) => smallestPlan !== undefined)
  return hasPlans ? put(closed, { kind: 'cautious', name, until: until + cautionMs, calls: 0 }) : closed
}

/** The system told of its own count. */
export const noteUsage = (facts: Facts, { calls, remaining, seconds }: Usage, now: number): Facts =>
  put(facts, { kind: 'usage', name: '', until: now + Math.min(seconds * 1000, longestClosure), calls, remaining })

/** In place of what was known of that before. */
const put = (facts: Facts, fact: Fact): Facts => [
  ...facts.filter(({ kind, name }) => kind !== fact.kind || name !== fact.name),
  fact,
]

/** Until when calls of this name are not to be made. */
export const closedUntil = (facts: Facts, name: string): number =>
  facts.reduce((latest, fact) => {
    const counts = fact.kind === 'closed' && (fact.name === '' || fact.name === name)
    return counts ? Math.max(latest, fact.until) : latest
  }, 0)

/** What the system told of its own count, unless that is too long ago. */
export function usageOf(facts: Facts, now: number): (Fact & Pick<Usage, 'remaining'>) | undefined {
  const usage = facts.find(({ kind }) => kind === 'usage')
  return usage !== undefined && usage.until > now ? { remaining: 0, ...usage } : undefined
}

/** Until when syncs leave what the system says is left of its count to callers. */
export function quietUntil(facts: Facts, limits: readonly CallLimit[], now: number): number {
  const usage = usageOf(facts, now)
  const reserve = Math.max(0, ...limits.map((limit) => limit.reserve ?? 0))
  return usage !== undefined && usage.remaining <= usage.calls * reserve ? usage.until : 0
}

/** The calls left in the longest window, and when all of them are free again. */
export function left(facts: Facts, limits: readonly CallLimit[], now: number): Budget {
  const closed = closedUntil(facts, '')
  if (closed > now) return { remaining: 0, resetsAt: closed }
  const longest = limits
    .filter(({ only }) => only === undefined)
    .reduce((one, other) => (other.seconds > one.seconds ? other : one))
  const remaining = Math.max(0, planOf(facts, longest, now) - countedAt(facts, longest, now))
  const usage = usageOf(facts, now)
  if (usage !== undefined && usage.remaining < remaining) return { remaining: usage.remaining, resetsAt: usage.until }
  const last = facts.findLast((fact) => fact.kind === 'block' && endOf(fact, longest) > now)
  return { remaining, resetsAt: last === undefined ? now : endOf(last, longest) }
}

/** When a fact matters no more to a limit: a block counts in each window that it is in. */
export const endOf = ({ kind, until }: Fact, limit: CallLimit): number =>
  kind === 'block' ? until + spanOf(limit) : until

const planOf = (facts: Facts, { calls, smallestPlan }: CallLimit, now: number): number =>
  facts.some(({ kind, until }) => kind === 'cautious' && until > now) ? (smallestPlan ?? calls) : calls

const forSyncs = (facts: Facts, limit: CallLimit, now: number): number =>
  Math.max(1, Math.floor(planOf(facts, limit, now) * (1 - (limit.reserve ?? 0)) + 1e-9))

/** The blocks that count in the window that ends at a moment. Future moments that were given away count already. */
const countedBlocks = (facts: Facts, limit: CallLimit, moment: number): Facts =>
  facts.filter((fact) => {
    return fact.kind === 'block' && endOf(fact, limit) > moment && (limit.only?.name ?? fact.name) === fact.name
  })

const countedAt = (facts: Facts, limit: CallLimit, moment: number): number =>
  countedBlocks(facts, limit, moment).reduce((sum, { calls }) => sum + calls, 0)

/** The first moment from the given one on at which one more call fits the limit. */
function freeFrom(facts: Facts, limit: CallLimit, most: number, from: number): number {
  let sum = countedAt(facts, limit, from)
  let free = from
  for (const block of countedBlocks(facts, limit, from)) {
    if (sum < most) break
    sum -= block.calls
    free = endOf(block, limit)
  }
  return free
}

/** Drops facts that matter to no limit any more, and merges old blocks that lie close together, which errs towards fewer calls. */
function compacted(facts: Facts, limits: readonly CallLimit[], now: number): Facts {
  const kept = new Map<string, Fact>()
  for (const [at, fact] of facts.entries()) {
    // The limit with the shortest window that the fact is in still.
    const limit = limits.filter((one) => endOf(fact, one) > now).sort((one, other) => one.seconds - other.seconds)[0]
    if (limit === undefined) continue
    const slot = Math.floor((fact.until * blocksOfLimit) / spanOf(limit))
    const place = fact.kind === 'block' && fact.until < now ? `${fact.name} ${limit.seconds} ${slot}` : String(at)
    kept.set(place, { ...fact, calls: fact.calls + (kept.get(place)?.calls ?? 0) })
  }
  return [...kept.values()].sort((one, other) => one.until - other.until)
}
