/** Declared changes on demand, and those that every collection of records can take. */
import type { Collection } from './collection.ts'
import type { Change, ChangeHelp, RunningSystem } from './system.ts'

/** By name. `make` returns an object that describes the result, or nothing; it throws an `Error` with a sentence if it cannot. */
export type ChangeSet = Readonly<
  Record<
    string,
    {
      readonly does: string
      /** The fields that it takes. */
      readonly example?: Readonly<Record<string, unknown>>
      readonly make: (change: Change) => unknown
    }
  >
>

export function changesFrom(declared: ChangeSet): Pick<RunningSystem, 'changes' | 'change'> {
  return {
    changes: Object.entries(declared).map(
      ([change, { does, example }]): ChangeHelp => ({ change, does, example: { change, ...example } }),
    ),
    change(change) {
      const found = Object.hasOwn(declared, change.change) ? declared[change.change] : undefined
      if (found === undefined) throw new Error(`There is no change "${change.change}"; see GET /_changes.`)
      return (found.make(change) as Record<string, unknown> | undefined) ?? {}
    },
  }
}

/** `create`, `edit` and `delete` for records of these collections. */
export function recordChanges(
  // biome-ignore lint/suspicious/noExplicitAny: each collection has records of its own
  collections: Readonly<Record<string, Collection<any>>>,
): ChangeSet {
  const names = Object.keys(collections)
  const first = names[0] ?? ''
  const collectionOf = ({ in: name }: Change) => {
    const found = typeof name === 'string' && Object.hasOwn(collections, name) ? collections[name] : undefined
    if (found === undefined) throw new Error(`Name the records with in: one of ${names.join(', ')}.`)
    return found
  }
  const fieldsOf = ({ fields }: Change) => {
    if (typeof fields !== 'object' || fields === null || Array.isArray(fields))
      throw new Error('Give the fields as an object: fields.')
    return fields
  }
  return {
    create: {
      does: 'Adds a record.',
      example: { in: first, fields: { id: '1' } },
      make: (change) => collectionOf(change).add(fieldsOf(change)),
    },
    edit: {
      does: 'Replaces fields of a record.',
      example: { in: first, id: '1', fields: { name: 'New' } },
      make: (change) => collectionOf(change).edit(String(change.id), fieldsOf(change)),
    },
    delete: {
      does: 'Removes a record.',
      example: { in: first, id: '1' },
      make: (change) => ({ deleted: collectionOf(change).remove(String(change.id)) }),
    },
  }
}
