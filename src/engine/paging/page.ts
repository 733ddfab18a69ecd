/** What the paging styles work with: a way to fetch, and a page to give back. */
import type { Params } from '../../catalog/rules.ts'
import type { Warning } from '../call.ts'

/** One answer of the system: its records, and the whole body for what stands beside them. */
export interface Fetched {
  readonly body: unknown
  readonly records: readonly unknown[]
}

/** Fetches with the given params in place of the caller's. `canShrink`: a refused page is asked for again with fewer records. */
export type Fetch = (params: Params, canShrink?: boolean) => Promise<Fetched>

/** One page as a list answers it. */
export interface Page {
  readonly records: readonly unknown[]
  /** The kind's paging block. */
  readonly block: Readonly<Record<string, unknown>>
  /** The params of the next page; null at the end. */
  readonly next: Params | null
  /** How many records the list has, where the system tells. */
  readonly total?: number | null
  readonly warnings?: readonly Warning[]
}

/** The value at a path of an answer; undefined where there is none. */
export function at(body: unknown, path: readonly string[]): unknown {
  let found = body
  for (const key of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined
    found = (found as Record<string, unknown>)[key]
  }
  return found
}

/** What tells one record from another, as text; empty where the system sent none that can be used. */
export function identityOf(record: unknown, field: string): string {
  const value = at(record, [field])
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' ? String(value) : ''
}

/** A page token in an answer; absent, null and empty mean that there is none. */
export function tokenAt(body: unknown, path: readonly string[]): string | null {
  const token = at(body, path)
  if (typeof token === 'number' || typeof token === 'bigint') return String(token)
  return typeof token === 'string' && token !== '' ? token : null
}
