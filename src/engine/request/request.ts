/** Turns checked params into the request that the third-party system expects. */

import type { Operation, Place } from '../../catalog/operation.ts'
import type { Params } from '../../catalog/rules.ts'
import { escapePointer } from '../../catalog/unknown-names.ts'
import { ConexError } from '../../errors.ts'
import { perOperation } from '../operation-cache.ts'
import { type Selected, selectedIn, selectionText } from './selection.ts'

export { type Selected, selectedIn }

/** A request below the base address of a system, as data: query and body become text once, when they are sent. */
export interface SystemRequest {
  readonly method?: 'GET' | 'POST'
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent as a form, in place of a body. */
  readonly form?: Readonly<Record<string, string>>
}

/** What a request is made of beside its operation. */
export interface RequestParts {
  readonly params: Params
  readonly selected: Selected | undefined
  /** Default fields that are not to be asked for. */
  readonly without?: ReadonlySet<string>
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Builds the requests of an operation; the parts that do not depend on params are made once. */
export const requestBuilder = perOperation((operation: Operation): ((parts: RequestParts) => SystemRequest) => {
  const { method = 'GET', select, fixedQuery } = operation
  const segments = operation.path.split(/\{([^}]+)\}/)
  const inPath = new Set(segments.filter((_, index) => index % 2 === 1))
  const names = Object.keys(operation.params.properties)
  // A walk carries its page token although callers have no param for it.
  if (operation.action === 'list' && operation.paging.style === 'walk') names.push(operation.paging.cursor)
  const placed = names
    .filter((name) => !inPath.has(name) && name !== 'range_header' && name !== select?.param)
    .map((name) => ({ name, place: operation.send?.[name] ?? usualPlace(method, name) }))
  const usualSelection = select && selectionText(select)

  return ({ params, selected, without, now }) => {
    const path = segments.map((segment, index) => (index % 2 === 0 ? segment : pathSegment(segment, params[segment])))
    const query: Record<string, string> = { ...fixedQuery }
    let body: Record<string, unknown> | undefined = method === 'POST' ? {} : undefined
    let form: Record<string, string> | undefined
    for (const { name, place } of placed) {
      const value = params[name]
      if (value === undefined || place.in === 'nowhere') continue
      if (place.in === 'query') for (const sent of place.names) query[sent] = queryText(value)
      else if (place.in === 'form') form = { ...form, [place.name]: queryText(value) }
      else body = withValueAt(body ?? {}, place.at, place.as === undefined ? value : place.as(value, now))
    }
    const selection =
      select !== undefined && (selected || without?.size) ? selectionText(select, selected, without) : usualSelection
    if (selection !== undefined) query[select!.send] = selection
    return { method, path: path.join(''), query, ...(form !== undefined ? { form } : body !== undefined && { body }) }
  }
})

/** A param as one step of the path. No encoding keeps `.` and `..` from being read as steps to elsewhere. */
function pathSegment(name: string, value: unknown): string {
  if (!/^\.{0,2}$/.test(String(value))) return encode(String(value))
  throw new ConexError('invalid_params', `${name} must be an id; it cannot be empty, "." or "..".`, {
    issues: [{ path: `/params/${escapePointer(name)}`, message: 'must be an id' }],
  })
}

const usualPlace = (method: 'GET' | 'POST', name: string): Place =>
  method === 'GET' ? { in: 'query', names: [name] } : { in: 'body', at: [name] }

/** A value as the text of a query parameter. */
function queryText(value: unknown): string {
  if (Array.isArray(value)) return value.map(String).join(',')
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
}

function withValueAt(body: Record<string, unknown>, at: readonly string[], value: unknown): Record<string, unknown> {
  const [key, ...rest] = at
  if (key === undefined) return body
  if (rest.length === 0) return { ...body, [key]: value }
  const inner = body[key]
  return { ...body, [key]: withValueAt(typeof inner === 'object' && inner !== null ? { ...inner } : {}, rest, value) }
}

/** Percent-encodes text so that no part of it can change the path or the query; half surrogates have no encoding. */
const encode = (text: string): string => encodeURIComponent(text.toWellFormed())

/** A query or a form as text. */
export const encodeQuery = (query: Readonly<Record<string, string>>): string =>
  Object.entries(query)
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .join('&')
