/** Statements: SQL of callers over the copies of one connector. */
import { didYouMean } from '../../catalog/did-you-mean.ts'
import { type SqlColumn, sqlColumns } from '../../catalog/sql-columns.ts'
import { asSentence, ConexError } from '../../errors.ts'
import type { CopyKey, SearchedState } from '../copy.ts'
import type { SearchableEntity } from '../entity-tables.ts'
import type { Tenant } from '../tenant.ts'

export interface Statement {
  /** In the dialect of the database. */
  readonly sql: string
  /** How many rows are wanted. */
  readonly limit: number
}

/** The rows of a statement, read at one moment. */
export interface Selected {
  /** JSON objects, separated by commas. */
  readonly rows: string | Buffer
  readonly hasMore: boolean
  /** The state of each entity whose copy was read, by its name. */
  readonly read: Readonly<Record<string, SearchedState>>
}

/**
 * Runs a statement over the copies of one connector; 422 `invalid_query` says what is wrong with it. Nothing else exists for it, and it
 * only reads.
 */
export type SelectFromCopies = (
  tenant: Tenant,
  connector: Omit<CopyKey, 'entity'>,
  statement: Statement,
  signal?: AbortSignal,
) => Promise<Selected>

/** What a statement may take. */
export interface StatementBounds {
  readonly limitMs: number
}

export const usualBounds: StatementBounds = { limitMs: 10_000 }

/** More characters of rows than this are not an answer any more. */
export const mostCharacters = 16 * 1024 * 1024

/** The columns of an entity's table. */
export const columnsOf = ({ searchable, indexed }: SearchableEntity): readonly SqlColumn[] =>
  sqlColumns(searchable, indexed)

/** The error of a statement with this fault. */
export const refused = (fault: string): ConexError =>
  new ConexError('invalid_query', asSentence(`The statement cannot be run: ${fault}`), {
    issues: [{ path: '/params/sql', message: fault }],
  })

export const tooSlow = ({ limitMs }: StatementBounds): ConexError =>
  refused(`it was ended after ${limitMs / 1000} seconds; read fewer rows, or join by columns that must be equal`)

export const tooMuchMemory = (): ConexError => refused('it takes too much memory; read fewer rows or shorter columns')

export const tooLong = (): ConexError =>
  refused(`its rows have more than ${mostCharacters / 1024 / 1024} MB; select fewer columns, or fewer rows`)

/** The fault of several columns with one name, which an object cannot have; null if there are none. */
export const twice = (columns: readonly string[]): string | null => {
  const repeated = [...new Set(columns.filter((name, place) => columns.indexOf(name) !== place))]
  return repeated.length === 0
    ? null
    : `several columns are called ${repeated.slice(0, 5).map(inQuotes).join(', ')}; give each a name of its own with "as"`
}

export const noTable = (name: string, entities: readonly string[]): string =>
  `there is no table ${inQuotes(name)}${didYouMean(name, entities) || `; the tables are ${entities.join(', ')}`}`

export function noColumn(name: string, columns: Iterable<string>, note = ''): string {
  const known = [...new Set(columns)]
  const fewest = known.length <= 40 && known.length > 0 ? `; the columns are ${known.join(', ')}` : ''
  return `there is no column ${inQuotes(name)}${didYouMean(name, known) || fewest}${note}`
}

export const noFunction = (name: string): string => `the function ${inQuotes(name)} is not available`

/** The longest part of a statement that a message repeats. */
const inQuotes = (name: string): string => `"${name.length > 80 ? `${name.slice(0, 80)}…` : name}"`
