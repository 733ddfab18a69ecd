/**
 * Copies: what syncs write and searches read. A copy belongs to a connector and holds one table of records per searchable
 * entity. Another tenant finds nothing and can write nothing.
 *
 * A pass is one reading of an entity from the third-party system. A full pass meets every record that is there, a partial
 * one only those that changed. Passes of an entity come one after the other; one that was cut is continued.
 */
import { parseJson } from '../json.ts'
import type { Hit, Json, Query } from '../search/query.ts'
import type { Tenant } from './tenant.ts'

/** One entity of the copy of one connector. */
export interface CopyKey {
  readonly connectorId: string
  /** The connector's kind, as the catalog spells it. */
  readonly kind: string
  readonly entity: string
}

/** A record as it was read: its identity, and what it holds; only searchable fields are kept. */
export interface ReadRecord {
  readonly id: string
  readonly data: Readonly<Record<string, unknown>>
}

/** The records that are written at once. */
export interface SyncedPage {
  readonly records: readonly ReadRecord[]
  /** Ids of records that the third-party system says are gone; they go at once. */
  readonly gone?: readonly string[]
  /** Where the pass goes on when it is cut, and how far it has got; absent ones stay as they were. */
  readonly checkpoint?: Json
  readonly progress?: Progress
}

export interface Pass {
  /** Counts the passes of this entity, from 1. */
  readonly number: number
  readonly full: boolean
  /** When it began; everything that was so in the third-party system at that time is in the copy when it has finished. */
  readonly startedAt: string
  /** True when this pass was begun before and cut. */
  readonly continued: boolean
  /** Where it goes on; null before the first page. */
  readonly checkpoint: Json
  /** What the last finished pass left behind, for example the time from which to read changes; null before the first. */
  readonly mark: Json
}

/** What a page did. Ids are told once each. */
export interface Written {
  /** New, or other than before. */
  readonly changed: readonly string[]
  readonly unchanged: number
  readonly removed: number
}

/** The known progress of a pass. */
export interface Progress {
  readonly records: number
  readonly total: number | null
  readonly partsDone: number
  readonly parts: number | null
}

export type Sweep =
  /** `missing` records were not met by this pass but by the one before, and stay until the next full pass. */
  | { readonly outcome: 'swept'; readonly removed: number; readonly missing: number }
  /** More than half of the records would have gone; none did. `reason` is a sentence for the operator. */
  | { readonly outcome: 'refused'; readonly records: number; readonly wouldRemove: number; readonly reason: string }

export interface EntityState {
  readonly entity: string
  /** `waiting` before the first pass; `failed` also when a pass was given up half-way. */
  readonly status: 'waiting' | 'running' | 'finished' | 'failed'
  readonly records: number
  /** A full pass has been finished, and no later one has failed. */
  readonly complete: boolean
  /** When the last finished pass began: the copy is at least as new as that. Null before the first. */
  readonly syncedAt: string | null
  readonly finishedAt: string | null
  /** Why the last pass failed; null since the next one finished. */
  readonly lastError: { readonly code: string; readonly detail: string; readonly at: string } | null
  readonly progress: Progress | null
  /** What the last finished pass left behind; null before the first. */
  readonly mark: Json
  /** The copy with the fields of another version, which answers searches until this one is whole. */
  readonly answering?: EntityState
}

/** One page of hits, read at one moment. */
export interface Found {
  /**
   * The hits as JSON, `{"id", "score", "data"},…` without the brackets around them, which goes on to the caller as it is, without
   * being built twice: a text where it is short, else its bytes, since to make bytes of megabytes at once would keep others waiting.
   */
  readonly hits: string | Buffer
  readonly count: number
  readonly nextCursor: string | null
  readonly state: SearchedState
}

/**
 * The hits of a checked query. 422 `invalid_cursor` for a cursor of another query, `invalid_query` when the time limit
 * ends the search. An entity that was never synced has no hits.
 */
export type SearchCopy = (tenant: Tenant, copy: CopyKey, query: Query, signal?: AbortSignal) => Promise<Found>

/** What hits rest on. */
export type SearchedState = Pick<EntityState, 'records' | 'syncedAt' | 'complete' | 'lastError'>

/** The state of an entity that was never copied. */
export const nothingCopied: SearchedState = { records: 0, syncedAt: null, complete: false, lastError: null }

/** The hits as values. */
export const hitsIn = ({ hits }: Pick<Found, 'hits'>): Hit[] => parseJson(`[${hits}]`) as Hit[]
