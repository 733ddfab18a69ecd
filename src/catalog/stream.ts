/** How to read all records of an entity, to keep a copy of them. */
import type { GetOperation, ListOperation } from './operation.ts'
import { isNumeric } from './plain-value.ts'
import type { Params } from './rules.ts'

export interface Stream {
  /**
   * Lists that together contain every record of the entity, read in this order. They need not be available to callers.
   */
  readonly listings: readonly Listing[]
  /** The key of a record, which is also the id of its hits; null for a record without one. */
  readonly identity: (record: StreamedRecord) => string | null
  /** How the copy differs from the system, for readers of the documents. */
  readonly note?: string
  /** Reads one record by its identity, to find out whether a record that no list returned is deleted. */
  readonly confirm?: {
    readonly get: GetOperation
    readonly param: string
    /** The searchable field with the identity, if a single one has it. */
    readonly field?: string
  }
  /**
   * Parents that cannot be read at present, although their records may still exist: these stay in the copy as they are.
   * `field` names the parent in the records of this stream, and in parents between the two.
   */
  readonly closed?: {
    readonly entity: string
    readonly field: string
    readonly fields: readonly string[]
    readonly is: (parent: Parent, settings: Settings) => boolean
  }
  /**
   * Seconds after which a pass reads everything, if other passes read only changes. Without it, every pass reads
   * everything.
   */
  readonly fullEvery?: number
}

/** The connector's replication_config. */
export type Settings = Readonly<Record<string, unknown>>

export interface Listing {
  readonly list: ListOperation
  /** Params that are always the same. */
  readonly params?: Params
  /** What to repeat the list for. */
  readonly over?: Parents
  /** Time ranges to read one by one, oldest first. */
  readonly windows?: Windows
  /**
   * Params with which the list, or `list` in its place, returns only changes since a moment (milliseconds since 1970).
   */
  readonly since?: {
    readonly list?: ListOperation
    readonly lookBack: number
    readonly params: (moment: number) => Params
  }
  /** Records of the same entity that are children of a record in this list, and in no other list. */
  readonly below?: {
    readonly list: ListOperation
    readonly has: (record: StreamedRecord) => boolean
    readonly params: (id: string) => Params
  }
}

/** Records of another entity of the same copy; the list is read for each. */
export interface Parents {
  readonly entity: string
  /** Selects the parents, in the language of search. */
  readonly where?: Readonly<Record<string, unknown>>
  /** Fields of a parent that the lists need. */
  readonly fields?: readonly string[]
  /** The lists of a parent. */
  readonly params: (parent: Parent, settings: Settings) => readonly Params[]
  /** The filter that finds the records of a parent in this entity's copy. */
  readonly children: (parent: Parent) => Readonly<Record<string, unknown>>
  /**
   * The parent's time that changes when its children may have changed, and seconds to look back. A pass for changes
   * uses it. `write` formats a moment as the field does; in ISO 8601 by default.
   */
  readonly changed?: {
    readonly field: string
    readonly lookBack: number | ((settings: Settings) => number)
    readonly write?: (moment: number) => string
  }
}

export interface Parent {
  readonly id: string
  readonly data: StreamedRecord
}

/** Records before the first window are not part of the copy. Times are in seconds. */
export interface Windows {
  readonly length: number
  /** How far back the copy reaches without a start date. */
  readonly history: number
  /** How far back the system's data reaches. */
  readonly mostHistory?: number
  /** How far back a pass for changes reads again. */
  readonly lookBack: number | ((settings: Settings) => number)
  /** How much farther back a pass reads, once so much time has passed since the last pass that did. */
  readonly farLookBack?: { readonly lookBack: number; readonly every: number }
  /** The length of a window, for example a day: windows begin at whole multiples of it. */
  readonly step: number
  /** The parent's field with the time zone (IANA) whose days these are; UTC without one. */
  readonly zone?: string
  /**
   * The params of a window, in milliseconds since 1970 by the clocks of that time zone; the newest window has no end.
   */
  readonly params: (from: number, to: number | null, now: number) => Params
  /** The field that says which window a record belongs to, and its precision in seconds. */
  readonly field: string
  readonly margin: number
  /** Formats a moment as that field does. */
  readonly write: (moment: number) => string
}

export type StreamedRecord = Readonly<Record<string, unknown>>

/** An empty text, or a text that would change the path of an address: no record can be requested with these. */
const noIdentity = /^\.{0,2}$/

/** The identity from one field, or from several together if records have no id. */
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
