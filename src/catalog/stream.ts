/** How the records of an entity are met one and all, so that a copy of them can be kept. */
import type { GetOperation, ListOperation } from './operation.ts'
import { isNumeric } from './plain-value.ts'
import type { Params } from './rules.ts'

export interface Stream {
  /** Lists that together meet every record of the entity, read in this order. They need not be open to callers. */
  readonly listings: readonly Listing[]
  /** What tells a record from all others of the entity, and is the id of its hits; null for a record that lacks it. */
  readonly identity: (record: StreamedRecord) => string | null
  /** What the copy does not hold, or holds otherwise than the system; told to those who search. */
  readonly note?: string
  /** Reads one record by its identity: settles whether one that no list gave any more is gone. */
  readonly confirm?: {
    readonly get: GetOperation
    readonly param: string
    /** The searchable field that holds the identity. */
    readonly field: string
  }
  /** Seconds after which everything is read again, where a pass may read changes alone. Without it every pass reads everything. */
  readonly fullEvery?: number
}

export interface Listing {
  readonly list: ListOperation
  /** Params that are always the same. */
  readonly params?: Params
  /** What the list is read for again and again. */
  readonly over?: Parents
  /** Stretches of time, oldest first, for which it is read one by one. */
  readonly windows?: Windows
  /** Params with which the list gives only what changed since a moment (milliseconds since 1970). */
  readonly since?: { readonly lookBack: number; readonly params: (moment: number) => Params }
  /** Records of the same entity that hang on a record of this list and are in no other. */
  readonly below?: {
    readonly list: ListOperation
    readonly has: (record: StreamedRecord) => boolean
    readonly params: (id: string) => Params
  }
}

/** Records of another entity of the same copy, each with lists of its own. */
export interface Parents {
  readonly entity: string
  /** Only those that meet this filter, in the language of search. */
  readonly where?: Readonly<Record<string, unknown>>
  /** Fields of theirs that the lists need. */
  readonly fields?: readonly string[]
  /** The lists of a parent. */
  readonly params: (parent: Parent) => readonly Params[]
  /** The filter that finds, in this entity's copy, what belongs to a parent. */
  readonly children: (parent: Parent) => Readonly<Record<string, unknown>>
  /** The time of a parent that moves when its children may have changed, and seconds to look back; a pass that reads changes goes by it. */
  readonly changed?: { readonly field: string; readonly lookBack: number }
}

export interface Parent {
  readonly id: string
  readonly data: StreamedRecord
}

/** Everything before the first window is not part of the copy. Times in seconds. */
export interface Windows {
  readonly length: number
  /** How far back the copy reaches where nobody gave a start date. */
  readonly history: number
  /** How far back the system can be asked at all. */
  readonly mostHistory?: number
  /** How far back a pass that reads changes looks again. */
  readonly lookBack: number
  /** How much farther back one looks that comes so long after the last which did. */
  readonly farLookBack?: { readonly lookBack: number; readonly every: number }
  /** A day, say: windows begin at whole multiples of it. */
  readonly step: number
  /** The field of a parent that names the time zone whose days these are (IANA); UTC where it has none. */
  readonly zone?: string
  /** The params of a window, in milliseconds since 1970 as the clocks of that zone show; the newest one has no end. */
  readonly params: (from: number, to: number | null, now: number) => Params
  /** The field that says in which window a record belongs, and how exactly, in seconds. */
  readonly field: string
  readonly margin: number
  /** A moment as that field writes it. */
  readonly write: (moment: number) => string
}

export type StreamedRecord = Readonly<Record<string, unknown>>

/** Nothing, and what an address reads as a step to elsewhere: no record can be asked for by these. */
const noIdentity = /^\.{0,2}$/

/** The identity that stands in one field, or, for records that have none, in several together. */
export const identifiedBy =
  (...fields: readonly [string, ...string[]]): Stream['identity'] =>
  (record) => {
    const parts = fields.map((field) => record[field])
    return parts.every((part) => typeof part === 'string' || isNumeric(part)) &&
      !parts.some((part) => noIdentity.test(String(part)))
      ? parts.join(':')
      : null
  }

const second = 1
export const minutes = 60 * second
export const hours = 60 * minutes
export const days = 24 * hours
