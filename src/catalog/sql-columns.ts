/** The columns that SQL over a copy sees in the table of an entity. */
import type { FieldType } from './entity.ts'

export interface SqlColumn {
  readonly name: string
  /** The type of the field; `path` is a text inside an object. */
  readonly type: FieldType | 'path'
  /** The field, and the keys below it. */
  readonly path: readonly string[]
}

/** Searchable fields under their own names, and indexed paths into objects with `_` between their keys. */
export function sqlColumns(
  searchable: Readonly<Record<string, FieldType>>,
  indexed: readonly string[],
): readonly SqlColumn[] {
  const fields = Object.entries(searchable).map(([name, type]): SqlColumn => ({ name, type, path: [name] }))
  // Names in SQL differ in more than the case of letters.
  const taken = new Set(fields.map(({ name }) => name.toLowerCase()))
  const paths = indexed.map(
    (path): SqlColumn => ({ name: path.replaceAll('.', '_'), type: 'path', path: path.split('.') }),
  )
  return [...fields, ...paths.filter(({ name }) => !taken.has(name.toLowerCase()))]
}
