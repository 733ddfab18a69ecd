/** How the records of an entity are laid out in PostgreSQL. */
import { createHash } from 'node:crypto'
import type { FieldType } from '../../catalog/entity.ts'
import type { Searchable } from '../../search/query.ts'
import type { TableLayout } from '../copies/record-tables.ts'
import { EntityTables, type SearchableEntity, tableId } from '../entity-tables.ts'

/** A table of records: one column per scalar field under its own name, and one document for objects and arrays. */
export interface CopyTable {
  readonly kind: string
  readonly entity: string
  /** The name of the table, and the same as SQL writes it. */
  readonly id: string
  readonly name: string
  /** The view under the catalog's names, for people's own tools. */
  readonly view: string
  readonly wordsIndex: string
  readonly searchable: Searchable
  readonly scalars: readonly Column[]
  /** The same by field. */
  readonly columns: ReadonlyMap<string, Column>
  /** Objects and arrays, in the order of the catalog. */
  readonly nested: readonly string[]
}

export interface Column {
  readonly field: string
  readonly type: Exclude<FieldType, 'object' | 'array'>
  /** The column, quoted. */
  readonly column: string
  /** For texts: columns with what they compare as, and with their folded form, where these are not the text itself. */
  readonly text: { readonly key: string; readonly folded: string } | null
  readonly index: string
}

/** A name in SQL. PostgreSQL cuts names after 63 bytes, so that long ones would meet each other. */
export function quoted(name: string): string {
  const short =
    Buffer.byteLength(name) <= longestName
      ? name
      : `${name.slice(0, 40)}_${createHash('sha256').update(name).digest('hex').slice(0, 16)}`
  return `"${short.replaceAll('"', '""')}"`
}

const longestName = 63

export function copyTable(of: SearchableEntity, id = tableId(of)): CopyTable {
  const { kind, entity, searchable } = of
  const scalars: Column[] = []
  const nested: string[] = []
  for (const [field, type] of Object.entries(searchable)) {
    if (type === 'object' || type === 'array') nested.push(field)
    else {
      const text = type === 'string' ? { key: quoted(`_key_${field}`), folded: quoted(`_folded_${field}`) } : null
      scalars.push({ field, type, column: quoted(field), text, index: quoted(`${id}__${field}`) })
    }
  }
  return {
    kind,
    entity,
    id,
    name: quoted(id),
    view: quoted(`${kind.replaceAll('-', '_')}_${entity}`),
    wordsIndex: quoted(`${id}___words`),
    searchable,
    scalars,
    columns: new Map(scalars.map((column) => [column.field, column])),
    nested,
  }
}

/** The tables of searchable entities. */
export class CopyTables extends EntityTables<CopyTable> {
  constructor(entities: readonly SearchableEntity[]) {
    super(entities, copyTable)
  }
}

const sqlTypes = { string: 'text collate "C"', integer: 'int8', number: 'float8', boolean: 'boolean' } as const

export const tableLayout: TableLayout<CopyTable> = {
  create: ({ name, scalars, wordsIndex }) => [
    // The document and the words are last: reading a column walks over all that stand before it, and these may be long.
    `create table ${name} (
      _copy integer not null,
      _id text collate "C" not null,
      _hash uuid not null,
      ${scalars.flatMap(columnsOf).join('\n      ')}
      _whole boolean not null,
      _rest json not null,
      _words tsvector not null,
      primary key (_copy, _id)
    )`,
    ...scalars.map(({ column, text, index }) => {
      const key = text === null ? column : `(coalesce(${text.key}, ${column}))`
      return `create index ${index} on ${name} (_copy, ${key}, _id)`
    }),
    // Its entries begin with the number of the copy, as in the other indexes.
    `create index ${wordsIndex} on ${name} using gin (_words)`,
    `create index on ${name} (_copy, _id) where not _whole`,
  ],
  drop: ({ name }) => [`drop table ${name}`],
  // With what people have built on it, where its columns are others: it could not stay, and a server that does not start would be worse.
  makeView: (view, select) => [
    `do $view$ begin
      create or replace view ${view} as ${select};
    exception when invalid_table_definition then
      drop view ${view} cascade;
      create view ${view} as ${select};
    end $view$`,
  ],
  quoted,
  document: (field) => `records._rest -> '${field.replaceAll("'", "''")}'`,
}

function columnsOf({ type, column, text }: Column): string[] {
  const names = text === null ? [column] : [column, text.key, text.folded]
  return names.map((name) => `${name} ${sqlTypes[type]},`)
}
