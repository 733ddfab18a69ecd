/** Collections of any size: their records are made from their places when they are read, and only changed ones are kept. */
import { type CollectionOptions, createCollection } from './collection.ts'
import { plain } from './lazy-records.ts'
import { around, type Ranked } from './rows.ts'

export interface Generated<R> {
  /** The record at a place, which is its rank; undefined where there is none. */
  at(place: number): R | undefined
  /** The place of the record with a key; undefined if it is not generated. */
  placeOf(key: string): number | undefined
}

/** The places at which the records of a list can be. */
export interface Places {
  readonly first: number
  readonly length: number
}

/** `options.records` are those that are not generated. */
export function createGenerated<R extends { readonly rank: number }>(
  options: CollectionOptions<R>,
  { at, placeOf }: Generated<R>,
) {
  const written = createCollection(options)
  const changed = new Map<number, R>()

  function find(key: string): R | undefined {
    const found = written.find(key)
    const place = found === undefined ? placeOf(key) : undefined
    return place === undefined ? found : at(place)
  }

  /** Adds a record, or replaces the one with its key. */
  function add(record: R): R {
    const place = placeOf(options.key(record))
    if (place !== undefined) changed.set(place, record)
    return written.add(record)
  }

  return {
    find,
    add,
    /** Replaces fields of a record. Throws if there is no such record. */
    edit(key: string, fields: Partial<R>): R {
      const record = find(key)
      if (record === undefined) throw new Error(`There is no record "${key}" in ${options.name}.`)
      return add({ ...plain(record), ...fields })
    },
    /** The records with a value in a field: generated ones in their places, between those that were put first and last. */
    by(field: string & keyof R, value: unknown, { first, length }: Places): Ranked<R> {
      const rows = {
        length,
        rankAt: (place: number) => first + place,
        at(place: number): R | undefined {
          const rank = first + place
          const record = changed.get(rank) ?? at(rank)
          if (record?.rank !== rank) return undefined
          const held: unknown = record[field]
          return (Array.isArray(held) ? held.includes(value) : held === value) ? record : undefined
        },
      }
      return around(rows, written.by(field, value))
    },
  }
}
