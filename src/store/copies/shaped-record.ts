/** Records in the form in which tables keep them. */
import { hash as digest } from 'node:crypto'
import { stringifyJson } from '../../json.ts'
import { valueAt } from '../../search/evaluate.ts'
import { innerSortKey, keyAsText, sortKey } from '../../search/order.ts'
import type { Json, Path, SearchRecord } from '../../search/query.ts'
import { searchRecord } from '../../search/record.ts'
import type { ReadRecord } from '../copy.ts'
import type { RecordTable } from './record-table.ts'

export interface ShapedRecord extends SearchRecord {
  /** Half of SHA-256: enough that no two versions of a record are ever taken for one. */
  readonly hash: Buffer
  /** The document with its objects and arrays. */
  readonly rest: string
  /** How many characters there are to be written, more or less. */
  readonly size: number
}

export function shapeRecord({ searchable, scalars, nested }: RecordTable, read: ReadRecord): ShapedRecord {
  const { id, data } = searchRecord(searchable, read.id, read.data)
  const rest = stringifyJson(Object.fromEntries(nested.map((field) => [field, data[field]!])))
  const others = stringifyJson(scalars.map(({ name }) => data[name]!))
  const hash = digest('sha256', others + rest, 'buffer').subarray(0, 16)
  return { id, data, hash, rest, size: others.length + rest.length }
}

/** What sorts and compares for the value at a path into an object, in a column of its own. */
export function innerKey(data: SearchRecord['data'], path: Path): string | null {
  const key = innerSortKey(valueAt(data, path))
  return key === null ? null : keyAsText(key)
}

/** What a text compares as; null where that is the text itself, as of most texts, which would take the space twice. */
export function keyText(value: Json): string | null {
  if (typeof value !== 'string') return null
  const key = sortKey(value)
  return key === value ? null : key
}
