/** A checked search as plain data, for every compiler and the evaluator. */

import type { FieldType } from '../catalog/entity.ts'
import type { ExactNumber } from '../json.ts'

/** The searchable fields of an entity, by name. */
export type Searchable = Readonly<Record<string, FieldType>>

/** What a copy has columns of, by name: scalar fields, and paths into objects that have an index. */
export interface Columns {
  readonly searchable: Searchable
  readonly columns: ReadonlyMap<string, { readonly type: ColumnType }>
}

/** Inside objects values have no declared type. */
export type ColumnType = Exclude<FieldType, 'object' | 'array'> | 'inner'

/** A JSON value; integers past 2^53 are bigints, and other numbers keep their digits in records. */
export type Json =
  | null
  | boolean
  | number
  | bigint
  | ExactNumber
  | string
  | readonly Json[]
  | { readonly [key: string]: Json }

/** The place of a value: the field and, inside an object, the keys that lead to the value. */
export type Path = readonly [field: string, ...keys: string[]]

/** The name under which the value at a path has a column. */
export const columnName = (path: Path): string => path.join('.')

/**
 * A condition on a record. `path` starts with a searchable field; inside `any`, with a key of the element. Every
 * condition is true or false: a comparison with null is false, and `not` makes that true.
 */
export type Condition =
  | { readonly op: 'and' | 'or'; readonly of: readonly Condition[] }
  | { readonly op: 'not'; readonly of: Condition }
  | { readonly op: 'eq'; readonly path: Path; readonly value: Json }
  | { readonly op: 'contains'; readonly path: Path; readonly value: Json }
  | { readonly op: 'in'; readonly path: Path; readonly values: readonly Json[] }
  | { readonly op: 'gt' | 'gte' | 'lt' | 'lte'; readonly path: Path; readonly value: Scalar }
  /** `begins`, where known: how all texts of the copy begin that match. */
  | { readonly op: 'like'; readonly path: Path; readonly pattern: string; readonly begins?: readonly string[] }
  /** `words` are folded, in the given order; without words, nothing matches. */
  | { readonly op: 'fuzzy' | 'keyword'; readonly path: Path; readonly words: readonly string[] }
  | { readonly op: 'any'; readonly path: Path; readonly of: Condition }

/** A value with an order. */
export type Scalar = boolean | number | bigint | string

/** A key to sort hits by: a scalar field, or a path into an object. */
export interface SortKey {
  readonly path: Path
  readonly descending: boolean
}

/** A complete search. Without `sort`, the best score comes first; in both cases, ties sort by id. */
export interface Query {
  readonly filter: Condition
  readonly sort: readonly SortKey[]
  /** The fields of the hits; null for every searchable field. */
  readonly fields: readonly Path[] | null
  readonly limit: number
  /** The caller's cursor, which is decoded once connector and entity are known. */
  readonly cursor: string | null
}

/** A record in a copy: its identity, and exactly the searchable fields, null where unknown. */
export interface SearchRecord {
  readonly id: string
  readonly data: Readonly<Record<string, Json>>
}

export interface Hit {
  readonly id: string
  readonly score: number
  readonly data: { readonly [field: string]: Json }
}
