/** Writes records into their table. */
import { hash as digest } from 'node:crypto'
import { stringifyJson } from '../../json.ts'
import { sortKey } from '../../search/order.ts'
import type { Json, SearchRecord } from '../../search/query.ts'
import { searchRecord } from '../../search/record.ts'
import type { ReadRecord } from '../copy.ts'
import { sqlTypes } from './bindings.ts'
import type { CopyTable } from './copy-table.ts'
import { isWhole, wordsOf } from './copy-words.ts'
import type { Session, Value } from './database.ts'
import { foldedText } from './search-columns.ts'
import { encodeJson } from './text-code.ts'

export interface PreparedRecord {
  readonly record: SearchRecord
  /** Half of SHA-256: enough that no two versions of a record are ever taken for one. */
  readonly hash: string
  readonly rest: string
}

export function prepareRecord(table: CopyTable, { id, data }: ReadRecord): PreparedRecord {
  const record = searchRecord(table.searchable, id, data)
  const rest = stringifyJson(Object.fromEntries(table.nested.map((field) => [field, record.data[field]!])))
  const scalars = stringifyJson(table.scalars.map(({ field }) => record.data[field]!))
  return { record, hash: digest('sha256', scalars + rest, 'hex').slice(0, 32), rest: encodeJson(rest) }
}

/** Writes those that are new or other than before; tells which these are, and how many are new. */
export async function putRecords(
  session: Session,
  table: CopyTable,
  copy: number,
  prepared: readonly PreparedRecord[],
): Promise<{ readonly changed: readonly string[]; readonly added: number }> {
  if (prepared.length === 0) return { changed: [], added: 0 }
  const known = await session.all<{ _id: string; _hash: string }>(
    `select _id, _hash::text from ${table.name} where _copy = $1 and _id = any($2::text[])`,
    copy,
    prepared.map(({ record }) => record.id),
  )
  const before = new Map(known.map(({ _id: id, _hash: hash }) => [id, hash.replaceAll('-', '')]))
  const changed = prepared.filter(({ record, hash }) => before.get(record.id) !== hash)
  for (const batch of batches(changed)) await write(session, table, copy, batch)
  return {
    changed: changed.map(({ record }) => record.id),
    added: changed.filter(({ record }) => !before.has(record.id)).length,
  }
}

/** One statement holds some megabytes, however long the texts are. */
function* batches(prepared: readonly PreparedRecord[]): Generator<readonly PreparedRecord[]> {
  let batch: PreparedRecord[] = []
  let size = 0
  for (const one of prepared) {
    batch.push(one)
    size += one.rest.length
    for (const value of Object.values(one.record.data)) if (typeof value === 'string') size += value.length
    if (size < mostCharacters && batch.length < mostRecords) continue
    yield batch
    batch = []
    size = 0
  }
  if (batch.length > 0) yield batch
}

const mostCharacters = 4_000_000
const mostRecords = 1000

interface Filled {
  readonly name: string
  readonly type: string
  readonly value: (prepared: PreparedRecord) => Value
}

async function write(
  session: Session,
  table: CopyTable,
  copy: number,
  batch: readonly PreparedRecord[],
): Promise<void> {
  const columns = filled(table, copy)
  const names = columns.map(({ name }) => name)
  const lists = columns.map(({ value }) => batch.map(value))
  await session.run(
    `insert into ${table.name} (_copy, ${names.join(', ')})
    select $1, ${columns.map(({ type }, index) => `given.c${index}::${type}`).join(', ')}
    from unnest(${columns.map((_, index) => `$${index + 2}::text[]`).join(', ')})
      as given (${columns.map((_, index) => `c${index}`).join(', ')})
    on conflict (_copy, _id) do update set ${names.map((name) => `${name} = excluded.${name}`).join(', ')}`,
    copy,
    ...lists,
  )
}

/** The columns of a table and what a record has in them, all as text. */
function filled(table: CopyTable, copy: number): Filled[] {
  const text = (value: Json | undefined): string | null => (typeof value === 'string' ? value : null)
  const columns: Filled[] = table.scalars.flatMap(({ field, type, column, text: more }) => {
    const given = ({ record }: PreparedRecord): Json => record.data[field] ?? null
    const written = (prepared: PreparedRecord): Value => {
      const value = given(prepared)
      return value === null ? null : String(value)
    }
    const own: Filled[] = [{ name: column, type: sqlTypes[type], value: written }]
    if (more === null) return own
    // Most texts compare as themselves, so that keeping the key of each would take the space twice.
    const key: Filled['value'] = (prepared) => {
      const value = text(given(prepared))
      return value === null || sortKey(value) === value ? null : sortKey(value)
    }
    const folded: Filled['value'] = (prepared) => {
      const value = text(given(prepared))
      return value === null ? null : foldedText(value)
    }
    return [...own, { name: more.key, type: 'text', value: key }, { name: more.folded, type: 'text', value: folded }]
  })
  const words = new Map<PreparedRecord, string>()
  const wordsIn = (prepared: PreparedRecord): string => {
    let found = words.get(prepared)
    if (found === undefined) {
      found = wordsOf(table.searchable, copy, prepared.record.data)
      words.set(prepared, found)
    }
    return found
  }
  return [
    { name: '_id', type: 'text', value: ({ record }) => record.id },
    { name: '_hash', type: 'uuid', value: ({ hash }) => hash },
    ...columns,
    { name: '_whole', type: 'boolean', value: (prepared) => String(isWhole(wordsIn(prepared))) },
    { name: '_rest', type: 'json', value: ({ rest }) => rest },
    { name: '_words', type: 'tsvector', value: wordsIn },
  ]
}
