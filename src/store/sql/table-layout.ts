/** How a database lays out records. */
import type { RecordTable } from './record-table.ts'

export interface TableLayout<Table = RecordTable> {
  create(table: Table): readonly string[]
  drop(table: Table): readonly string[]
  /** Makes a view, or puts it in the place of the one that is there. */
  makeView(view: string, select: string): readonly string[]
  /** A name in SQL. */
  quoted(name: string): string
  /** An object or array of `records`, as JSON. */
  document(field: string): string
}
