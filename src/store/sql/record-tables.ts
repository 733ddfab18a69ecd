/** What each database does in a way of its own with the tables of records. */
import type { Searchable, SearchRecord } from '../../search/query.ts'
import type { ReadRecord } from '../copy.ts'

/** A table of records, as far as bookkeeping has to know it. */
export interface RecordTable {
  readonly kind: string
  readonly entity: string
  readonly searchable: Searchable
  readonly id: string
  /** Its name, quoted. */
  readonly name: string
  /** The view that shows it, quoted. */
  readonly view: string
}

/** Records that are ready to be written. */
export interface PreparedRecords {
  /** One for each record. */
  readonly ids: readonly string[]
}

/** `connection` is that of the transaction. Ids are well-formed. */
export interface RecordTables<Table extends RecordTable, Prepared extends PreparedRecords, Connection> {
  /** Works out what has to be written, under no lock. Of a record that is there twice the last counts. */
  prepare(table: Table, copy: number, records: readonly ReadRecord[]): Prepared | Promise<Prepared>
  /** Writes those that are new or other than before; tells which these are, and how many are new. */
  put(connection: Connection, table: Table, copy: number, prepared: Prepared): Put | Promise<Put>
  /** Notes that the pass has met these records. */
  meet(connection: Connection, copy: number, pass: number, ids: readonly string[]): unknown
  /** Notes that the pass has missed these records, once for each pass. */
  miss(connection: Connection, copy: number, pass: number, ids: readonly string[]): unknown
  /** Removes records and what is noted of them; gives how many there were. */
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
