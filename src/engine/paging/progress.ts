/** Distinguishes a list that continues from one that repeats itself, by its records: page tokens may always be new. */
import { ConexError } from '../../errors.ts'
import type { Page } from './page.ts'

/** What tells a record from others, as text; null where it has nothing of the kind, and is compared as a whole. */
export type RecordIdentity = (record: unknown) => string | null

export interface PageSeen extends Pick<Page, 'records' | 'total' | 'listed'> {
  /** The token of the page that comes next; null at the end. */
  readonly next: string | null
}

/** A list that contradicts itself, and would do so again if it were continued later. */
export class UnsoundList extends ConexError {
  constructor(detail: string) {
    super('upstream_invalid_response', detail)
  }
}

const endless = (why: string): UnsoundList =>
  new UnsoundList(
    `The third-party system ${why}, so that the list would never end; all that came is given, and it may lack what comes after.`,
  )

const incomplete = (came: number, total: number): UnsoundList =>
  new UnsoundList(
    `The third-party system ended the list after ${came} records, though it counts ${total}; all that came is given, and it may lack the others.`,
  )

/** So many pages in a row that bring nothing new are an error. Rows move between pages, but hardly whole pages do. */
const mostRepeated = 3
/** The same where records have no identifier: records with few fields may well look alike. */
const mostAlike = 20
/** Systems that filter after they have cut a page give empty ones, at times many. */
const mostEmpty = 100
/** So many records are remembered at a time. */
const mostRemembered = 200_000

/**
 * Returns a function to call with every page; it gives the problem that makes it pointless to go on, or that shows at a last
 * page which comes too early. `fromFirst` says that it will be told of all pages.
 */
export function watchProgress(identity: RecordIdentity, fromFirst = true): (page: PageSeen) => UnsoundList | null {
  // By a number each: two that share one are so rare that they make no page look old.
  const known = new Set<number>()
  let hasForgotten = false
  let token: string | null = null
  let fresh = 0
  let repeated = 0
  let empty = 0
  let most = mostRepeated
  let counted = 0
  // Records that come or go meanwhile change the count, so that the smallest is taken.
  let fewest = Number.POSITIVE_INFINITY

  return ({ records, next, total, listed = records.length }) => {
    const before = fresh
    for (const record of records) {
      const id = identity(record)
      if (id === null) most = mostAlike
      const number = hashOf(id ?? wholeOf(record))
      if (!known.has(number)) fresh++
      // Of those that were left out it is not known whether they had come before.
      else if (id !== null) counted--
      if (known.size === mostRemembered) {
        known.clear()
        hasForgotten = true
      }
      known.add(number)
    }
    counted += listed
    if (total !== undefined) fewest = Math.min(fewest, total)
    if (fresh > before) empty = repeated = 0
    else if (records.length === 0) empty++
    else repeated++
    if (next === null)
      return fromFirst && Number.isFinite(fewest) && counted < fewest ? incomplete(counted, fewest) : null
    if (next === token) return endless('sent the same page token twice')
    token = next
    if (repeated >= most) return endless('sent the same records repeatedly under new page tokens')
    if (empty >= mostEmpty) return endless(`sent ${mostEmpty} empty pages in a row`)
    if (total !== undefined && fresh > total && !hasForgotten)
      return endless(`gave more records than the ${total} that it says there are`)
    return null
  }
}

/** FNV-1a twice, as 53 bits: quick for ids, and there where the client runs without Node. */
function hashOf(text: string): number {
  let [one, other] = [0x811c9dc5, 0x9e3779b9]
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    one = Math.imul(one ^ unit, 0x01000193)
    other = Math.imul(other ^ unit, 0x85ebca6b)
  }
  return (one >>> 0) * 0x200000 + (other >>> 11)
}

const wholeOf = (record: unknown): string =>
  JSON.stringify(record, (_key, part: unknown) => (typeof part === 'bigint' ? `${part}` : part)) ?? ''

interface RecordSchema {
  readonly properties?: Readonly<Record<string, RecordSchema>>
  readonly 'x-identifier'?: unknown
}

/** The identity of records of a type: by their identifier, which may stand in one of their objects. */
export function identityIn(schema: object | null): RecordIdentity {
  const path = schema === null ? null : identifierIn(schema, 2)
  if (path === null) return () => null
  return (record) => {
    let found = record
    for (const key of path) found = (found as Readonly<Record<string, unknown>> | null | undefined)?.[key]
    return typeof found === 'string' || typeof found === 'number' || typeof found === 'bigint' ? `${found}` : null
  }
}

/** The place of a record's identifier: its own field, or with depth 2 also one of its objects. */
export function identifierIn({ properties = {} }: RecordSchema, depth: number): readonly string[] | null {
  for (const [name, schema] of Object.entries(properties)) if ('x-identifier' in schema) return [name]
  if (depth === 1) return null
  for (const [name, schema] of Object.entries(properties)) {
    const below = identifierIn(schema, depth - 1)
    if (below !== null) return [name, ...below]
  }
  return null
}
