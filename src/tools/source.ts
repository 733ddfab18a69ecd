/** What the tools ask: connectors, their kinds, and their operations. The service and the client each fill it. */
import type { ConnectorType } from '../catalog/describe.ts'
import type { Download, Mode, Operation } from '../client/mode.ts'
import type { ConnectorRecord, ConsentLink } from '../wire.ts'

/** The answer to a list, a get or a search. */
export type Answer = Awaited<ReturnType<Mode['execute']>>

/** The facts about a connector that a model needs to choose one. */
export type ConnectorSummary = Pick<ConnectorRecord, 'id' | 'name' | 'connector_type' | 'external_user_id' | 'status'>

export interface ConnectorPage {
  readonly connectors: readonly ConnectorSummary[]
  readonly next_cursor: string | null
}

/** Where the bytes of a file can be fetched, and for how long. */
export interface FileLink {
  readonly url: string
  /** Seconds; null for as long as the process runs, absent if nobody knows. */
  readonly expiresIn?: number | null
}

/** Keeps a file for the user of a model that cannot read it. */
export type SaveFile = (file: Download) => Promise<FileLink>

export interface Source {
  /** One page of the connectors that the caller may use. */
  connectors(query: { readonly connector_type?: string; readonly cursor?: string }): Promise<ConnectorPage>
  /** The connector with this id. */
  connector(id: string): Promise<ConnectorSummary>
  /** The names of all kinds. */
  kinds(): Promise<readonly string[]>
  /** A kind as data; throws `not_found` if there is none of this name. */
  type(kind: string): Promise<ConnectorType>
  /** One answer of a list, a get or a search. */
  execute(connector: ConnectorSummary, operation: Operation, signal: AbortSignal): Promise<Answer>
  /** A file whose bytes are still arriving. */
  download(connector: ConnectorSummary, operation: Operation, signal: AbortSignal): Promise<Download>
  /** A link to the bytes of a file that a model cannot read; null if there is no place to keep it. */
  link(connector: ConnectorSummary, operation: Operation, signal: AbortSignal): Promise<FileLink | null>
  /** A link with which the user signs in to the connector’s system again; throws, with what to do instead, if there is none. */
  signInLink(connector: ConnectorSummary): Promise<ConsentLink>
}
