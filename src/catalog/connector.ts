/** A connector kind: everything Conex knows about one third-party system, as one typed value. */
import type { TObject } from 'typebox'
import type { AuthMethod } from './authorization.ts'
import type { Entity } from './entity.ts'
import type { CallLimit, ReadUsage } from './limit.ts'
import type { GetOperation } from './operation.ts'
import type { RawReads } from './raw-reads.ts'
import type { ReadRefusal, UpstreamAnswer } from './refusal.ts'
import type { Params } from './rules.ts'

export interface Connector {
  /** The `connector_type`, for example `asana`. */
  readonly kind: string
  readonly definitionId: string
  readonly title: string
  /** The system's own address; an operator can set another one. */
  readonly baseUrl: string
  readonly authMethods: readonly AuthMethod[]
  /** Settings of the copy that must be given at creation; null if the kind has none. */
  readonly replicationConfig: TObject | null
  /**
   * The cheapest live call that shows whether the credentials work; an operation of its own if no entity has a suitable
   * one.
   */
  readonly check: {
    readonly entity: string
    readonly action: 'list' | 'get'
    readonly params: Params
    readonly operation?: GetOperation
  }
  readonly readRefusal: ReadRefusal
  /** How many calls the system accepts with one set of credentials; calls wait until the limit allows them. */
  readonly limits?: readonly CallLimit[]
  /** How many concurrent requests the system accepts with one set of credentials. */
  readonly atOnce?: number
  /** Reads the system's own count of calls, if its answers report it. */
  readonly usage?: ReadUsage
  /**
   * Reads messages to the operator from the headers of an answer, for example the end of a version; each is logged
   * once.
   */
  readonly notice?: (headers: UpstreamAnswer['headers'], baseUrl: string) => string | null
  /** What callers may read by requests of their own; nothing without it. */
  readonly rawReads?: RawReads
  readonly entities: Readonly<Record<string, Entity>>
  /** Values for the documents. */
  readonly examples?: Examples
}

/** Values for the documents of a kind. */
export interface Examples {
  /** Values of params and record fields, by name. */
  readonly values: Readonly<Record<string, unknown>>
  /** Values for single entities, by entity; they override the others. */
  readonly entities?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Params for operations whose required params are not enough, by `<entity>.<action>`. */
  readonly params?: Readonly<Record<string, Params>>
}

/** Declares a connector kind; keeps the exact types of its entities. */
export const connector = <const C extends Connector>(declaration: C): C => declaration
