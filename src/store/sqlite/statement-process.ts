/** A process that runs statements of callers on a SQLite file, each on a connection of its own that can only read. */
import { DatabaseSync, type SQLOutputValue, type StatementSync } from 'node:sqlite'
import { ConexError } from '../../errors.ts'
import { searchedCopy } from '../copies/searched-copy.ts'
import type { CopyKey } from '../copy.ts'
import { EntityTables, type SearchableEntity } from '../entity-tables.ts'
import { rowInCamelCase } from '../sql/names.ts'
import type { Steps } from '../sql/steps.ts'
import { serveHelper } from '../statements/serve-helper.ts'
import {
  columnsOf,
  mostCharacters,
  noColumn,
  noFunction,
  noTable,
  refused,
  type Selected,
  type Statement,
  tooLong,
  tooMuchMemory,
  twice,
} from '../statements/statement.ts'
import type { Tenant } from '../tenant.ts'
import { copyTable } from './copy-table.ts'
import { compiledQuery } from './queries.ts'
import { type Access, attach, type ReadableCopy, restrict } from './statement-access.ts'

export interface StatementJob {
  readonly file: string
  readonly tenant: Tenant
  readonly connector: Omit<CopyKey, 'entity'>
  /** The searchable entities of the connector's kind. */
  readonly entities: readonly SearchableEntity[]
  readonly statement: Statement
}

export interface SelectedBytes extends Omit<Selected, 'rows'> {
  /** In UTF-8. */
  readonly rows: Uint8Array
}

serveHelper(import.meta.url, run)

/** What a single value or pattern may be, and how deep and wide a statement. */
const limits = {
  length: 8 * 1024 * 1024,
  exprDepth: 200,
  compoundSelect: 100,
  likePatternLength: 1000,
  triggerDepth: 0,
}

function run(job: StatementJob): SelectedBytes {
  if ('setAuthorizer' in DatabaseSync.prototype) return select(job)
  throw new ConexError(
    'search_unavailable',
    `SQL needs a newer Node than ${process.version} on the server, at best the newest 24; use search.`,
  )
}

function select({ file, tenant, connector, entities, statement }: StatementJob): SelectedBytes {
  const database = new DatabaseSync(':memory:', {
    readOnly: true,
    allowExtension: false,
    defensive: true,
    enableDoubleQuotedStringLiterals: false,
    readBigInts: true,
    returnArrays: true,
    timeout: 5_000,
    limits,
  })
  try {
    // All that statements keep besides is in memory, which has a limit here, and never in files.
    database.exec('pragma temp_store = memory')
    const schema = attach(database, file)
    database.exec('begin')
    const tables = new EntityTables(entities, copyTable)
    const copies = entities.map((entity): ReadableCopy => {
      const found = answered(database, searchedCopy(tables, tenant, { ...connector, entity: entity.entity }))
      return { ...found, columns: columnsOf(entity) }
    })
    const toJson = database.prepare('select json(?)')
    const access = restrict(database, schema, copies)
    const flags = new Map(
      copies.map(({ table }) => [
        table.id,
        new Set(Object.keys(table.searchable).filter((field) => table.searchable[field] === 'boolean')),
      ]),
    )
    try {
      const prepared = prepare(database, statement.sql, access.roots)
      const { rows, hasMore } = read(prepared, statement.limit, toJson, flags)
      const states = copies.filter(({ copy }) => access.read.has(copy.entity))
      return {
        rows: new TextEncoder().encode(rows),
        hasMore,
        read: Object.fromEntries(states.map(({ copy, state }) => [copy.entity, state])),
      }
    } catch (error) {
      throw told(error, access, copies, statement.sql, schema)
    }
  } finally {
    database.close()
  }
}

/** Runs steps that only read. */
function answered<Result>(database: DatabaseSync, steps: Steps<Result>): Result {
  for (let next = steps.next(); ; ) {
    if (next.done === true) return next.value
    if ('own' in next.value) throw new Error('These steps only read.')
    const { sql, values } = compiledQuery(next.value.query)
    const statement = database.prepare(sql, { returnArrays: false, readBigInts: false })
    next = steps.next(statement.all(...(values as SQLOutputValue[])).map(rowInCamelCase))
  }
}

/** Compiles the one statement that the text is. */
function prepare(database: DatabaseSync, sql: string, roots: ReadonlySet<bigint>): StatementSync {
  // SQLite reads texts to U+0000.
  if (sql.includes('\0')) throw refused('it contains the character U+0000')
  const statement = compile(database, sql)
  if (statement === null) throw refused('it is empty; write one select statement')
  const written = statement.sourceSQL
  if (compile(database, sql.slice(written.length)) !== null)
    throw refused('these are several statements; write one select statement')
  // A value that is missing is null to SQLite.
  if (statement.expandedSQL !== written) throw refused('it has parameters; write the values into it')
  if (!opensOnly(database, written, roots)) throw refused('it reads what is not a table here')
  return statement
}

/** Whether the compiled statement opens nothing but these pages of the file: SQLite does not ask about every column. */
function opensOnly(database: DatabaseSync, sql: string, roots: ReadonlySet<bigint>): boolean {
  let program: StatementSync
  try {
    program = database.prepare(`explain ${sql}`)
  } catch {
    // What itself explains a statement cannot be explained.
    throw refused('it is not a select statement')
  }
  const steps = program.all() as unknown as readonly [
    number: bigint,
    opcode: string,
    p1: bigint,
    page: bigint,
    of: bigint,
  ][]
  return steps.every(
    ([, opcode, , page, of]) => !/^(Open(Read|Write)|ReopenIdx)$/.test(opcode) || (of === attached && roots.has(page)),
  )
}

/** Behind the main and the temporary tables of a connection. */
const attached = 2n

function compile(database: DatabaseSync, sql: string): StatementSync | null {
  try {
    return database.prepare(sql)
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_INVALID_ARG_VALUE') return null
    throw error
  }
}

function read(
  statement: StatementSync,
  limit: number,
  toJson: StatementSync,
  flags: ReadonlyMap<string, ReadonlySet<string>>,
): { readonly rows: string; readonly hasMore: boolean } {
  const columns = statement.columns()
  const names = columns.map(({ name }) => name)
  const repeated = twice(names)
  if (repeated !== null) throw refused(repeated)
  const keys = names.map((name) => `${JSON.stringify(name)}:`)
  // SQLite has no truth values; their columns hold 0 and 1.
  const isFlag = columns.map(({ table, column }) => flags.get(table ?? '')?.has(column ?? '') === true)
  const rows: string[] = []
  let characters = 0
  for (const row of statement.iterate() as Iterable<unknown> as Iterable<readonly SQLOutputValue[]>) {
    if (rows.length === limit) return { rows: rows.join(), hasMore: true }
    const written = `{${row.map((value, place) => keys[place] + jsonOf(value, isFlag[place]!, toJson)).join()}}`
    characters += written.length
    if (characters > mostCharacters) throw tooLong()
    rows.push(written)
  }
  return { rows: rows.join(), hasMore: false }
}

function jsonOf(value: SQLOutputValue, isFlag: boolean, toJson: StatementSync): string {
  if (typeof value === 'bigint') return isFlag && (value === 0n || value === 1n) ? String(value === 1n) : String(value)
  if (!(value instanceof Uint8Array)) return JSON.stringify(value)
  try {
    return String((toJson.get(value) as unknown as readonly SQLOutputValue[])[0])
  } catch {
    return JSON.stringify(Buffer.from(value).toString('hex'))
  }
}

/** What to tell of an error: where the statement is at fault, in SQLite's words for it. */
function told(
  error: unknown,
  { denied, read }: Access,
  copies: readonly ReadableCopy[],
  sql: string,
  schema: string,
): unknown {
  if (error instanceof ConexError) return error
  const { code, errcode, message } = error as {
    readonly code?: string
    readonly errcode?: number
    readonly message: string
  }
  if (code !== 'ERR_SQLITE_ERROR' || errcode === undefined) return error
  const entities = copies.map(({ copy }) => copy.entity)
  if (denied !== null) {
    // A module of SQLite reads tables that the caller did not name.
    if ('table' in denied) return refused(noTable(sql.includes(denied.table) ? denied.table : '…', entities))
    if ('function' in denied) return refused(noFunction(denied.function))
    return refused('it is not a select statement')
  }
  switch (errcode & 0xff) {
    case errors.noMemory:
      return tooMuchMemory()
    case errors.tooBig:
      return refused('a value in it is too long')
    case errors.error:
    case errors.mismatch:
    case errors.constraint: {
      const table = /^no such table: (?:\w+\.)?(.+)$/s.exec(message)?.[1]
      if (table !== undefined) return refused(noTable(table, entities))
      const column = /^no such column: (?:"?[^".]*"?\.)*"?([^"]+)/s.exec(message)?.[1]
      if (column !== undefined) {
        const tables = copies.filter(({ copy }) => read.size === 0 || read.has(copy.entity))
        const note = message.includes('string literal') ? ' (texts stand in single quotes)' : ''
        return refused(
          noColumn(
            column,
            tables.flatMap(({ columns }) => columns.map(({ name }) => name)),
            note,
          ),
        )
      }
      const unknown = /^no such function: (.+)$/s.exec(message)?.[1]
      if (unknown !== undefined) return refused(noFunction(unknown))
      // Names of ours are in no message about a caller's statement.
      return refused(
        [schema, ...copies.map(({ table }) => table.id)].some((name) => message.includes(name))
          ? 'SQLite cannot run it'
          : shortened(message),
      )
    }
    default:
      return error
  }
}

const errors = { error: 1, noMemory: 7, tooBig: 18, constraint: 19, mismatch: 20 } as const

const shortened = (message: string): string => (message.length > 200 ? `${message.slice(0, 200)}…` : message)
