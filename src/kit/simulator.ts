/**
 * The simulator kit: the parts of which simulated systems are made, and the server for them. Simulators import it, and
 * nothing else.
 */
export { type Api, argumentsOf, bearerOf, createApi, type Refusals, type RouteLimit } from '../simulator/api.ts'
export { type CallLimiter, type FlightCounter, inFlight, perMinute, slidingWindow } from '../simulator/call-limits.ts'
export { type ChangeSet, changesFrom, recordChanges } from '../simulator/changes.ts'
export { type Clock, createClock } from '../simulator/clock.ts'
export { type Collection, createCollection, type Rows } from '../simulator/collection.ts'
export { type CodeFault, type ConsentPage, createConsentPage } from '../simulator/consent-page.ts'
export type { ActiveFault, Fault } from '../simulator/faults.ts'
export {
  type Derive,
  type FieldSelection,
  type FieldTables,
  fieldTables,
  readSelection,
} from '../simulator/field-tables.ts'
export { fileAnswer, type StoredFile, xmlRefusal } from '../simulator/file-answer.ts'
export { fileBytes } from '../simulator/file-bytes.ts'
export { createGenerated, type Generated, type Places } from '../simulator/generated.ts'
export { type FieldsFrom, lazyRecords, plain } from '../simulator/lazy-records.ts'
export { type NumberedIds, numberedIds } from '../simulator/numbered-ids.ts'
export {
  cursorPages,
  numberedPages,
  offsetPages,
  onePage,
  type Page,
  type PageStyle,
  wholePages,
} from '../simulator/pages.ts'
/** Declared params: `param.text()`, `param.required(…)`. */
export * as param from '../simulator/params.ts'
export { addressOf, personName } from '../simulator/people.ts'
export { decode, type Pair, readQuery, valuesOf } from '../simulator/query.ts'
export { orRefusal, Refusal as SimulatedRefusal } from '../simulator/refusal.ts'
export type { RecordedRequest } from '../simulator/requests.ts'
export { type Ask, type Filter, type Route, routesOver } from '../simulator/routes.ts'
export { afterAll, firstKept, firstPlace, inOrder, only, type Ranked, recordsOf } from '../simulator/rows.ts'
export { type Draw, mix, pick, seededRandom } from '../simulator/seeded-random.ts'
export { selectFields } from '../simulator/select-fields.ts'
export { jsonReply } from '../simulator/send.ts'
export { type Setting, setting, settingsChange } from '../simulator/settings.ts'
export { answerSigned, signedQuery } from '../simulator/signed-address.ts'
export { type RunningSimulators, type SimulatorOptions, startSimulators } from '../simulator/simulators.ts'
export type {
  Application,
  Bytes,
  Call,
  Change,
  ChangeHelp,
  ExampleParams,
  Examples as SystemExamples,
  HostName,
  Reply,
  RunningSystem,
  SimulatedSystem,
  Surroundings,
  Tour,
} from '../simulator/system.ts'
export {
  clientFault,
  createTokenEndpoint,
  type TokenEndpointOptions,
  type TokenFault,
} from '../simulator/token-endpoint.ts'
export { createTokens, type EndedToken, type Issued, secretsOf, type Tokens } from '../simulator/tokens.ts'
