/**
 * Pages of 100 and the signed tokens between them: valid for an hour from the first page, and only for the same
 * request.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { hour, second } from './calendar.ts'
import { messages, refuse } from './replies.ts'

const pageSize = 100
const life = hour

/** The position of a walk. */
interface Position {
  readonly pageNumber: number
  /** The place of the next record. */
  readonly at: number
  /** The end of the walk, in seconds since 1970. */
  readonly exp: number
}

/** A sequence of numbered candidates; some of them match. */
export interface Row<T> {
  readonly first: number
  readonly end: number
  match(index: number): T | null
}

export interface Page<T> {
  readonly found: readonly T[]
  readonly records: Readonly<Record<string, unknown>>
}

export interface Pages {
  /** The page of a cursor, or the first one. `query` is the rest of the request. */
  page<T>(row: Row<T>, query: unknown, cursor: string | undefined): Page<T>
}

export function createPages(seed: number, now: () => number): Pages {
  const key = createHash('sha256').update(`cursor ${seed}`).digest()
  const sign = (text: string) => createHmac('sha256', key).update(text).digest('base64url')
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const header = encode({ alg: 'HS256' })
  const digestOf = (query: unknown) =>
    createHash('sha256').update(JSON.stringify(query)).digest('base64url').slice(0, 22)

  function read(cursor: string, digest: string): Position {
    const [head, payload = '', signature = ''] = cursor.split('.')
    const right = sign(`${head}.${payload}`)
    if (head !== header || signature.length !== right.length) return refuse(400, messages.badCursor)
    if (!timingSafeEqual(Buffer.from(signature), Buffer.from(right))) return refuse(400, messages.badCursor)
    const position = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Position & { query: string }
    if (now() >= position.exp * second) return refuse(400, messages.staleCursor)
    return position.query === digest ? position : refuse(400, `${messages.badCursor}: it belongs to another filter`)
  }

  return {
    page<T>(row: Row<T>, query: unknown, cursor: string | undefined): Page<T> {
      const digest = digestOf(query)
      const start: Position =
        cursor === undefined
          ? { pageNumber: 0, at: row.first, exp: Math.floor((now() + life) / second) }
          : read(cursor, digest)
      const found: T[] = []
      let at = start.at
      for (; at < row.end && found.length < pageSize; at++) {
        const one = row.match(at)
        if (one !== null) found.push(one)
      }
      let total = start.pageNumber * pageSize + found.length
      let next = -1
      for (let rest = at; rest < row.end; rest++) {
        if (row.match(rest) === null) continue
        if (next < 0) next = rest
        total++
      }
      const payload = {
        pageSize,
        total,
        pageNumber: start.pageNumber + 1,
        exp: start.exp,
        userId: 'simulated',
        at: next,
        query: digest,
      }
      const body = `${header}.${encode(payload)}`
      return {
        found,
        records: {
          totalRecords: total,
          currentPageSize: found.length,
          currentPageNumber: start.pageNumber,
          ...(next < 0 ? {} : { cursor: `${body}.${sign(body)}` }),
        },
      }
    },
  }
}
