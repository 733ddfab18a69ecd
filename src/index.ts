/** The public door of the library. */

export { connect, type LocalOptions } from './client/connect.ts'
export type {
  Actions,
  CallOptions,
  Connected,
  CredentialsFor,
  ListAction,
  OperationParams,
  SearchParams,
  SearchResult,
  TypedAnswer,
} from './client/connected.ts'
export { type ConnectorKind, catalog } from './connectors/index.ts'
export type { Answer, ConnectorMetadata, Download, Warning } from './engine/call.ts'
export { ConexError, type ErrorCode, type Issue, type UpstreamComplaint } from './errors.ts'
