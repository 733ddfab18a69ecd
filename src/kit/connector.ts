/** The language of connectors: everything with which a kind is declared. Connectors import it, and nothing else. */
export type { TSchema } from 'typebox'
export {
  type AuthMethod,
  type AuthorizationStyle,
  authMethod,
  type BasicStyle,
  type BearerStyle,
  type Credentials,
  type RefreshableStyle,
  requiredFields,
} from '../catalog/authorization.ts'
export { findEntity } from '../catalog/catalog.ts'
export { checkCredentials } from '../catalog/check-credentials.ts'
export { type Connector, connector, type Examples } from '../catalog/connector.ts'
export type { Consent } from '../catalog/consent.ts'
export { type ConnectorType, describeConnector, type EntityDescription } from '../catalog/describe.ts'
export { type Entity, entity, type FieldType } from '../catalog/entity.ts'
export {
  anyOf,
  array,
  arrayOf,
  boolean,
  closedObjectOf,
  date,
  dateTime,
  exactly,
  id,
  integer,
  mapOf,
  nullable,
  number,
  object,
  objectOf,
  oneOf,
  optional,
  partialOf,
  secret,
  text,
  titledObject,
  utcTime,
  withOptional,
} from '../catalog/fields.ts'
export type { CallLimit, ReadUsage, Usage } from '../catalog/limit.ts'
export { applicationOf, grantMethod, renewedAt } from '../catalog/oauth.ts'
export {
  type AnswerPage,
  body,
  type Detour,
  type DownloadOperation,
  download,
  type FileLocation,
  form,
  type GetOperation,
  get,
  type ListOperation,
  list,
  nowhere,
  type Operation,
  type ParamsOf,
  type Place,
  query,
  type Reader,
  type RecordOf,
  type ReshapeContext,
  type Selection,
} from '../catalog/operation.ts'
export {
  type AnswerPath,
  type CursorPaging,
  cursorPaging,
  noPaging,
  type Paging,
  type PagingBlock,
  type TimePaging,
  timePaging,
  type WalkPaging,
  type WholePaging,
  walkPaging,
  wholePaging,
} from '../catalog/paging.ts'
export { isNumeric, plainNumber, plainText } from '../catalog/plain-value.ts'
export type { ListRefusal, ReadListRefusal, ReadRefusal, Refusal, UpstreamAnswer } from '../catalog/refusal.ts'
export { refusalText, textIn } from '../catalog/refusal-text.ts'
export type { Revocation } from '../catalog/revocation.ts'
export { atLeastOneOf, atMostOneOf, exactlyOneOf, type Params, type Rule, rule } from '../catalog/rules.ts'
export { searchableFields } from '../catalog/searchable.ts'
export {
  days,
  hours,
  identifiedBy,
  type Listing,
  minutes,
  type Parent,
  type Parents,
  type Stream,
  type StreamedRecord,
  type Windows,
} from '../catalog/stream.ts'
export type { SystemAddress } from '../catalog/system-address.ts'
export type { TokenEndpoint, TokenRefusals } from '../catalog/token-endpoint.ts'
export { ConexError, type ErrorCode } from '../errors.ts'
