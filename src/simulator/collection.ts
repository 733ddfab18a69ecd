/** The records of one type in a simulated system: made from a seed, related by their fields, changed on demand. */
import { plain } from './lazy-records.ts'

/** Records in a fixed order; an array is one. */
export interface Rows<R> {
  readonly length: number
  at(place: number): R | undefined
}

export interface Collection<R> {
  /** All records, in order. */
  readonly rows: readonly R[]
  find(key: string): R | undefined
  /** The records whose field has this value, in order; a field with a list holds each of its values. */
  by(field: string & keyof R, value: unknown): readonly R[]
  add(record: R): R
  /** Replaces fields of a record; undefined takes a field away. Throws if there is no such record. */
  edit(key: string, fields: { readonly [F in keyof R]?: R[F] | undefined }): R
  /** Whether there was such a record. */
  remove(key: string): boolean
}

export interface CollectionOptions<R> {
  /** The name of the collection, for messages. */
  readonly name: string
  /** Read when a record is first asked for, so a generator costs nothing in systems that nobody calls. */
  readonly records: Iterable<R>
  readonly key: (record: R) => string
  /** The order of the rows; by default that in which records were made. */
  readonly order?: (a: R, b: R) => number
}

export function createCollection<R extends object>({ name, records, key, order }: CollectionOptions<R>): Collection<R> {
  const byKey = new Map<string, R>()
  /** Derived from the records when asked for, and dropped by each change. */
  let rows: readonly R[] | null = null
  const relations = new Map<string, Map<unknown, R[]>>()
  let isLoaded = false

  function loaded(): Map<string, R> {
    if (!isLoaded) for (const record of records) byKey.set(key(record), record)
    isLoaded = true
    return byKey
  }

  function changed(): void {
    rows = null
    relations.clear()
  }

  function allRows(): readonly R[] {
    rows ??= order === undefined ? [...loaded().values()] : [...loaded().values()].sort(order)
    return rows
  }

  function relation(field: keyof R & string): Map<unknown, R[]> {
    const groups = new Map<unknown, R[]>()
    for (const record of allRows()) {
      const held: unknown = record[field]
      for (const value of Array.isArray(held) ? held : [held]) {
        const group = groups.get(value)
        if (group === undefined) groups.set(value, [record])
        else group.push(record)
      }
    }
    relations.set(field, groups)
    return groups
  }

  return {
    get rows() {
      return allRows()
    },
    find: (wanted) => loaded().get(wanted),
    by: (field, value) => (relations.get(field) ?? relation(field)).get(value) ?? [],
    add(record) {
      loaded().set(key(record), record)
      changed()
      return record
    },
    edit(wanted, fields) {
      const record = loaded().get(wanted)
      if (record === undefined) throw new Error(`There is no record "${wanted}" in ${name}.`)
      const edited = Object.fromEntries(
        Object.entries({ ...plain(record), ...fields }).filter(([, value]) => value !== undefined),
      ) as R
      byKey.set(wanted, edited)
      changed()
      return edited
    },
    remove(wanted) {
      const was = loaded().delete(wanted)
      if (was) changed()
      return was
    },
  }
}
