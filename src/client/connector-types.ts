/**
 * The types of a connected system, inferred from its catalog: the actions of each entity, with their params and
 * results.
 */
import type { TObject } from 'typebox'
import type { CredentialsOf } from '../catalog/authorization.ts'
import type { Connector } from '../catalog/connector.ts'
import type { ConnectorType } from '../catalog/describe.ts'
import type { Entity, Hit } from '../catalog/entity.ts'
import type { ParamsOf, RecordOf } from '../catalog/operation.ts'
import type { RawRequest } from '../catalog/raw-request.ts'
import type { Answer, ConnectorMetadata } from '../engine/call/call.ts'
import type { Health } from '../wire.ts'
import type { Download } from './mode.ts'
import type { SearchAction } from './search-types.ts'
import type { SqlAnswer, SqlOptions } from './sql-types.ts'
import type { CallOptions, ReadOptions } from './with-timeout.ts'

/** An answer with a typed result; the paging block and warnings are in `connector_metadata`. */
export interface TypedAnswer<T> extends Answer {
  readonly result: T
  readonly connector_metadata: ConnectorMetadata
}

/** Params come first, and are optional if none is required. */
type Arguments<P, O = ReadOptions> =
  Record<never, never> extends P ? [params?: P, options?: O] : [params: P, options?: O]

/** A list: call it for one page; `pages` iterates over pages, and `all` over records. */
export interface ListAction<P, R> {
  (...call: Arguments<P>): Promise<TypedAnswer<R[]>>
  pages(...call: Arguments<P>): AsyncGenerator<TypedAnswer<R[]>, void, undefined>
  all(...call: Arguments<P>): AsyncGenerator<R, void, undefined>
}

/** A get of one record. */
export type GetAction<P, R> = (...call: Arguments<P>) => Promise<TypedAnswer<R>>

/** A download: its bytes are still arriving, and cancelling the body stops the upstream read. */
export type DownloadAction<P> = (...call: Arguments<P, CallOptions>) => Promise<Download>

/** The actions of an entity. */
export type Actions<E extends Entity> = (E extends { readonly list: infer O }
  ? { readonly list: ListAction<ParamsOf<O>, RecordOf<O>> }
  : unknown) &
  (E extends { readonly get: infer O } ? { readonly get: GetAction<ParamsOf<O>, RecordOf<O>> } : unknown) &
  (E extends { readonly download: infer O } ? { readonly download: DownloadAction<ParamsOf<O>> } : unknown) &
  (E extends { readonly searchable: object } ? { readonly search: SearchAction<Hit<E>['data']> } : unknown)

/** A connected system: its entities, and the uniform interface. */
export type Connected<C extends Connector> = {
  readonly [E in keyof C['entities']]: Actions<C['entities'][E]>
} & Uniform<keyof C['entities'] & string>

/** The uniform interface: operations by name, with the same params and answers. */
export interface Uniform<E extends string = string> {
  /** Whether a service or this process runs the operations. Search needs a service. */
  readonly mode: 'hosted' | 'local'
  /** Runs a list, a get or a search. */
  execute(entity: E, action: string, params?: object, options?: ReadOptions): Promise<Answer>
  /** Runs a list and iterates over all of its pages. */
  pages(entity: E, params?: object, options?: ReadOptions): AsyncGenerator<Answer, void, undefined>
  /** Runs a download; its bytes are still arriving, and cancelling the body stops the upstream read. */
  download(entity: E, params: object, options?: CallOptions): Promise<Download>
  /**
   * Sends a request that no operation describes, with the same credentials, limits and retries, and returns the answer
   * as it came. The kind must know it as a read. A service must allow it, and so must the token.
   */
  request(request: RawRequest, options?: CallOptions): Promise<Response>
  /**
   * Runs one SQL select over all copies of the connector, with the entities as tables. `Row` is the type of a row. Needs a service.
   */
  sql<Row extends object = Readonly<Record<string, unknown>>>(
    sql: string,
    options?: SqlOptions,
  ): Promise<SqlAnswer<Row>>
  /** Tries the credentials with one cheap live call. */
  check(options?: CallOptions): Promise<Health>
  /** The connector type as data: its entities, actions, params, fields and rules. */
  describe(options?: CallOptions): Promise<ConnectorType>
  /** Closes all connections. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** The credentials of a kind: the fields of one of its auth methods. */
export type CredentialsFor<C extends Connector> = CredentialsOf<C['authMethods'][number]>

/** The params of an operation of a kind, for programs that pass them around. */
export type OperationParams<
  C extends Connector,
  E extends keyof C['entities'],
  A extends string,
> = C['entities'][E] extends {
  readonly [K in A]: infer O extends { readonly params: TObject }
}
  ? ParamsOf<O>
  : never
