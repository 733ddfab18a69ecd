/** Turns checked params into the request that the third-party system expects. */

import type { Operation, Place } from '../../catalog/operation.ts'
import type { Params } from '../../catalog/rules.ts'
import { escapePointer } from '../../catalog/unknown-names.ts'
import { ConexError } from '../../errors.ts'
import { askedFields, selectionText } from './selection.ts'

/** A request below the base address of a system. */
export interface SystemRequest {
  readonly method: 'GET' | 'POST'
  /** Path and query, every part encoded. */
  readonly path: string
  readonly body?: unknown
  /** A form, encoded, in place of a body. */
  readonly form?: string
  /** A smaller page is asked for where this one is refused as too large: repeating it would only take time. */
  readonly canShrink?: boolean
}

/** Prepares an operation's requests: what does not depend on params is worked out once. */
export function compileRequest(
  operation: Operation,
): (params: Params, now: number, without?: ReadonlySet<string>) => SystemRequest {
  const method = operation.method ?? 'GET'
  const segments = operation.path.split(/\{([^}]+)\}/)
  const inPath = new Set(segments.filter((_, index) => index % 2 === 1))
  const select = operation.select
  const names = Object.keys(operation.params.properties)
  // A walk carries its page token although callers have no param for it.
  if (operation.action === 'list' && operation.paging.style === 'walk') names.push(operation.paging.cursor)
  const placed = names
    .filter((name) => !inPath.has(name) && name !== 'range_header' && name !== select?.param)
    .map((name) => ({ name, place: operation.send?.[name] ?? usualPlace(method, name) }))
    .map(({ name, place }) => ({ name, place, key: place.in === 'query' ? `${encode(place.name)}=` : '' }))
  const usualSelection = select === undefined ? '' : encode(selectionText(select, {}))
  const fixed = Object.entries(operation.fixedQuery ?? {}).map(([name, value]) => `${name}=${encode(value)}`)

  return (params, now, without) => {
    let path = segments[0]!
    for (let index = 1; index < segments.length; index += 2)
      path += pathSegment(segments[index]!, String(params[segments[index]!])) + segments[index + 1]!
    const query = [...fixed]
    let body: Record<string, unknown> | undefined = method === 'POST' ? {} : undefined
    for (const { name, place, key } of placed) {
      const value = params[name]
      if (value === undefined || place.in === 'nowhere') continue
      if (place.in === 'query') query.push(key + encode(queryText(value)))
      else body = withValueAt(body ?? {}, place.at, place.as === undefined ? value : place.as(value, now))
    }
    if (select !== undefined) {
      const isUsual = askedFields(operation, params) === undefined && (without === undefined || without.size === 0)
      query.push(`${select.send}=${isUsual ? usualSelection : encode(selectionText(select, params, without))}`)
    }
    const request = { method, path: query.length === 0 ? path : `${path}?${query.join('&')}` }
    return body === undefined ? request : { ...request, body }
  }
}

/** A param as one step of the path. No encoding keeps `.` and `..` from being read as steps to elsewhere. */
function pathSegment(name: string, value: string): string {
  if (!/^\.{0,2}$/.test(value)) return encode(value)
  throw new ConexError('invalid_params', `${name} has to be an id; it cannot be empty, "." or "..".`, {
    issues: [{ path: `/params/${escapePointer(name)}`, message: 'has to be an id' }],
  })
}

const usualPlace = (method: 'GET' | 'POST', name: string): Place =>
  method === 'GET' ? { in: 'query', name } : { in: 'body', at: [name] }

/** A value as the text of a query parameter. */
function queryText(value: unknown): string {
  if (Array.isArray(value)) return value.map(String).join(',')
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
}

/** Percent-encodes text so that no part of it can change the path or the query; half surrogates have no encoding. */
export const encode = (text: string): string => encodeURIComponent(text.toWellFormed())

/** A query or a form as text. */
export const queryOf = (query: Readonly<Record<string, string>>): string =>
  Object.entries(query)
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .join('&')

function withValueAt(body: Record<string, unknown>, at: readonly string[], value: unknown): Record<string, unknown> {
  const [key, ...rest] = at
  if (key === undefined) return body
  if (rest.length === 0) return { ...body, [key]: value }
  const inner = body[key]
  return { ...body, [key]: withValueAt(typeof inner === 'object' && inner !== null ? { ...inner } : {}, rest, value) }
}
