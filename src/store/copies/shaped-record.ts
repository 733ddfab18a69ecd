/** Records in the form in which tables keep them. */
import { hash as digest } from 'node:crypto'
import { stringifyJson } from '../../json.ts'
import { sortKey } from '../../search/order.ts'
import type { Json, SearchRecord } from '../../search/query.ts'
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
  const others = stringifyJson(scalars.map(({ field }) => data[field]!))
  const hash = digest('sha256', others + rest, 'buffer').subarray(0, 16)
  return { id, data, hash, rest, size: others.length + rest.length }
}

/** What a text compares as; null where that is the text itself, as of most texts, which would take the space twice. */
export function keyText(value: Json): string | null {
  if (typeof value !== 'string') return null
  const key = sortKey(value)
  return key === value ? null : key
}
