/** What a simulated system is to the server that carries it: calls in, replies out, credentials, changes. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Clock } from './clock.ts'

/** The two listeners: the systems' interfaces, and the host of the files they point to (another origin). */
export type HostName = 'api' | 'files'

/** One request as a system sees it. */
export interface Call {
  readonly host: HostName
  readonly method: string
  /** Path below the kind's prefix, percent-encoding untouched. */
  readonly path: string
  /** Query string as received, without the question mark. */
  readonly query: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** Runs when the answer has ended or its connection has gone: what counts calls in flight needs it. */
  onEnd(action: () => void): void
}

/** Bytes that are made while they are sent, so that a file of any size needs no memory. */
export interface Bytes {
  readonly length: number
  /** At most `max` bytes from position `at`; never empty before the end. */
  read(at: number, max: number): Buffer
}

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Bytes
}

/** What a system knows a program by that asks for consent. */
export interface Application {
  readonly client_id: string
  readonly client_secret: string
}

/** A change made on demand: its name and whatever fields that change takes. */
export interface Change {
  readonly change: string
  readonly [field: string]: unknown
}

/** One entry of the list that `GET /_changes` answers. */
export interface ChangeHelp {
  readonly change: string
  readonly does: string
  readonly example: Readonly<Record<string, unknown>>
}

/** What a system is given when it starts. */
export interface Surroundings {
  readonly seed: number
  /** Roughly how many records of the main kind there are. */
  readonly scale: number
  readonly clock: Clock
  /** Where the kind's prefix begins, e.g. `http://127.0.0.1:9400/asana`. */
  readonly origin: string
  /** The same on the file host. */
  readonly filesOrigin: string
  /** Replaces every limit on calls a minute; null lifts them. Absent: as the real system has them. */
  readonly callsPerMinute?: number | null
}

/** Params of a call, as a caller of Conex writes them. */
export type ExampleParams = Readonly<Record<string, unknown>>

/** By entity and action, for every operation of the kind, params with which it finds something here. */
export type Examples = Readonly<Record<string, Readonly<Record<string, ExampleParams>>>>

/** What a first look at a system shows: one list with the fields worth seeing, and one file, where there are any; both by their examples. */
export interface Tour {
  readonly list?: { readonly entity: string; readonly columns: readonly string[] }
  readonly download?: { readonly entity: string }
  readonly search?: { readonly entity: string; readonly params: ExampleParams; readonly columns: readonly string[] }
  /** What the copy of a connector should hold, for kinds that have to be told. */
  readonly replication_config?: Readonly<Record<string, unknown>>
}

/** A system that has started. */
export interface RunningSystem {
  readonly baseUrl: string
  readonly credentials: readonly Readonly<Record<string, string>>[]
  /** Where the system has a consent page: the application that may ask, and how to register where it sends people. */
  readonly consent?: { readonly application: Application; register(redirectUris: readonly string[]): void }
  /** Gids or names of records that tests and demonstrations look for. */
  readonly landmarks: Readonly<Record<string, string>>
  readonly examples: Examples
  readonly tour: Tour
  handle(call: Call): Reply
  /** A refusal with this status in the system's own words, for faults on demand. */
  refusal(status: number, call: Call): Reply
  readonly changes: readonly ChangeHelp[]
  /** Makes a change and says what came of it; throws an `Error` with a sentence when it cannot. */
  change(change: Change): Record<string, unknown>
}

export interface SimulatedSystem {
  readonly kind: string
  start(surroundings: Surroundings): RunningSystem
}
