/** An endpoint: the handler of a route, with the schemas of its input and output. The documents are derived from it. */
import type { TObject, TSchema } from 'typebox'
import type { ErrorCode } from '../errors.ts'
import type { Handler } from './handler.ts'

/** An answer that is not an error. */
export interface EndpointAnswer {
  readonly description: string
  /** The schema of a JSON answer. */
  readonly schema?: TSchema
  /** The type of any other body. */
  readonly mediaType?: string
  readonly headers?: Readonly<Record<string, TSchema>>
}

/** The default limit for a body, in bytes. */
export const smallestBody = 4 * 1024

/** How a call of a third-party system can fail. */
export const failuresOfCalls: readonly ErrorCode[] = [
  'reauthorization_required',
  'upstream_refused',
  'upstream_forbidden',
  'upstream_plan_required',
  'upstream_rate_limited',
  'upstream_error',
  'upstream_invalid_response',
  'upstream_timeout',
]

/** These schemas do not check bodies: handlers pass the body to a use case, which decodes it with the same schema. */
export interface Endpoint {
  /** A few words, in the imperative. */
  readonly summary: string
  /** The query parameters. All others are refused; without this, all are. */
  readonly query?: TObject
  /** Ignores unknown query parameters, because other parties add some of their own. */
  readonly takesAnyQuery?: true
  /** Request headers that only this endpoint reads. */
  readonly headers?: TObject
  readonly body?: TObject
  readonly bodyMayBeLeftOut?: true
  /** Takes a form (application/x-www-form-urlencoded) instead of JSON. */
  readonly form?: TObject
  /** In bytes; `smallestBody` by default. */
  readonly largestBody?: number
  /** The body needs one property of each of these groups. The schema cannot say that in words for a caller. */
  readonly oneOfEach?: readonly (readonly string[])[]
  /** Runs operations of the catalog, whose schemas describe the requests and answers. */
  readonly runsOperations?: true
  /** The body contains credentials of a kind. */
  readonly takesCredentials?: true
  readonly answers: Readonly<Record<number, EndpointAnswer>>
  /**
   * The title of the page that a browser shows when the request is refused; by default, the title of the error code.
   */
  readonly refusalTitle?: string
  /** Error codes besides those that follow from the route's token, path, query and body. */
  readonly errors?: readonly ErrorCode[]
  readonly handle: Handler
}
