/** The operator's settings for calls to third-party systems, with their defaults. */
import { setTimeout } from 'node:timers/promises'
import type { buildConnector } from 'undici'
import type { CallLimit } from '../catalog/limit.ts'
import type { Log } from '../log.ts'
import { silentLog } from '../log.ts'
import { usualAnswerMemory } from './http/answer-memory.ts'
import type { Resolve } from './http/egress.ts'
import type { Transport } from './http/messages.ts'
import type { Proxies } from './http/proxies.ts'

/** Time, passed in so that tests need not wait. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>
}

/** The platform's own application at a system, for connectors without one. */
export interface PlatformApplication {
  readonly clientId: string
  readonly clientSecret: string
}

/** Stores the counts of calls, each as a text with a version that every change raises. */
export interface LedgerStore {
  read(key: string): Promise<{ readonly ledger: string; readonly version: number } | null>
  /**
   * Writes instead of this version, or a first one for 0; false if there is another version by now. After `end`, the
   * ledger may be forgotten. Times are ISO 8601 in UTC.
   */
  write(key: string, ledger: string, version: number, now: string, end: string): Promise<boolean>
}

export interface EngineSettings {
  /**
   * The time limit of a whole operation with all retries and waits, in milliseconds; for a download, up to its first
   * byte.
   */
  readonly deadline: number
  /** The longest silence in a running download, in milliseconds. */
  readonly idleLimit: number
  /** Retries after the first attempt. */
  readonly retries: number
  /** The longest Retry-After to wait for, in milliseconds; the caller gets a longer one. */
  readonly retryCeiling: number
  /** The largest JSON answer, in bytes. */
  readonly largestAnswer: number
  /** The approximate memory for all answers together while they are read and passed on, in bytes. */
  readonly answerMemory: number
  /** Allows private addresses and plain http, for simulators and systems in the operator's network. */
  readonly allowPrivateNetwork: boolean
  /** Connections per origin for calls, and concurrent downloads for calls that do not name their owner. */
  readonly connections: number
  /** The proxy out of the operator's network; null for direct connections. */
  readonly proxies: Proxies | null
  /** By connector kind. */
  readonly platformApplications: Readonly<Record<string, PlatformApplication>>
  /** Whether callers may read records that a system marks as private. */
  readonly privateRecords: boolean
  /** By connector kind, instead of the kind's own limits; an empty list lifts them. */
  readonly limits: Readonly<Record<string, readonly CallLimit[]>>
  /** The count of calls that several nodes share; by default in memory. */
  readonly ledgers?: LedgerStore
  /** Name resolution and connections; tests replace the network here. */
  readonly network?: { readonly resolve: Resolve; readonly open: typeof buildConnector }
  /** Takes the place of the transport, which it gets; for programs that show every request. */
  readonly around?: (transport: Transport) => Transport
  readonly clock: Clock
  /** A number from 0 up to 1. */
  readonly random: () => number
  readonly log: Log
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) =>
    setTimeout(milliseconds, undefined, { signal }).catch(() => {
      throw signal.reason
    }),
}

export const defaultEngineSettings: EngineSettings = {
  deadline: 60_000,
  idleLimit: 30_000,
  retries: 3,
  retryCeiling: 30_000,
  largestAnswer: 16 * 1024 * 1024,
  answerMemory: usualAnswerMemory(),
  allowPrivateNetwork: false,
  connections: 64,
  proxies: null,
  platformApplications: {},
  privateRecords: true,
  limits: {},
  clock: systemClock,
  random: Math.random,
  log: silentLog,
}
