/** Tells a list that goes on from one that only repeats itself: by its records, since page tokens may be fresh for ever. */
import { ConexError } from '../../errors.ts'

/** What tells a record from others, as text; null where it has nothing of the kind, and is compared as a whole. */
export type RecordIdentity = (record: unknown) => string | null

export interface PageSeen {
  readonly records: readonly unknown[]
  /** The token of the page that comes next; null at the end. */
  readonly next: string | null
  /** How many records the list has, where the system tells. */
  readonly total?: number | null
  /** How many of those the page had, including records left out of it here; as many as it shows when not given. */
  readonly listed?: number
}

/** A list that contradicts itself, and would do so again if it were continued later. */
export class UnsoundList extends ConexError {
  constructor(detail: string) {
    super('upstream_invalid_response', detail)
  }
}

/** A list whose pages go on without bringing anything. */
export class EndlessList extends UnsoundList {
  constructor(why: string) {
    super(
      `The third-party system ${why}, so that the list would never end; all that came is given, and it may lack what comes after.`,
    )
  }
}

/** A list that ended before it brought as many records as the system itself counts. */
export class IncompleteList extends UnsoundList {
  constructor(came: number, total: number) {
    super(
      `The third-party system ended the list after ${came} records, though it counts ${total}; all that came is given, and it may lack the others.`,
    )
  }
}

/** So many pages in a row that bring nothing new are an error. Rows move between pages, but hardly whole pages do. */
const mostRepeated = 3
/** The same where records have no identifier: records with few fields may well look alike. */
const mostAlike = 20
/** Systems that filter after they have cut a page give empty ones, at times many. */
const mostEmpty = 100
/** So many records and page tokens are remembered, and at times twice as many. */
const mostRemembered = 100_000

/**
 * Returns a function to call with every page; it throws `EndlessList` at the page after which it is pointless to go on, and
 * `IncompleteList` at a last page that comes too early. `fromFirst` says that it will be told of all pages.
 */
export function watchProgress(identity: RecordIdentity, fromFirst = true): (page: PageSeen) => void {
  const records = createMemory()
  let token: string | null = null
  let fresh = 0
  let repeated = 0
  let empty = 0
  let most = mostRepeated
  let counted = 0
  // Records that come or go meanwhile change the count, so that the smallest is taken.
  let fewest = Number.POSITIVE_INFINITY

  return ({ records: page, next, total, listed = page.length }) => {
    let [brought, again] = [0, 0]
    for (const record of page) {
      const known = identity(record)
      if (known === null) most = mostAlike
      if (records.isNew(known ?? wholeOf(record))) brought++
      else if (known !== null) again++
    }
    fresh += brought
    // Of those that were left out it is not known whether they had come before.
    counted += listed - again
    if (typeof total === 'number') fewest = Math.min(fewest, total)
    if (brought > 0) empty = repeated = 0
    else if (page.length === 0) empty++
    else repeated++
    if (next === null) {
      if (fromFirst && counted < fewest && fewest !== Number.POSITIVE_INFINITY)
        throw new IncompleteList(counted, fewest)
      return
    }
    if (next === token) throw new EndlessList('gave the same page token twice')
    token = next
    if (repeated >= most) throw new EndlessList('gave the same records again and again under new page tokens')
    if (empty >= mostEmpty) throw new EndlessList(`gave ${mostEmpty} empty pages in a row`)
    if (typeof total === 'number' && fresh > total && !records.hasForgotten())
      throw new EndlessList(`gave more records than the ${total} that it says there are`)
  }
}

/** Remembers the latest texts by a number each: two that share one are so rare that they make no page look old. */
function createMemory() {
  let older = new Set<number>()
  let newer = new Set<number>()
  let forgotten = false
  return {
    isNew(text: string): boolean {
      const number = hashOf(text)
      if (newer.has(number)) return false
      const known = older.has(number)
      if (newer.size === mostRemembered) {
        forgotten ||= older.size > 0
        older = newer
        newer = new Set()
      }
      newer.add(number)
      return !known
    },
    hasForgotten: () => forgotten,
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

function identifierIn({ properties = {} }: RecordSchema, depth: number): readonly string[] | null {
  for (const [name, schema] of Object.entries(properties)) if ('x-identifier' in schema) return [name]
  if (depth === 1) return null
  for (const [name, schema] of Object.entries(properties)) {
    const below = identifierIn(schema, depth - 1)
    if (below !== null) return [name, ...below]
  }
  return null
}
