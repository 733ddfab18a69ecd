/** How a connector explains the refusals of its system to the engine. */
import type { ErrorCode } from '../errors.ts'
import type { Params } from './rules.ts'

/** An answer that may be a refusal: any with an error status, and any 200 whose body may contain an error. */
export interface UpstreamAnswer {
  /** The requested path below the base address, without its query. */
  readonly path: string
  readonly status: number
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The parsed JSON; undefined if the body is not JSON. */
  readonly body: unknown
  /** The beginning of a body that is not JSON. */
  readonly text?: string
}

export interface Refusal {
  readonly code: ErrorCode
  /** The system's own code and message, for the caller. Without a message, the engine looks for one (`refusalText`). */
  readonly upstreamCode?: string
  readonly message?: string
  /** A sentence for the caller, if the code alone says too little. */
  readonly detail?: string
  /** The same request can succeed if it is repeated soon. */
  readonly transient?: boolean
  /** Seconds to wait, if Retry-After does not say. */
  readonly retryAfter?: number
  /**
   * The limit concerns only a part of the system, for example one account: other calls with the same credentials may go
   * on.
   */
  readonly partial?: boolean
  /** The request can succeed with fewer records on a page; with `transient`, only after repeating has not helped. */
  readonly smallerPage?: boolean
  /** One record fails every page that it is on; as with `smallerPage`, smaller pages narrow it down. */
  readonly brokenRecord?: boolean
  /** Whether renewed credentials can help; by default only for `reauthorization_required`. */
  readonly renew?: boolean
  /** The record field that the system does not know, if it is a single one. */
  readonly unknownField?: string
}

/** Reads an answer; null means that it is not a refusal. */
export type ReadRefusal = (answer: UpstreamAnswer) => Refusal | null

/** A refusal as the kind has read it, for a list to interpret. */
export interface ListRefusal {
  readonly code: ErrorCode
  readonly status: number
  readonly message: string
}

/**
 * The meaning of a refusal for a list: the answer that it stands for, for example an empty one for "not found", or
 * another code. Null leaves the refusal as it is.
 */
export type ReadListRefusal = (
  refusal: ListRefusal,
  params: Params,
) => { readonly answer: unknown } | { readonly code: ErrorCode; readonly detail: string } | null
