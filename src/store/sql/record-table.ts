/** A table of records, as far as bookkeeping has to know it. */
import type { Searchable } from '../../search/query.ts'

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
