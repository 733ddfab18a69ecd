/** The types of SQL over the copies of a connected system. */
import type { Answer, ConnectorMetadata } from '../engine/call/call.ts'
import type { SearchMetadata } from '../wire.ts'
import type { CallOptions } from './with-timeout.ts'

/** Options of a statement. */
export interface SqlOptions extends CallOptions {
  /** The maximum number of rows; 1000 by default. */
  readonly limit?: number | undefined
}

/** The rows of a statement. */
export interface SqlResult<Row> {
  readonly data: readonly Row[]
  readonly meta: { readonly has_more: boolean; readonly took_ms: number }
}

/** Rows, with the state of the copies that were read; a statement that reads no table has none. */
export interface SqlAnswer<Row> extends Answer {
  readonly result: SqlResult<Row>
  readonly connector_metadata: ConnectorMetadata & Partial<SearchMetadata>
}
