/** The parameters of a call: from the query, or from the form of a POST. */
import { type Call, readQuery, valuesOf } from '../../../kit/simulator.ts'
import { invalidParameter, refuse } from './replies.ts'

export interface Params {
  get(name: string): string | undefined
  /** All values, for addresses that repeat the parameters. */
  readonly all: ReadonlyMap<string, string>
  /** JSON in a parameter; refused if it is not valid. */
  json(name: string): unknown
  /** 25 by default. */
  limit(): number
}

export function readParams({ query, headers, body }: Pick<Call, 'query' | 'headers' | 'body'>): Params {
  const all = valuesOf(readQuery(query))
  for (const [name, value] of bodyParams(headers['content-type'] ?? '', body)) all.set(name, value)
  return {
    all,
    get: (name) => all.get(name),
    json(name) {
      const text = all.get(name)
      if (text === undefined) return undefined
      try {
        return JSON.parse(text)
      } catch {
        return refuse(invalidParameter(`Param ${name} must be an array.`))
      }
    },
    limit() {
      const text = all.get('limit')
      if (text === undefined || text === '') return 25
      if (!/^\d{1,9}$/.test(text) || Number(text) < 1)
        refuse(invalidParameter('Param limit must be a positive integer'))
      return Number(text)
    },
  }
}

/** Graph accepts a form or a JSON object; lists and objects inside a form are JSON text. */
function bodyParams(type: string, body: string): Iterable<[string, string]> {
  if (body === '' || !type.includes('json')) return valuesOf(readQuery(body))
  try {
    const params: unknown = JSON.parse(body)
    return Object.entries(params ?? {}).map(([name, value]) => [
      name,
      typeof value === 'string'
        ? value
        : Array.isArray(value) && name === 'fields'
          ? value.join(',')
          : JSON.stringify(value),
    ])
  } catch {
    return refuse(invalidParameter('Invalid JSON for postbody'))
  }
}
