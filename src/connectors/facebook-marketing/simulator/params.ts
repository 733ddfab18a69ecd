/** Parameters of a call: from the query, or from the form of a POST. */
import { readQuery, valuesOf } from '../../../simulator/query.ts'
import type { Call } from '../../../simulator/system.ts'
import { invalidParameter, refuse } from './replies.ts'

export interface Params {
  get(name: string): string | undefined
  /** All of them, for addresses that repeat them. */
  readonly all: ReadonlyMap<string, string>
  /** JSON in a parameter; refused when it is none. */
  json(name: string): unknown
  /** 25 when there is none. */
  limit(): number
}

export function readParams({ query, body }: Pick<Call, 'query' | 'body'>): Params {
  const all = valuesOf([...readQuery(query), ...readQuery(body)])
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
