/**
 * The count of the calls of one set of credentials, as a value that nodes can share: which blocks of calls were set aside,
 * until when the system wants no calls, and what it said about its own count.
 *
 * A block is a few calls that one node may make until a moment. It counts as made at that moment, in every window of time
 * that a limit names, so that no window ever holds more calls than the limit, whichever nodes make them.
 */
import type { CallLimit, Usage } from '../../catalog/limit.ts'
import { clocksDifferMs } from '../../clocks.ts'

/** Until when its calls may be made, how many they are, and the name of the limit that counts them by themselves, or ''. */
type Entry = readonly [until: number, calls: number, name: string]

export interface Ledger {
  /** By their ends. */
  readonly entries: readonly Entry[]
  /** Until when the system takes no calls of a name; under '', no calls at all. */
  readonly closed: Readonly<Record<string, number>>
  /** Until when syncs keep to the smallest plan. */
  readonly cautiousUntil: number
  readonly usage: (Omit<Usage, 'seconds'> & { readonly until: number }) | null
  /** When it was written, by the clock of the node that did; all other moments are by it too. */
  readonly at?: number
}

export const emptyLedger: Ledger = { entries: [], closed: {}, cautiousUntil: 0, usage: null }

/** The ledger by this node's clock. One that was written by a clock that was ahead goes back with it: nothing lasts longer than it was to last. */
export function byClock(ledger: Ledger, now: number): Ledger {
  const ahead = (ledger.at ?? 0) - now
  if (ahead <= clocksDifferMs) return ledger
  const { entries, closed, cautiousUntil, usage } = ledger
  return {
    entries: entries.map(([until, calls, name]): Entry => [until - ahead, calls, name]),
    closed: Object.fromEntries(Object.entries(closed).map(([name, until]) => [name, until - ahead])),
    cautiousUntil: cautiousUntil - ahead,
    usage: usage && { ...usage, until: usage.until - ahead },
    at: now,
  }
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

/** The limits that count calls of this name. */
const limitsOf = (limits: readonly CallLimit[], name: string): readonly CallLimit[] =>
  limits.filter(({ only }) => only === undefined || only.name === name)

/** The name under which a limit counts a call with this path by itself, or ''. */
export const nameOf = (limits: readonly CallLimit[], path: string): string =>
  limits.find(({ only }) => only?.path.test(path))?.only?.name ?? ''

/** Sets a block aside at the earliest moment that fits every limit, or gives that moment where it is of no use. */
export function setAside(
  ledger: Ledger,
  limits: readonly CallLimit[],
  { name, background, latest }: Wanted,
  now: number,
): { readonly ledger: Ledger; readonly block: Block } | { readonly opensAt: number } {
  const counting = limitsOf(limits, name)
  const most = (limit: CallLimit): number => (background ? forSyncs(ledger, limit, now) : limit.calls)
  let from = Math.max(now, closedUntil(ledger, name), background ? quietUntil(ledger, counting, now) : 0)
  for (let risen = true; risen; ) {
    risen = false
    for (const limit of counting) {
      const free = freeFrom(ledger, limit, most(limit), from)
      risen ||= free > from
      from = free
    }
  }
  if (from > latest) return { opensAt: from }
  const room = Math.min(...counting.map((limit) => most(limit) - countedAt(ledger, limit, from)))
  const part = Math.floor(Math.min(...counting.map(({ calls }) => calls)) / blocksOfLimit)
  const calls = Math.max(1, Math.min(room, part, largestBlock))
  // A single call goes at its moment; several need time to be asked for.
  const until = calls === 1 ? from : from + Math.min(...counting.map(spanOf)) / blocksOfWindow
  const entries = [...ledger.entries, [until, calls, name] as const].sort(([one], [other]) => one - other)
  return { ledger: { ...ledger, entries: compacted(entries, limits, now) }, block: { name, from, until, calls } }
}

/** Takes back what was not used of a block. */
export function giveBack(ledger: Ledger, { name, until }: Block, unused: number): Ledger {
  // It may have been merged with later ones meanwhile.
  const place = ledger.entries.findIndex((entry) => entry[2] === name && entry[0] >= until)
  if (place < 0) return ledger
  const entries = ledger.entries.map((entry, at): Entry => {
    return at === place ? [entry[0], Math.max(0, entry[1] - unused), name] : entry
  })
  return { ...ledger, entries: entries.filter(([, calls]) => calls > 0) }
}

/** The system refused a call of this name and asked for silence. */
export function close(
  ledger: Ledger,
  limits: readonly CallLimit[],
  name: string,
  milliseconds: number,
  now: number,
): Ledger {
  const until = now + Math.min(milliseconds, longestClosure)
  const open = Object.entries(ledger.closed).filter(([, end]) => end > now)
  const closed = { ...Object.fromEntries(open), [name]: Math.max(until, ledger.closed[name] ?? 0) }
  const plans = name === '' && limits.some(({ smallestPlan }) => smallestPlan !== undefined)
  return { ...ledger, closed, cautiousUntil: plans ? until + cautionMs : ledger.cautiousUntil }
}

/** The system told of its own count. */
export const noteUsage = (ledger: Ledger, { calls, remaining, seconds }: Usage, now: number): Ledger => ({
  ...ledger,
  usage: { calls, remaining, until: now + Math.min(seconds * 1000, longestClosure) },
})

/** Until when calls of this name are not to be made. */
export const closedUntil = ({ closed }: Ledger, name: string): number => Math.max(closed[''] ?? 0, closed[name] ?? 0)

/** Until when syncs leave what the system says is left of its count to callers. */
export function quietUntil({ usage }: Ledger, limits: readonly CallLimit[], now: number): number {
  if (usage === null || usage.until <= now) return 0
  const reserve = Math.max(0, ...limits.map((limit) => limit.reserve ?? 0))
  return usage.remaining <= usage.calls * reserve ? usage.until : 0
}

/** The calls left in the longest window, and when all of them are free again. */
export function left(
  ledger: Ledger,
  limits: readonly CallLimit[],
  now: number,
): { remaining: number; resetsAt: number } {
  const longest = limitsOf(limits, '').reduce((one, other) => (other.seconds > one.seconds ? other : one))
  const calls = planOf(ledger, longest, now)
  const last = ledger.entries.findLast(([until]) => until + spanOf(longest) > now)
  const own = {
    remaining: Math.max(0, calls - countedAt(ledger, longest, now)),
    resetsAt: last === undefined ? now : last[0] + spanOf(longest),
  }
  const closed = closedUntil(ledger, '')
  if (closed > now) return { remaining: 0, resetsAt: closed }
  const { usage } = ledger
  if (usage === null || usage.until <= now || usage.remaining >= own.remaining) return own
  return { remaining: usage.remaining, resetsAt: usage.until }
}

/** When nothing of the ledger matters any more. */
export const endOf = (ledger: Ledger, limits: readonly CallLimit[]): number =>
  Math.max(
    ledger.cautiousUntil,
    ledger.usage?.until ?? 0,
    ...Object.values(ledger.closed),
    (ledger.entries.at(-1)?.[0] ?? 0) + Math.max(...limits.map(spanOf)),
  )

const planOf = ({ cautiousUntil }: Ledger, { calls, smallestPlan }: CallLimit, now: number): number =>
  cautiousUntil > now ? (smallestPlan ?? calls) : calls

const forSyncs = (ledger: Ledger, limit: CallLimit, now: number): number =>
  Math.max(1, Math.floor(planOf(ledger, limit, now) * (1 - (limit.reserve ?? 0)) + 1e-9))

/** The entries that count in the window that ends at a moment. Future moments that were given away count already. */
const countedEntries = ({ entries }: Ledger, limit: CallLimit, moment: number): readonly Entry[] =>
  entries.filter(([until, , name]) => until > moment - spanOf(limit) && (limit.only?.name ?? name) === name)

const countedAt = (ledger: Ledger, limit: CallLimit, moment: number): number =>
  countedEntries(ledger, limit, moment).reduce((sum, [, calls]) => sum + calls, 0)

/** The first moment from the given one on at which one more call fits the limit. */
function freeFrom(ledger: Ledger, limit: CallLimit, most: number, from: number): number {
  const counted = countedEntries(ledger, limit, from)
  let sum = counted.reduce((calls, entry) => calls + entry[1], 0)
  let free = from
  for (const [until, calls] of counted) {
    if (sum < most) break
    sum -= calls
    free = until + spanOf(limit)
  }
  return free
}

/** Drops entries that no limit counts any more, and merges old ones that lie close together, which errs towards fewer calls. */
function compacted(entries: readonly Entry[], limits: readonly CallLimit[], now: number): readonly Entry[] {
  const spans = limits.map(spanOf).sort((one, other) => one - other)
  const longest = spans.at(-1)!
  const kept: Entry[] = []
  let slot = ''
  for (const entry of entries) {
    const [until, calls, name] = entry
    if (until + longest <= now) continue
    const span = spans.find((one) => until + one > now)!
    const next = until < now ? `${name} ${span} ${Math.floor((until * blocksOfLimit) / span)}` : ''
    const last = kept.at(-1)
    if (next !== '' && next === slot) kept[kept.length - 1] = [until, last![1] + calls, name]
    else kept.push(entry)
    slot = next
  }
  return kept
}
