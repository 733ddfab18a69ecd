/** An entity: the name of one type of record, its operations, and its searchable fields. */
import type { Static, TObject } from 'typebox'
import type { DownloadOperation, GetOperation, ListOperation } from './operation.ts'
import type { Stream } from './stream.ts'

/** The types of searchable fields on the wire. */
export interface FieldTypes {
  string: string
  integer: number
  number: number
  boolean: boolean
  object: { readonly [key: string]: unknown }
  array: readonly unknown[]
}

export type FieldType = keyof FieldTypes

export interface Entity {
  readonly description: string
  readonly list?: ListOperation
  readonly get?: GetOperation
  readonly download?: DownloadOperation
  /** Another name of its list: an action of another entity, for callers who know the system from elsewhere. */
  readonly alias?: { readonly entity: string; readonly action: string }
  /** Declared if the copy of this entity can be searched. */
  readonly searchable?: Readonly<Record<string, FieldType>>
  /** Paths into searchable objects that searches often compare or sort by. Each has an index in the copy. */
  readonly indexed?: readonly `${string}.${string}`[]
  /** How to fill the copy; every entity with searchable fields has it. */
  readonly sync?: Stream
}

/** Declares an entity; keeps the exact types of its operations. */
export const entity = <const E extends Entity>(declaration: E): E => declaration

/** The result of a search for each record: its identity, its score, and its searchable fields. */
export interface Hit<E extends Entity> {
  readonly id: string
  readonly score: number
  readonly data: E['searchable'] extends Readonly<Record<string, FieldType>>
    ? { readonly [F in keyof E['searchable']]: Searched<E, F, E['searchable'][F]> | null }
    : never
}

/** Objects and lists have the type that the entity's record declares, others the one that the copy keeps. */
type Searched<E extends Entity, F, T extends FieldType> = T extends 'object' | 'array'
  ? Else<FieldOf<E['get'], F>, Else<FieldOf<E['list'], F>, FieldTypes[T]>>
  : FieldTypes[T]

type Else<V, Other> = [V] extends [never] ? Other : V

type FieldOf<O, F> = O extends { readonly record: infer R extends TObject }
  ? F extends keyof Static<R>
    ? NonNullable<Static<R>[F]>
    : never
  : never
