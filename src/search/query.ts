/** A checked search as plain data: what every compiler and the evaluator read. */

import type { FieldType } from '../catalog/entity.ts'
import type { ExactNumber } from '../json.ts'

/** Searchable fields by name; what an entity declares. */
export type Searchable = Readonly<Record<string, FieldType>>

/** A value that JSON can say; integers past 2^53 are bigints, and other numbers keep their digits in records. */
export type Json =
  | null
  | boolean
  | number
  | bigint
  | ExactNumber
  | string
  | readonly Json[]
  | { readonly [key: string]: Json }

/** Where a value is: the field, and for values inside an object the keys that lead to it. */
export type Path = readonly [field: string, ...keys: string[]]

/**
 * What a record has to meet. `path` starts with a searchable field; inside `any` it starts with a key of the element.
 * All of it is two-valued: a comparison with null is false, and `not` turns that into true.
 */
export type Condition =
  | { readonly op: 'and' | 'or'; readonly of: readonly Condition[] }
  | { readonly op: 'not'; readonly of: Condition }
  | { readonly op: 'eq'; readonly path: Path; readonly value: Json }
  | { readonly op: 'contains'; readonly path: Path; readonly value: Json }
  | { readonly op: 'in'; readonly path: Path; readonly values: readonly Json[] }
  | { readonly op: 'gt' | 'gte' | 'lt' | 'lte'; readonly path: Path; readonly value: Scalar }
  | { readonly op: 'like'; readonly path: Path; readonly pattern: string }
  /** `words` are folded, in the order given; without any nothing is found. */
  | { readonly op: 'fuzzy' | 'keyword'; readonly path: Path; readonly words: readonly string[] }
  | { readonly op: 'any'; readonly path: Path; readonly of: Condition }

/** A value that has an order. */
export type Scalar = boolean | number | bigint | string

/** What hits are sorted by: a scalar field, or what stands at a path into an object. */
export interface SortKey {
  readonly path: Path
  readonly descending: boolean
}

/** A whole search. Without `sort` the best score comes first; ties go by id either way. */
export interface Query {
  readonly filter: Condition
  readonly sort: readonly SortKey[]
  /** What the hits hold; null for every searchable field. */
  readonly fields: readonly Path[] | null
  readonly limit: number
  /** The cursor as the caller gave it; what it says is read where connector and entity are known. */
  readonly cursor: string | null
}

/** A record as a copy keeps it: its identity, and exactly the searchable fields, null where unknown. */
export interface SearchRecord {
  readonly id: string
  readonly data: Readonly<Record<string, Json>>
}

export interface Hit {
  readonly id: string
  readonly score: number
  readonly data: { readonly [field: string]: Json }
}
