/** The types of a search: its filter, sort and fields, by the searchable fields of an entity down to the last one. */
import type { Answer, ConnectorMetadata } from '../engine/call/call.ts'
import type { SearchMetadata } from '../wire.ts'
import type { CallOptions } from './with-timeout.ts'

type List = readonly unknown[]
type Scalar = string | number | boolean
type Known<V> = NonNullable<V>

/** How deep paths are completed, so that records with records in them cost the compiler little. */
type Deeper = [never, 0, 1, 2]

/** Fields, and paths with dots into objects; with `Through` also through lists. */
type PathOf<D, Through = never, Depth extends number = 3> = {
  [K in keyof D & string]: K | InnerPath<K, Known<D[K]>, Through, Depth>
}[keyof D & string]

type InnerPath<K extends string, V, Through, Depth extends number> = [Depth] extends [never]
  ? never
  : V extends List
    ? [Through] extends [never]
      ? never
      : InnerPath<K, Known<V[number]>, Through, Depth>
    : V extends object
      ? `${K}.${PathOf<V, Through, Deeper[Depth]>}`
      : never

/** The value at a path. */
type At<D, P extends string> = P extends keyof D
  ? D[P]
  : P extends `${infer K}.${infer Rest}`
    ? K extends keyof D
      ? At<Known<D[K]>, Rest>
      : never
    : never

/** A value to compare with; null where the field may have none. */
type Value<V> = V extends Scalar ? V : V extends null | undefined ? null : unknown

type ByPath<D, Kind, V> = {
  readonly [P in PathOf<D> as unknown extends At<D, P>
    ? P
    : Known<At<D, P>> extends Kind
      ? P
      : never]?: V extends 'value'
    ? Value<At<D, P>>
    : V extends 'values'
      ? readonly Value<At<D, P>>[]
      : V extends 'order'
        ? Known<Value<At<D, P>>>
        : V
}

/** The elements' condition of a list; any condition if the type of its elements is not known. */
type OfElements<V> = V extends readonly (infer T)[] ? (unknown extends T ? object : Filter<Known<T>>) : object

/** A condition on records; several operators, and several fields of one, must all hold. */
export interface Filter<D> {
  readonly and?: readonly Filter<D>[]
  readonly or?: readonly Filter<D>[]
  readonly not?: Filter<D>
  readonly eq?: ByPath<D, unknown, 'value'>
  readonly neq?: ByPath<D, unknown, 'value'>
  readonly in?: ByPath<D, unknown, 'values'>
  readonly gt?: ByPath<D, Scalar, 'order'>
  readonly gte?: ByPath<D, Scalar, 'order'>
  readonly lt?: ByPath<D, Scalar, 'order'>
  readonly lte?: ByPath<D, Scalar, 'order'>
  /** Texts; in objects and lists, every text inside. */
  readonly like?: ByPath<D, string | object, string>
  readonly fuzzy?: ByPath<D, string | object, string>
  readonly keyword?: ByPath<D, string | object, string>
  readonly startswith?: ByPath<D, string | object, string>
  readonly endswith?: ByPath<D, string | object, string>
  /** A part of a text, or an element of a list. */
  readonly contains?: ByPath<D, string, string> & ByPath<D, List, unknown>
  readonly array_contains?: ByPath<D, List, unknown>
  readonly any?: { readonly [P in PathOf<D> as Known<At<D, P>> extends List ? P : never]?: OfElements<Known<At<D, P>>> }
}

/** One key of a sort: a scalar field, or a path to one. */
export type SortKey<D> = {
  readonly [P in PathOf<D> as unknown extends At<D, P> ? P : Known<At<D, P>> extends Scalar ? P : never]?:
    | 'asc'
    | 'desc'
}

/** The fields to return: names, paths with dots, or lists of keys. */
export type FieldPath<D> = PathOf<D, 'lists'> | readonly string[]

/** The params of a search. */
export interface SearchParams<D, F extends readonly FieldPath<D>[] = readonly FieldPath<D>[]> {
  readonly query: { readonly filter?: Filter<D>; readonly sort?: readonly SortKey<D>[] }
  readonly limit?: number
  readonly cursor?: string
  readonly fields?: F
}

/** The data of hits with these fields alone. Lists of keys name fields that the compiler does not follow. */
export type Chosen<D, F extends readonly unknown[]> = readonly unknown[] extends F
  ? D
  : { readonly [K in keyof D as K extends HeadOf<F[number]> ? K : never]: Part<D[K], Below<F[number], K & string>> }

type HeadOf<P> = P extends readonly [infer K, ...List] ? K : P extends `${infer K}.${string}` ? K : P
/** What is asked for inside a field: `true` for all of it. */
type Below<P, K extends string> = P extends K | readonly [K, ...List]
  ? true
  : P extends `${K}.${infer Rest}`
    ? Rest
    : never
type Part<V, P> = true extends P
  ? V
  : V extends readonly (infer T)[]
    ? readonly Part<T, P>[]
    : V extends object
      ? Chosen<V, readonly P[]>
      : V

/** A hit: the record's identity, its score, and its searchable fields. */
export interface SearchHit<D> {
  readonly id: string
  readonly score: number
  readonly data: D
}

export interface SearchResult<D> {
  readonly hits: readonly SearchHit<D>[]
  readonly next_cursor: string | null
  readonly took_ms: number
}

/** Hits, with the state of the copy that was searched. */
export interface SearchAnswer<D> extends Answer {
  readonly result: SearchResult<D>
  readonly connector_metadata: ConnectorMetadata & SearchMetadata
}

/** A search: call it for one answer; `pages` iterates over answers, and `all` over hits. */
export interface SearchAction<D> {
  <const F extends readonly FieldPath<D>[]>(
    params: SearchParams<D, F>,
    options?: CallOptions,
  ): Promise<SearchAnswer<Chosen<D, F>>>
  pages<const F extends readonly FieldPath<D>[]>(
    params: SearchParams<D, F>,
    options?: CallOptions,
  ): AsyncGenerator<SearchAnswer<Chosen<D, F>>, void, undefined>
  all<const F extends readonly FieldPath<D>[]>(
    params: SearchParams<D, F>,
    options?: CallOptions,
  ): AsyncGenerator<SearchHit<Chosen<D, F>>, void, undefined>
}
