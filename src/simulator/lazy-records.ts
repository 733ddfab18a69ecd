/** Records whose fields are worked out when they are read, so that a search through many pays only for what it looks at. */

/** Each field as a value that all records share, or as a function of what a record is made from. */
export type FieldsFrom<Source, R> = { readonly [F in keyof R]: R[F] | ((source: Source) => R[F]) }

const from = Symbol('source')

/** Returns the function that makes records. They have no fields of their own: `plain` copies one. */
export function lazyRecords<Source, R extends object>(fields: FieldsFrom<Source, R>): (source: Source) => R {
  class Lazy {
    readonly [from]: Source

    constructor(source: Source) {
      this[from] = source
    }
  }
  for (const [name, field] of Object.entries<unknown>(fields))
    Object.defineProperty(Lazy.prototype, name, {
      enumerable: true,
      get(this: Lazy) {
        return typeof field === 'function' ? field(this[from]) : field
      },
    })
  return (source) => new Lazy(source) as unknown as R
}

/** A record with all fields of its own, to be changed. */
export function plain<R extends object>(record: R): R {
  const copy: Partial<R> = {}
  for (const name in record) copy[name] = record[name]
  return copy as R
}
