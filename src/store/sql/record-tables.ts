/** What each database does in a way of its own with the tables of records. */
import type { SearchRecord } from '../../search/query.ts'
import type { ReadRecord } from '../copy.ts'
import type { EntityTables } from '../entity-tables.ts'
import type { RecordTable } from './record-table.ts'
import type { Queries } from './steps.ts'
import type { TableLayout } from './table-layout.ts'

/** Records that are ready to be written. */
export interface PreparedRecords {
  /** One for each record. */
  readonly ids: readonly string[]
}

/** `connection` belongs to the transaction. Ids are well-formed. */
export interface RecordTables<
  Table = RecordTable,
  Prepared extends PreparedRecords = PreparedRecords,
  Connection = unknown,
> {
  /** Works out what has to be written, under no lock. Of a record that is there twice the last counts. */
  prepare(table: Table, copy: number, records: readonly ReadRecord[]): Prepared | Promise<Prepared>
  /** Writes those that are new or other than before; tells which these are, and how many are new. */
  put(connection: Connection, table: Table, copy: number, prepared: Prepared): Put | Promise<Put>
  /** Notes that the pass has met these records. */
  meet(connection: Connection, copy: number, pass: number, ids: readonly string[]): unknown
  /** Notes that the pass has missed these records, once for each pass. */
  miss(connection: Connection, copy: number, pass: number, ids: readonly string[]): unknown
  /** Removes records and their notes; gives how many there were. */
  remove(connection: Connection, table: Table, copy: number, ids: readonly string[]): number | Promise<number>
  read(
    connection: Connection,
    table: Table,
    copy: number,
    ids: readonly string[],
  ): SearchRecord[] | Promise<SearchRecord[]>
}

export interface Put {
  readonly changed: readonly string[]
  readonly added: number
}

/** What the books of copies are kept with; a database fills it with tables, records and connections of its own. */
export interface CopyContext {
  readonly queries: Queries
  readonly tables: EntityTables<RecordTable>
  readonly records: RecordTables
  readonly layout: TableLayout
}
