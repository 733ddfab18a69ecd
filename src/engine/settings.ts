/** What the operator decides about calls to third-party systems, with the defaults of the contract. */
import { setTimeout } from 'node:timers/promises'
import type { buildConnector } from 'undici'
import type { CallLimit } from '../catalog/limit.ts'
import type { Log } from '../log.ts'
import { silentLog } from '../log.ts'
import { usualAnswerMemory } from './http/answer-memory.ts'
import type { Resolve } from './http/egress.ts'
import type { Proxies } from './http/proxies.ts'

/** Time, passed in so that tests need not wait. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>
}

/** The application that the platform itself registered with a system, used where a connector brings none. */
export interface PlatformApplication {
  readonly clientId: string
  readonly clientSecret: string
}

/** Where the counts of calls are kept, each as a text with a version that every change raises. */
export interface LedgerStore {
  read(key: string): Promise<{ readonly ledger: string; readonly version: number } | null>
  /**
   * Writes in place of this version, or of nothing for 0; false when there is another version by now. After `end` the ledger
   * may be forgotten. Times are ISO 8601 in UTC.
   */
  write(key: string, ledger: string, version: number, now: string, end: string): Promise<boolean>
}

export interface EngineSettings {
  /** One limit for a whole operation, all tries and waits included, in milliseconds; for a download up to its first byte. */
  readonly deadline: number
  /** The longest silence in a running download, in milliseconds. */
  readonly idleLimit: number
  /** Tries after the first one. */
  readonly retries: number
  /** The longest Retry-After that is waited for, in milliseconds; a longer one is handed to the caller. */
  readonly retryCeiling: number
  /** The largest JSON answer that is read, in bytes. */
  readonly largestAnswer: number
  /** The memory that all answers together may take while they are read and handed on, in bytes, about. */
  readonly answerMemory: number
  /** Lets the engine reach private addresses and plain http; for simulators and systems inside the operator's network. */
  readonly allowPrivateNetwork: boolean
  /** Connections per origin for calls; as many downloads may be under way where a call does not say whose they are. */
  readonly connections: number
  /** The way out of the operator's network; null for a direct one. */
  readonly proxies: Proxies | null
  /** By connector kind. */
  readonly platformApplications: Readonly<Record<string, PlatformApplication>>
  /** Whether callers may have records that a system marks as private. */
  readonly privateRecords: boolean
  /** By connector kind, in place of the limits that the kind declares; an empty list lifts them. */
  readonly limits: Readonly<Record<string, readonly CallLimit[]>>
  /** Where calls are counted for several nodes together; in memory when left out. */
  readonly ledgers?: LedgerStore
  /** How names are resolved and connections opened, where not as usual; tests put a network of their own here. */
  readonly network?: { readonly resolve: Resolve; readonly open: typeof buildConnector }
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
