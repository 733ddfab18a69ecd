/** How many calls a third-party system takes from one set of credentials, so that Conex can stay below it. */
import type { UpstreamAnswer } from './refusal.ts'

export interface CallLimit {
  readonly calls: number
  /** In any stretch of so many seconds. */
  readonly seconds: number
  /** The share of the calls, from 0 up to 1, that syncs leave to callers; none when left out. */
  readonly reserve?: number
  /** What the smallest plan takes, where nothing tells the plans apart: syncs keep to it for a while after a refusal. */
  readonly smallestPlan?: number
  /** The calls that it counts, by their path; all when left out. The name tells their count from others. */
  readonly only?: { readonly name: string; readonly path: RegExp }
}

/** What an answer tells of the system's own count. */
export interface Usage {
  readonly calls: number
  readonly remaining: number
  /** Seconds for which this stands, unless a later answer says otherwise. */
  readonly seconds: number
}

/** Reads the headers of an answer; null where they tell nothing. */
export type ReadUsage = (headers: UpstreamAnswer['headers']) => Usage | null
