/**
 * What a statement may do on a connection. The file is attached under a name that nobody can guess, and its tables are reached by views
 * that bear the names of the entities. What the file has besides is hidden by empty views of the same names. SQLite also asks before
 * it compiles an access; it does not ask about columns that a join has `using`,
 * so that the compiled statement is looked at as well.
 */
import { randomUUID } from 'node:crypto'
import { constants, type DatabaseSync } from 'node:sqlite'
import type { SqlColumn } from '../../catalog/sql-columns.ts'
import type { FoundCopy } from '../copies/searched-copy.ts'
import { type CopyTable, quoted, textOf } from './copy-table.ts'
import { statementFunctions } from './statement-functions.ts'

/** The copy of an entity, and the columns that it has for statements. */
export interface ReadableCopy extends FoundCopy<CopyTable> {
  readonly columns: readonly SqlColumn[]
}

export interface Access {
  /** The entities whose copies the statement reads, as far as it has been compiled. */
  readonly read: ReadonlySet<string>
  /** Where the tables of the copies, and their indexes, begin in the file. */
  readonly roots: ReadonlySet<bigint>
  /** What it was denied first. */
  denied: Denied | null
}

export type Denied = { readonly table: string } | { readonly function: string } | { readonly other: true }

/** Attaches the file; gives the name that it has on this connection. */
export function attach(database: DatabaseSync, file: string): string {
  const schema = randomUUID()
  database.prepare('attach ? as ?').run(file, schema)
  return schema
}

/** Makes the copies the only tables of a connection, for reading alone. */
export function restrict(database: DatabaseSync, schema: string, copies: readonly ReadableCopy[]): Access {
  const entities = new Map(copies.map(({ copy: { entity } }) => [entity.toLowerCase(), entity]))
  const hidden = namesIn(database, schema)
  for (const found of copies) database.exec(`create temp view ${quoted(found.copy.entity)} as ${rowsOf(found, schema)}`)
  for (const name of hidden)
    if (!entities.has(name)) database.exec(`create temp view ${quoted(name)} as select null as hidden where false`)
  const read = new Set<string>()
  const access: Access = { read, roots: rootsOf(database, schema, copies), denied: null }
  database.setAuthorizer((action, first, second, of) => {
    const denied = deny(action, first ?? '', second ?? '', of ?? '')
    if (denied === null) return constants.SQLITE_OK
    access.denied ??= denied
    return constants.SQLITE_DENY
  })
  return access

  function deny(action: number, first: string, second: string, of: string): Denied | null {
    switch (action) {
      case constants.SQLITE_SELECT:
      case constants.SQLITE_RECURSIVE:
        return null
      case constants.SQLITE_FUNCTION:
        return statementFunctions.has(second.toLowerCase()) ? null : { function: second }
      case constants.SQLITE_READ: {
        if (of === schema || /^json_(each|tree)$/i.test(first)) return null
        const entity = entities.get(first.toLowerCase())
        if (entity !== undefined && of !== 'main') read.add(entity)
        // Of what no column is read, SQLite gives the name as it is written, which may be that of an expression.
        else if (second !== '' || of !== '' || hidden.has(first.toLowerCase()) || /^(sqlite|pragma)_/i.test(first))
          return { table: first }
        return null
      }
      default:
        return { other: true }
    }
  }
}

/** The names of everything in the file that can be read, and of SQLite's own modules, in small letters. */
function namesIn(database: DatabaseSync, schema: string): ReadonlySet<string> {
  const rows = database
    .prepare(
      `select lower(name) from ${quoted(schema)}.sqlite_schema where type in ('table', 'view') and name not like 'sqlite\\_%' escape '\\'
      union select lower(name) from pragma_module_list`,
      { returnArrays: true },
    )
    .all() as unknown as readonly [string][]
  return new Set(rows.flat())
}

function rootsOf(database: DatabaseSync, schema: string, copies: readonly ReadableCopy[]): ReadonlySet<bigint> {
  const statement = database.prepare(`select rootpage from ${quoted(schema)}.sqlite_schema where tbl_name = ?`)
  return new Set(copies.flatMap(({ table }) => (statement.all(table.id) as unknown as [bigint][]).flat()))
}

/**
 * The rows of a copy under the entity's columns. The limit keeps SQLite from working out a caller's conditions on rows before it knows
 * that they belong to the copy: an error in one of them would tell of rows of others.
 */
function rowsOf({ table, copy, columns }: ReadableCopy, schema: string): string {
  const written = columns.map((column) => `${valueSql(table, column)} as ${quoted(column.name)}`)
  return `select ${written.join(', ')} from ${quoted(schema)}.${table.name} as t where t._copy = ${copy.number} limit -1`
}

function valueSql(table: CopyTable, { type, path }: SqlColumn): string {
  const [field = ''] = path
  const held = table.searchable[field]
  const keys = textOf(`$${path.map((key) => `.${JSON.stringify(key)}`).join('')}`)
  if (type === 'path') return held === 'object' ? `t._rest ->> ${keys}` : 'null'
  // A field that the table does not have is null there.
  if (held !== type) return 'null'
  // The binary form tells JSON from texts in results, and every function for JSON takes it.
  return type === 'object' || type === 'array' ? `jsonb_extract(t._rest, ${keys})` : `t.${quoted(field)}`
}
