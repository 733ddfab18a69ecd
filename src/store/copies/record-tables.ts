/** What a database does with records in its own way; the books of copies use it and know no database. */
import type { RawBuilder } from 'kysely'
import type { SearchRecord } from '../../search/query.ts'
import type { EntityTables } from '../entity-tables.ts'
import type { Queries } from '../sql/steps.ts'
import type { RecordTable } from './record-table.ts'
import type { ShapedRecord } from './shaped-record.ts'

/** How a database lays out records, in SQL. */
export interface TableLayout<Table = RecordTable> {
  create(table: Table): readonly string[]
  drop(table: Table): readonly string[]
  /** Makes a view, or puts it in the place of the one that is there. */
  makeView(view: string, select: string): readonly string[]
  /** A name in SQL. */
  quoted(name: string): string
  /** The hash of a record, in hexadecimal digits. */
  readonly hash: string
  /** An object or array of `records`, as JSON. */
  document(field: string): string
  /** A table whose column `id` has these ids. */
  idRows(ids: readonly string[]): RawBuilder<unknown>
}

/** Writes records on the connection of a transaction. */
export type Writing<Connection> = (connection: Connection) => void | Promise<void>

export interface RecordTables<Table = RecordTable, Connection = never> {
  /** Prepares the writing, under no lock: of records that are new in the copy, and of those that are other than before. */
  prepare(
    table: Table,
    copy: number,
    added: readonly ShapedRecord[],
    changed: readonly ShapedRecord[],
  ): Writing<Connection>
  read(
    connection: Connection,
    table: Table,
    copy: number,
    ids: readonly string[],
  ): SearchRecord[] | Promise<SearchRecord[]>
}

/** The parts that the books of copies need; a database fills them with its own tables, records and connections. */
export interface CopyContext {
  readonly queries: Queries
  readonly tables: EntityTables<RecordTable>
  readonly records: RecordTables
  readonly layout: TableLayout
}
