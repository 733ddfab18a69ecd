/**
 * The library's entry point wherever `fetch` exists: browsers, edge runtimes, and programs that only need hosted mode.
 */
import { type Connect, connectWith } from './client/connect-with.ts'
import { ConexError } from './errors.ts'

export type { ActionDescription, ConnectorType, EntityDescription } from './catalog/describe.ts'
export type {
  AuditQuery,
  Conex,
  ConnectorChanges,
  ConnectorFilter,
  Connectors,
  NewConnector,
  NewConsent,
  ScopedToken,
  SyncChoice,
} from './client/conex.ts'
export { conex } from './client/conex.ts'
export type { Connect, HostedOptions } from './client/connect-with.ts'
export type {
  DownloadAction,
  GetAction,
  ListAction,
  TypedAnswer,
  Uniform,
} from './client/connector-types.ts'
export type { EventQuery, Events } from './client/events.ts'
export type { ConnectorChoice } from './client/hosted.ts'
export type { ClientOf, CredentialsTaken, KindOrConnector } from './client/kind-or-connector.ts'
export type { ConnectorKind, KindCredentials, Kinds } from './client/kinds.ts'
export type { KindName, LoadedKinds } from './client/loaded-kinds.ts'
export type { LocalOptions } from './client/local-options.ts'
export type { Download } from './client/mode.ts'
export type { PagedList } from './client/paged-list.ts'
export type {
  FieldPath,
  Filter,
  SearchAction,
  SearchAnswer,
  SearchHit,
  SearchParams,
  SearchResult,
  SortKey,
} from './client/search-types.ts'
export type { ServiceOptions } from './client/service-calls.ts'
export type { SqlAnswer, SqlOptions, SqlResult } from './client/sql-types.ts'
export type { SyncRequest, Syncs, WatchOptions } from './client/syncs.ts'
export type { DeliveryFilter, NewWebhook, WebhookChanges, Webhooks } from './client/webhooks.ts'
export type { CallOptions } from './client/with-timeout.ts'
export type { Answer, ConnectorMetadata } from './engine/call/call.ts'
export type { Warning } from './engine/warning.ts'
export { ConexError, type ErrorCode, type Issue, type UpstreamComplaint } from './errors.ts'
export type { EventData, EventType } from './event-types.ts'
export { ExactNumber } from './json.ts'
export {
  callTool,
  type LangChainFields,
  toAiSdk,
  toAnthropic,
  toLangChain,
  toOpenAiChat,
  toOpenAiResponses,
} from './tools/adapters.ts'
export type {
  BoundTool as Tool,
  ServiceToolOptions,
  SystemToolOptions,
  ToolOutput,
  ToolSchema,
} from './tools/bound-tool.ts'
export { tools } from './tools/lazy-tools.ts'
export type { FileLink, SaveFile } from './tools/source.ts'
export type {
  AgentRecord,
  AuditRecord,
  ConnectorRecord,
  CreatedConnector,
  CreatedWebhook,
  DeletedEndUser,
  DeliveryList,
  DeliveryRecord,
  EntitySync,
  EventList,
  EventRecord,
  Health,
  RevocationOutcome,
  RunRecord,
  SyncRecord,
  WebhookRecord,
} from './wire.ts'

export const connect: Connect = connectWith(async () => {
  throw new ConexError(
    'invalid_request',
    'Local mode runs only in Node and Bun; pass baseUrl to connect through a Conex service.',
  )
})
