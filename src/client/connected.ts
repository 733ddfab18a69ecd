/** The types of a connected system, inferred from its catalog: what each entity offers and what each operation takes and gives. */
import type { TObject } from 'typebox'
import type { CredentialsOf } from '../catalog/authorization.ts'
import type { Connector } from '../catalog/connector.ts'
import type { Entity, Hit } from '../catalog/entity.ts'
import type { ParamsOf, RecordOf } from '../catalog/operation.ts'
import type { Answer, ConnectorMetadata, Download } from '../engine/call.ts'

/** An answer whose result has a known type; the paging block and warnings stand in `connector_metadata`. */
export interface TypedAnswer<T> extends Answer {
  readonly result: T
  readonly connector_metadata: ConnectorMetadata
}

/** Given with any call. */
export interface CallOptions {
  /** Ends the call, and with it the work upstream. */
  readonly signal?: AbortSignal
}

/** Params come first, and may be left out when none is required. */
type Arguments<P> =
  Record<never, never> extends P ? [params?: P, options?: CallOptions] : [params: P, options?: CallOptions]

/** A list: call it for one page, `pages` for page after page, `all` for record after record. */
export interface ListAction<P, R> {
  (...call: Arguments<P>): Promise<TypedAnswer<R[]>>
  pages(...call: Arguments<P>): AsyncGenerator<TypedAnswer<R[]>, void, undefined>
  all(...call: Arguments<P>): AsyncGenerator<R, void, undefined>
}

/** The params of search, the same everywhere. */
export interface SearchParams {
  readonly query: { readonly filter?: object; readonly sort?: readonly object[] }
  readonly limit?: number
  readonly cursor?: string
  readonly fields?: readonly (string | readonly string[])[]
}

export interface SearchResult<E extends Entity> {
  readonly hits: readonly Hit<E>[]
  readonly next_cursor: string | null
  readonly took_ms: number
}

/** What an entity offers. */
export type Actions<E extends Entity> = (E extends { readonly list: infer O }
  ? { readonly list: ListAction<ParamsOf<O>, RecordOf<O>> }
  : unknown) &
  (E extends { readonly get: infer O }
    ? { get(...call: Arguments<ParamsOf<O>>): Promise<TypedAnswer<RecordOf<O>>> }
    : unknown) &
  (E extends { readonly download: infer O }
    ? { download(...call: Arguments<ParamsOf<O>>): Promise<Download> }
    : unknown) &
  (E extends { readonly searchable: object }
    ? { search(params: SearchParams, options?: CallOptions): Promise<TypedAnswer<SearchResult<E>>> }
    : unknown)

/** A connected system: its entities, and the uniform interface beneath them. */
export type Connected<C extends Connector> = { readonly [E in keyof C['entities']]: Actions<C['entities'][E]> } & {
  /** Runs a list or a get by name, as the hosted interface does. */
  execute(entity: keyof C['entities'] & string, action: string, params?: object, options?: CallOptions): Promise<Answer>
  /** Runs a list by name, page after page to its end. */
  pages(
    entity: keyof C['entities'] & string,
    params?: object,
    options?: CallOptions,
  ): AsyncGenerator<Answer, void, undefined>
  /** Runs a download by name. */
  download(entity: keyof C['entities'] & string, params: object, options?: CallOptions): Promise<Download>
  /** Ends all connections. */
  close(): Promise<void>
}

/** The credentials that a kind takes: the fields of one of its auth methods. */
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
