/** The interface of a simulated system: calls in, replies out, credentials, changes. */
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
  /** Runs when the answer has ended or its connection is closed; the count of concurrent calls needs it. */
  onEnd(action: () => void): void
}

/** Bytes that are produced while they are sent, so that a file of any size needs no memory. */
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

/** The program that asks for consent, as the system knows it. */
export interface Application {
  readonly client_id: string
  readonly client_secret: string
}

/** A change on demand: its name, and the fields that it takes. */
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

/** The environment in which a system starts. */
export interface Surroundings {
  readonly seed: number
  /** Roughly the number of records of the main kind. */
  readonly scale: number
  readonly clock: Clock
  /** Where the kind's prefix begins, e.g. `http://127.0.0.1:9400/asana`. */
  readonly origin: string
  /** The same on the file host. */
  readonly filesOrigin: string
  /** Replaces every limit on calls per minute; null lifts them. By default, the limits of the real system. */
  readonly callsPerMinute?: number | null
}

/** Params of a call, as a caller of Conex writes them. */
export type ExampleParams = Readonly<Record<string, unknown>>

/** By entity and action: for every operation of the kind, params that find something here. */
export type Examples = Readonly<Record<string, Readonly<Record<string, ExampleParams>>>>

/**
 * The first things to show of a system: one list with its most useful fields, and one file, if there are any; both by
 * their examples.
 */
export interface Tour {
  readonly list?: { readonly entity: string; readonly columns: readonly string[] }
  readonly download?: { readonly entity: string }
  readonly search?: { readonly entity: string; readonly params: ExampleParams; readonly columns: readonly string[] }
  /** The settings of a connector's copy, for kinds that need them. */
  readonly replication_config?: Readonly<Record<string, unknown>>
}

/** A running system. */
export interface RunningSystem {
  readonly baseUrl: string
  readonly credentials: readonly Readonly<Record<string, string>>[]
  /** For systems with a consent page: the application that may ask, and how to register its redirect addresses. */
  readonly consent?: { readonly application: Application; register(redirectUris: readonly string[]): void }
  /** Gids or names of records that tests and demonstrations look for. */
  readonly landmarks: Readonly<Record<string, string>>
  readonly examples: Examples
  readonly tour: Tour
  handle(call: Call): Reply
  /** A refusal with this status in the system's own words, for faults. */
  refusal(status: number, call: Call): Reply
  readonly changes: readonly ChangeHelp[]
  /** Makes a change and describes the result; throws an `Error` with a sentence if it cannot. */
  change(change: Change): Record<string, unknown>
}

export interface SimulatedSystem {
  readonly kind: string
  start(surroundings: Surroundings): RunningSystem
}
