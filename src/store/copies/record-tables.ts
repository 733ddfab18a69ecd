/** What a database does with records in its own way; the books of copies use it and know no database. */
import type { RawBuilder } from 'kysely'
import type { SearchRecord } from '../../search/query.ts'
import type { ReadRecord } from '../copy.ts'
import type { EntityTables } from '../entity-tables.ts'
import type { Queries } from '../sql/steps.ts'
import type { RecordTable } from './record-table.ts'

/** How a database lays out records, in SQL. */
export interface TableLayout<Table = RecordTable> {
  create(table: Table): readonly string[]
  drop(table: Table): readonly string[]
  /** Makes a view, or puts it in the place of the one that is there. */
  makeView(view: string, select: string): readonly string[]
  /** A name in SQL. */
  quoted(name: string): string
  /** An object or array of `records`, as JSON. */
  document(field: string): string
  /** A table whose column `id` has these ids. */
  idRows(ids: readonly string[]): RawBuilder<unknown>
}

/** Records that are ready to be written. */
export interface PreparedRecords {
  /** One for each record. */
  readonly ids: readonly string[]
}

export interface Put {
  readonly changed: readonly string[]
  readonly added: number
}

/** `connection` belongs to the transaction. Ids are well-formed. */
export interface RecordTables<
  Table = RecordTable,
  Prepared extends PreparedRecords = PreparedRecords,
  Connection = unknown,
> {
  /** Prepares the writing, under no lock. If a record comes twice, the last one counts. */
  prepare(table: Table, copy: number, records: readonly ReadRecord[]): Prepared | Promise<Prepared>
  /** Writes those that are new or other than before; tells which these are, and how many are new. */
  put(connection: Connection, table: Table, copy: number, prepared: Prepared): Put | Promise<Put>
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
