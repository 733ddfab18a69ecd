/** Refuses query parameters that a route does not know: a misspelled one would silently change the request. */
import Type from 'typebox'
import { decodeQuery } from '../catalog/decode.ts'
import type { Endpoint } from './endpoint.ts'

const none = Type.Object({}, { additionalProperties: false })

export function checkQuery({ query = none, takesAnyQuery }: Endpoint, given: unknown): void {
  if (takesAnyQuery !== true) decodeQuery(query, given)
}
