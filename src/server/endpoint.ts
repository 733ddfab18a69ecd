/** An endpoint: what a route does, with the schemas of what goes in and comes out, so that documents are made from the code itself. */
import type { TObject, TSchema } from 'typebox'
import type { ErrorCode } from '../errors.ts'
import type { Handler } from './handler.ts'

/** One answer that is no error. */
export interface EndpointAnswer {
  readonly description: string
  /** Of a JSON answer. */
  readonly schema?: TSchema
  /** Of any other answer that has a body. */
  readonly mediaType?: string
  readonly headers?: Readonly<Record<string, TSchema>>
}

/** The largest body of an endpoint that does not say otherwise, in bytes. */
export const smallestBody = 4 * 1024

/** Bodies are not checked by these schemas: handlers hand what came to a use case, which decodes it with the same schema. */
export interface Endpoint {
  /** A few words, in the imperative. */
  readonly summary: string
  /** Its query parameters; there are none when it is left out, and others are refused. */
  readonly query?: TObject
  /** Passes over query parameters, since those who ask add some of their own. */
  readonly takesAnyQuery?: true
  /** Request headers of its own. */
  readonly headers?: TObject
  readonly body?: TObject
  readonly bodyMayBeLeftOut?: true
  /** In bytes; as little as any when left out. */
  readonly largestBody?: number
  /** Of each of these groups of properties the body has to have one, which its schema cannot tell in words for a caller. */
  readonly oneOfEach?: readonly (readonly string[])[]
  /** Runs operations of the catalog: its requests and answers are theirs. */
  readonly runsOperations?: true
  /** Its body holds the credentials of a kind. */
  readonly takesCredentials?: true
  readonly answers: Readonly<Record<number, EndpointAnswer>>
  /** What a page tells a person whose browser is refused here; the title of the code when left out. */
  readonly refusalTitle?: string
  /** Codes beside those that follow from the route's token, path, query and body. */
  readonly errors?: readonly ErrorCode[]
  readonly handle: Handler
}
