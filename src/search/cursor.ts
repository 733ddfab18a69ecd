/** Cursors: where a search was left, bound to the search itself. */
import { hash } from 'node:crypto'
import { ConexError } from '../errors.ts'
import { isCountable, stringifyJson } from '../json.ts'
import { sortKey } from './order.ts'
import type { Position } from './position.ts'
import type { Json, Query, Scalar, Searchable } from './query.ts'
import { has64Bits } from './record.ts'

/** What a cursor belongs to. Another `limit` or other `fields` go on with the same cursor; nothing else does. */
export interface CursorScope {
  readonly connectorId: string
  readonly entity: string
}

/** The cursor that continues after the position. It is opaque: its content may change with any version. */
export function writeCursor(scope: CursorScope, query: Query, position: Position): string {
  const body = JSON.stringify([...position.keys, position.id].map(pack))
  return seal(scope, query, body) + base64(body)
}

/** The position that a query's cursor says, or null when it has none. 422 `invalid_cursor` when it belongs elsewhere or was changed. */
export function readCursor(scope: CursorScope, searchable: Searchable, query: Query): Position | null {
  if (query.cursor === null) return null
  const body = Buffer.from(query.cursor.slice(sealLength), 'base64url').toString('utf8')
  // The alphabet has spare bits at the end, so that two texts could be the same bytes.
  if (seal(scope, query, body) + base64(body) !== query.cursor) throw refused()
  const position = positionOf(body)
  const types =
    query.sort.length === 0
      ? ['score']
      : query.sort.map(({ path }) => (path.length > 1 ? 'inner' : searchable[path[0]]!))
  if (position === null || position.keys.length !== types.length) throw refused()
  if (!position.keys.every((key, index) => fitsType(types[index]!, key))) throw refused()
  return position
}

/** Numbers as text with a sign of what they are: as plain JSON a double past 2^53 would come back as another whole number. */
function pack(key: Scalar | null): Json {
  if (typeof key === 'bigint') return { whole: String(key) }
  return typeof key === 'number' ? { number: String(key) } : key
}

function unpack(part: unknown): Scalar | null {
  if (part === null || typeof part === 'string' || typeof part === 'boolean') return part
  const { whole, number } = part as { readonly whole?: string; readonly number?: string }
  if (whole === undefined) return Number(number)
  // A forged one could take long to count.
  if (!isCountable(whole)) throw new RangeError('No key is so long.')
  return BigInt(whole)
}

function positionOf(text: string): Position | null {
  try {
    const parts = (JSON.parse(text) as unknown[]).map(unpack)
    const id = parts.at(-1)
    return typeof id === 'string' && id.isWellFormed() ? { keys: parts.slice(0, -1), id } : null
  } catch {
    return null
  }
}

/** Whether a hit can have the key, or the score: other texts would be no place in any order, and larger numbers cannot be asked about. */
function fitsType(type: string, key: Scalar | null): boolean {
  if (type === 'score') return Number.isSafeInteger(key) && (key as number) > 0
  if (key === null) return true
  if (type === 'inner') return fitsType(innerTypes[typeof key] ?? 'number', key)
  if (type === 'string') return typeof key === 'string' && key.isWellFormed() && sortKey(key) === key
  if (type === 'boolean') return typeof key === 'boolean'
  if (type === 'integer') return (typeof key === 'bigint' || Number.isInteger(key)) && has64Bits(BigInt(key))
  return Number.isFinite(key)
}

/** What stands inside an object has no declared type. */
const innerTypes: { readonly [type: string]: string } = { string: 'string', bigint: 'integer' }

const refused = (): ConexError =>
  new ConexError(
    'invalid_cursor',
    'The cursor does not belong to this search; send it with its own connector, entity, filter and sort, or leave it out to start over.',
    { issues: [{ path: '/params/cursor', message: 'is the cursor of another search, or was changed' }] },
  )

const base64 = (text: string): string => Buffer.from(text).toString('base64url')

const sealLength = 16

/** A hash over the search and the position. It finds mistakes; a forged cursor only moves about in the caller's own hits. */
function seal({ connectorId, entity }: CursorScope, { filter, sort }: Query, body: string): string {
  const search = canonical([connectorId, entity, filter as unknown as Json, sort as unknown as Json])
  return hash('sha256', `${search}\0${body}`, 'base64url').slice(0, sealLength)
}

/** One text for all ways to write the same: neither the order of keys nor the order of conditions in `and` and `or` matters. */
function canonical(value: Json): string {
  if (typeof value !== 'object' || value === null) return stringifyJson(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  const entries = Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(
      ([key, part]) =>
        `${JSON.stringify(key)}:${isListOfConditions(value, key, part) ? part.map(canonical).sort().join() : canonical(part)}`,
    )
  return `{${entries.join()}}`
}

const isListOfConditions = (of: Json, key: string, part: Json): part is readonly Json[] =>
  key === 'of' && Array.isArray(part) && ['and', 'or'].includes((of as { readonly op?: string }).op ?? '')
