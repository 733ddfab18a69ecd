/** What the engine is asked to do, and what it gives back. */
import type { Readable } from 'node:stream'
import type { Credentials } from '../../catalog/authorization.ts'
import type { FieldChoice } from '../../catalog/choose-fields.ts'
import type { Connector } from '../../catalog/connector.ts'
import type { Params } from '../../catalog/rules.ts'
import type { Held } from '../http/answer-memory.ts'
import type { Share } from '../limits/shares.ts'
import type { Page } from '../paging/page.ts'
import type { PageSize } from '../paging/page-size.ts'
import type { Warning } from '../warning.ts'

/** Where the credentials of a call come from; hosted mode keeps them in the store, local mode in memory. */
export interface CredentialSource {
  /** The credentials to use now, renewed beforehand when they are known to be worn out. */
  current(): Promise<Credentials>
  /**
   * Called once when the system refused these credentials. Gives new ones, or null when there is nothing to renew with.
   * Throws `reauthorization_required` when the system refused the renewal.
   */
  renew(refused: Credentials): Promise<Credentials | null>
}

/** A connector with its credentials, as one call uses them. */
export interface CallTarget {
  readonly connector: Connector
  /** The operator's address for the system, where it is not the system's own. */
  readonly baseUrl?: string | undefined
  readonly credentials: CredentialSource
  /** Ends the call early: the caller has gone away. */
  readonly signal?: AbortSignal | undefined
  /** What a download counts for; all downloads of the engine count together when left out. */
  readonly shares?: readonly Share[] | undefined
  /** Is given the memory that the answer takes, to be freed when it is not held any more; without this that is done when it is given. */
  readonly onHeld?: ((held: Held) => void) | undefined
}

/** One operation on one connector. */
export interface Call extends CallTarget {
  readonly entity: string
  readonly action: string
  readonly params?: unknown
  /** The record fields that the caller chose. */
  readonly fields?: FieldChoice | undefined
}

/** The paging block of the kind, plus warnings where there are any. */
export type ConnectorMetadata = { readonly [name: string]: unknown } & { readonly warnings?: readonly Warning[] }

/** The answer to a list or a get, as it goes over the wire. */
export interface Answer {
  readonly result: unknown
  readonly connector_metadata: ConnectorMetadata
}

/** An answer, which speaks of warnings only where there are any. */
export function answerOf(
  result: unknown,
  block: Readonly<Record<string, unknown>>,
  warnings: readonly Warning[],
): Answer {
  return { result, connector_metadata: warnings.length === 0 ? block : { ...block, warnings } }
}

/** A file on its way: status 200 or 206, the headers that describe it, and its bytes. Destroying the body stops the upstream read. */
export interface Download {
  readonly status: 200 | 206
  /** content-type, content-length, content-range, accept-ranges, content-disposition, etag, last-modified: those there are. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readable
}

/** One request for a copy: of an operation that need not be open to callers, with params that need no check. */
export interface StreamCall extends CallTarget {
  readonly params: Params
  /** The page size learnt so far. */
  readonly size?: PageSize | undefined
}

/** One page of a stream, its records with their declared types. */
export interface StreamPage extends Page {
  readonly records: readonly Readonly<Record<string, unknown>>[]
  readonly warnings: readonly Warning[]
}
