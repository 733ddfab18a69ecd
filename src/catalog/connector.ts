/** A connector kind: everything Conex knows about one third-party system, as one typed value. */
import type { TObject } from 'typebox'
import type { AuthMethod } from './authorization.ts'
import type { Entity } from './entity.ts'
import type { CallLimit, ReadUsage } from './limit.ts'
import type { GetOperation } from './operation.ts'
import type { ReadRefusal, UpstreamAnswer } from './refusal.ts'
import type { Params } from './rules.ts'

export interface Connector {
  /** The `connector_type`, for example `asana`. */
  readonly kind: string
  readonly definitionId: string
  readonly title: string
  /** The system's own address; an operator may set another one. */
  readonly baseUrl: string
  readonly authMethods: readonly AuthMethod[]
  /** Settings of the copy that have to be given at creation; null where the kind takes none. */
  readonly replicationConfig: TObject | null
  /** The cheapest live call that shows whether the credentials work; an operation of its own where no entity has it. */
  readonly check: {
    readonly entity: string
    readonly action: 'list' | 'get'
    readonly params: Params
    readonly operation?: GetOperation
  }
  readonly readRefusal: ReadRefusal
  /** How many calls the system takes from one set of credentials; calls wait their turn before they are sent. */
  readonly limits?: readonly CallLimit[]
  /** How many requests of one set of credentials the system works on at a time. */
  readonly atOnce?: number
  /** Reads the system's own count of calls, where its answers tell it. */
  readonly usage?: ReadUsage
  /** What the headers of an answer tell the operator, for example that a version is ending; each is logged once. */
  readonly notice?: (headers: UpstreamAnswer['headers'], baseUrl: string) => string | null
  readonly entities: Readonly<Record<string, Entity>>
  /** What documents show of its params and records. */
  readonly examples?: Examples
}

/** What the documents of a kind show. */
export interface Examples {
  /** Values of params and record fields, by name. */
  readonly values: Readonly<Record<string, unknown>>
  /** The same of single entities, by entity; they go before the others. */
  readonly entities?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** The params of operations that need others than their required ones, by `<entity>.<action>`. */
  readonly params?: Readonly<Record<string, Params>>
}

/** Declares a connector kind; keeps the exact types of its entities. */
export const connector = <const C extends Connector>(declaration: C): C => declaration
