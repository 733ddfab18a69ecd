/** What a database states of itself so that searches can be written and run for it. `t` stands for the table of records. */
import type { Candidates } from '../../search/candidates.ts'
import type { CursorScope } from '../../search/cursor.ts'
import type { Leaf } from '../../search/evaluate.ts'
import type { Columns, ColumnType, Path, Scalar } from '../../search/query.ts'
import type { Asking, WordQuestion } from '../../search/word-question.ts'
import type { Bindings, ValueType } from './bindings.ts'

export interface SearchedColumn {
  /** The field, or the path into an object as queries write it. */
  readonly name: string
  readonly path: Path
  readonly type: ColumnType
  /** The column, quoted. */
  readonly column: string
  /** The index over copy, key and id. */
  readonly index: string
}

export interface SearchedTable extends Columns {
  readonly name: string
  readonly columns: ReadonlyMap<string, SearchedColumn>
}

export interface SearchedCopy extends CursorScope {
  readonly number: number
  readonly records: number
}

/** A row, as a list of its columns. */
export type Row = readonly unknown[]

/** Work of statements, each of which gives rows. SQLite answers them at once, PostgreSQL later. */
export type Work<Result> = Generator<Statement, Result, readonly Row[]>

export interface Statement {
  readonly sql: string
  readonly bind: Bindings
}

/** SQL that is true of all that meets a condition; where it is not exact, of other records too. It may be null instead of false. */
export interface Said {
  readonly sql: string
  readonly exact: boolean
}

/** How fields are selected, and become the text of a JSON object. */
export interface FieldsReader {
  readonly columns: readonly string[]
  json(values: readonly unknown[]): string
}

/** Candidates that are few enough to look at all of them. */
export interface Narrowed {
  /** The SQL that names them, as `page` expects it. */
  readonly sql: (bind: Bindings) => string
  /** The index that they are a part of, and which part: going along it is faster than naming each. */
  readonly part?: { readonly index: string; readonly where: (bind: Bindings) => string }
  readonly exact: boolean
  /** They have the words that were asked for. */
  readonly worded: boolean
}

/** The clauses of a statement that gives a page. */
export interface Page {
  readonly columns: string
  /** Where the records begin and end along the order. */
  readonly where: readonly string[]
  /** What they have to meet. */
  readonly filter: string
  readonly order: string
  readonly limit: string
  /** Looks at these records alone; null looks along the index. */
  readonly candidates: string | null
  /** The index that has the order. */
  readonly index: string
  /** The clause that says at which records along the index to look; null for all of them. */
  readonly window: string | null
}

export interface SearchDialect {
  readonly table: SearchedTable
  readonly copy: SearchedCopy
  /** Whether the database weighs a limit against the records that it would go past, when it chooses an index. */
  readonly weighsLimits: boolean
  /** The index over copy and id. */
  readonly identityIndex: string
  /** What is asked of the index of words. */
  readonly asking: Asking
  placeholder(number: number, type: ValueType): string
  /** What the index of a column is over, of the table under this name. */
  key(column: SearchedColumn, of?: string): string
  /** A key to sort few records by, so that the database does not go along its index instead. */
  sorted(key: string): string
  /** That the column of `t` has a value, said so that its index is gone along from the first one. */
  hasValue(column: SearchedColumn): string
  /** Whether the key is one of these. */
  oneOf(bind: Bindings, key: string, values: readonly Scalar[], type: 'text' | 'int8' | 'float8' | 'boolean'): string
  /** Selects rows that are given: a number and two texts. */
  rows(bind: Bindings, rows: readonly (readonly [number, string, string])[]): string
  /** `like`, `fuzzy` and `keyword` on a column of text. */
  text(bind: Bindings, leaf: Leaf, column: SearchedColumn): Said
  /** A condition on what stands inside an object or array. */
  inside(bind: Bindings, leaf: Leaf): Said
  /** Whether so many records may have one value in a column that these would take long to sort. */
  mayRepeat(column: SearchedColumn): boolean
  /** True of a record whose value in the column so many others have: more than `most`, where the database has to count them. */
  repeats(bind: Bindings, column: SearchedColumn, most: number): string
  /** What is left of a condition for records that have its words; null where they say too little. */
  told(leaf: Leaf, question: WordQuestion): Said | null
  /** How a page selects these fields. */
  fields(names: readonly string[]): FieldsReader
  /** A statement of the columns `_id` and `columns`. */
  page(page: Page, bind: Bindings): string
  /**
   * The smallest of these sets, of fewer records than `most`, or null; none of them is known to have fewer than `least`. What is
   * gone along `inRanges` the database never sees as a whole.
   */
  narrow(
    sets: readonly Candidates[],
    bounds: { readonly least: number; readonly most: number },
    limit: number,
    inRanges: boolean,
  ): Work<Narrowed | null>
}
