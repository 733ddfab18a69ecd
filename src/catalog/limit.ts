/** How many calls a third-party system accepts with one set of credentials, so that Conex can stay below the limit. */
import type { UpstreamAnswer } from './refusal.ts'

export interface CallLimit {
  readonly calls: number
  /** The length of the period; the limit holds for any such period. */
  readonly seconds: number
  /** The share of the calls, from 0 up to 1, that syncs leave to callers; 0 by default. */
  readonly reserve?: number
  /**
   * The limit of the smallest plan, if answers do not identify the plan: syncs stay below it for a while after a
   * refusal.
   */
  readonly smallestPlan?: number
  /** The calls that count, by their path; all by default. The name distinguishes this count from others. */
  readonly only?: { readonly name: string; readonly path: RegExp }
}

/** The system's own count, as an answer reports it. */
export interface Usage {
  readonly calls: number
  readonly remaining: number
  /** How many seconds this count is valid, unless a later answer replaces it. */
  readonly seconds: number
}

/** Reads the headers of an answer; null if they report no count. */
export type ReadUsage = (headers: UpstreamAnswer['headers']) => Usage | null
