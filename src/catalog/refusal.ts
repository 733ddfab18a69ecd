/** How a connector tells the engine what an answer of its system means. */
import type { ErrorCode } from '../errors.ts'
import type { Params } from './rules.ts'

/** An answer that may be a refusal: any with an error status, and any whose body may hold an error under status 200. */
export interface UpstreamAnswer {
  /** What was asked: the path below the base address, without its query. */
  readonly path: string
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The parsed JSON, or undefined when the body is not JSON. */
  readonly body: unknown
  /** The beginning of a body that is not JSON. */
  readonly text?: string
}

export interface Refusal {
  readonly code: ErrorCode
  /** The system's own code and words, for the caller's eyes; without words the engine looks for them (`refusalText`). */
  readonly upstreamCode?: string
  readonly message?: string
  /** One sentence for the caller where the code alone says too little. */
  readonly detail?: string
  /** The same request may succeed when repeated soon. */
  readonly transient?: boolean
  /** Seconds to wait, where Retry-After does not say. */
  readonly retryAfter?: number
  /** A limit that counts a part of the system alone, for example one account: other calls of the same credentials may go. */
  readonly partial?: boolean
  /** The request may succeed with fewer records on a page; together with `transient` once repeating has not helped. */
  readonly smallerPage?: boolean
  /** One record fails every page that it is on; as with `smallerPage`, smaller ones come close to it. */
  readonly brokenRecord?: boolean
  /** Whether renewed credentials may help; without a word only for `reauthorization_required`. */
  readonly renew?: boolean
  /** The record field that the system does not know, where one alone is to blame. */
  readonly unknownField?: string
}

/** Reads an answer; null means that it is not a refusal. */
export type ReadRefusal = (answer: UpstreamAnswer) => Refusal | null

/** A refusal as one list looks at it, after the kind has read it. */
export interface ListRefusal {
  readonly code: ErrorCode
  readonly status: number
  readonly message: string
}

/**
 * What a refusal means to one list: an answer that it stands for, as when a system says "not found" for "none",
 * or another code; null when it means what it says.
 */
export type ReadListRefusal = (
  refusal: ListRefusal,
  params: Params,
) => { readonly answer: unknown } | { readonly code: ErrorCode; readonly detail: string } | null
