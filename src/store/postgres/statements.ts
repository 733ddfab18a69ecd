/** Runs statements of callers on PostgreSQL: on connections of their own that only read, within bounds of time and size. */
import type pg from 'pg'
import type { SqlColumn } from '../../catalog/sql-columns.ts'
import { ConexError } from '../../errors.ts'
import { Semaphore } from '../../semaphore.ts'
import type { RecordTable } from '../copies/record-table.ts'
import { type FoundCopy, searchedCopy } from '../copies/searched-copy.ts'
import type { EntityTables } from '../entity-tables.ts'
import { Helper, TookTooLong } from '../statements/helper.ts'
import {
  columnsOf,
  mostCharacters,
  noColumn,
  refused,
  type SelectFromCopies,
  type StatementBounds,
  tooLong,
  tooMuchMemory,
  tooSlow,
  twice,
} from '../statements/statement.ts'
import type { CheckedStatement } from './check-statement.ts'
import { quoted } from './copy-table.ts'
import { Database, Session } from './database.ts'
import { decodeJson, encodeText } from './nul-escaping.ts'
import type { ParseJob } from './parse-process.ts'
import { answered } from './queries.ts'
import { SearchConnection } from './search-connection.ts'

/** More at once would slow down requests. */
const mostAtOnce = 2

/** Longer texts are given as bytes. */
const longText = 64 * 1024

/** A statement of the greatest length is parsed in a fraction of this time. */
const parseMs = 5_000

/** `cancelling` is another pool, so that the word to stop does not wait behind the statements. */
export function postgresStatements(
  url: string,
  cancelling: Database,
  tables: EntityTables<RecordTable>,
  bounds: StatementBounds,
) {
  const database = new Database(url, {
    connections: mostAtOnce,
    statementMs: Math.max(1, Math.round(bounds.limitMs)),
    settings: {
      jit: 'off',
      max_parallel_workers_per_gather: '0',
      TimeZone: 'UTC',
      DateStyle: 'ISO, MDY',
      // As the parser reads texts.
      standard_conforming_strings: 'on',
    },
  })
  const parser = new Helper('parse-process', import.meta.url)
  const slots = new Semaphore(mostAtOnce)

  const select: SelectFromCopies = (tenant, connector, { sql, limit }, signal) =>
    slots.run(
      connector.connectorId,
      async () => {
        const own = tables.all().filter(({ kind }) => kind === connector.kind)
        const job: ParseJob = { sql: sql.toWellFormed(), entities: own.map(({ entity }) => entity) }
        try {
          const checked = await parser.run<CheckedStatement>(job, parseMs, signal)
          return await run(checked)
        } catch (error) {
          if (signal?.aborted) throw signal.reason
          throw error instanceof TookTooLong ? tooSlow(bounds) : told(error)
        }

        async function run(checked: CheckedStatement) {
          const end = performance.now() + bounds.limitMs
          const client = await database.pool.connect()
          const connection = new SearchConnection(client, cancelling, signal)
          try {
            await client.query('begin isolation level repeatable read read only')
            const session = new Session(client)
            const found: FoundCopy<RecordTable>[] = []
            for (const entity of checked.tables)
              found.push(await answered(session, searchedCopy(tables, tenant, { ...connector, entity })))
            const schemas = await schemasOf(session, found)
            // From here on names mean what the statement defines, or belong to the database's own functions and types.
            await client.query(`set local search_path = ''; ${timeout(end)}`)
            const withTables = found.map((one, place) =>
              tableOf(one, columnsOf(own.find(({ entity }) => entity === one.copy.entity)!), schemas[place]!),
            )
            const begin = withTables.length === 0 ? '' : `with ${withTables.join(', ')} `
            // The statement ends with its line, since it may end with a comment.
            const from = `from (${encodeText(checked.sql)}\n) as s`
            const { fields } = await query(client, `${begin}select s.* ${from} limit 0`)
            const repeated = twice(fields.map(({ name }) => name))
            if (repeated !== null) throw refused(repeated)
            await client.query(timeout(end))
            const { rows } = await query(
              client,
              // What is too long stays where it is.
              `${begin}select case when sum(octet_length(json)) over (rows unbounded preceding) <= ${mostCharacters} then json end
              from (select row_to_json(s.*)::text as json ${from} limit ${limit + 1}) as found`,
            )
            const kept = rows.slice(0, limit).map(([json]) => json as string | null)
            if (kept.includes(null)) throw tooLong()
            const text = decodeJson(kept.join())
            return {
              rows: text.length > longText ? Buffer.from(text) : text,
              hasMore: rows.length > limit,
              read: Object.fromEntries(found.map(({ copy, state }) => [copy.entity, state])),
            }
          } catch (error) {
            const { code } = error as { readonly code?: string }
            if (code === queryCanceled && !signal?.aborted) throw tooSlow(bounds)
            const columns = own.filter(({ entity }) => checked.tables.includes(entity)).flatMap(columnsOf)
            throw told(
              error,
              columns.map(({ name }) => name),
            )
          } finally {
            // Nobody has to wait for it.
            void connection.end()
          }
        }
      },
      signal,
    )
  return {
    select,
    async close() {
      await Promise.all([parser.close(), database.close()])
    },
  }
}

const timeout = (end: number): string =>
  `set local statement_timeout = ${Math.max(1, Math.round(end - performance.now()))}`

/** One statement; the server itself refuses several. */
const query = (client: pg.PoolClient, text: string): Promise<pg.QueryArrayResult<unknown[]>> =>
  client.query({ text, rowMode: 'array', queryMode: 'extended' } as pg.QueryArrayConfig)

/** The schema that each table is in, quoted. */
async function schemasOf(session: Session, found: readonly FoundCopy<RecordTable>[]): Promise<readonly string[]> {
  const rows = await session.rows(
    `select quote_ident(nspname) from unnest($1::text[]) with ordinality as given (name, place)
    join pg_class on pg_class.oid = to_regclass(given.name) join pg_namespace on pg_namespace.oid = relnamespace
    order by place`,
    [found.map(({ table }) => table.name)],
  )
  return rows.map(([schema]) => schema as string)
}

/**
 * A table as the statement sees it. The offset keeps the database from working out a caller's conditions on rows before it knows that
 * they belong to the copy: an error in one of them would tell of rows of others.
 */
function tableOf({ table, copy }: FoundCopy<RecordTable>, columns: readonly SqlColumn[], schema: string): string {
  const written = columns.map((column) => `${columnSql(table, column)} as ${identifier(column.name)}`)
  return `${identifier(copy.entity)} as not materialized (select ${written.join(', ')}
    from ${schema}.${table.name} as t where t._copy = ${copy.number} offset 0)`
}

function columnSql({ searchable }: RecordTable, { type, path }: SqlColumn): string {
  const [field = '', ...keys] = path
  const held = searchable[field]
  if (type === 'path')
    return held === 'object'
      ? `(t._rest -> ${keysSql([field, ...keys.slice(0, -1)])} ->> ${textOf(keys.at(-1)!)})`
      : 'null::text'
  if (type === 'object' || type === 'array') {
    if (held !== type) return 'null::json'
    const json = `t._rest -> ${textOf(field)}`
    return `(case when json_typeof(${json}) <> 'null' then ${json} end)`
  }
  // A field that the table does not have is null there.
  return held === type ? `t.${quoted(field)}` : `null::${sqlTypes[type]}`
}

const sqlTypes = { string: 'text', integer: 'int8', number: 'float8', boolean: 'boolean' } as const

const keysSql = (keys: readonly string[]): string => keys.map(textOf).join(' -> ')

/** Names of the catalog's, never a caller's. Longer ones PostgreSQL cuts in statements as well. */
const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`
const textOf = (text: string): string => `'${text.replaceAll("'", "''")}'`

const queryCanceled = '57014'

/** What to tell of an error: where the statement is at fault, in PostgreSQL's words for it. */
function told(error: unknown, columns: readonly string[] = []): unknown {
  const { code = '', message } = error as { readonly code?: string; readonly message: string }
  if (error instanceof ConexError || !/^[0-9A-Z]{5}$/.test(code)) return error
  if (code === '53400' || code === '53200') return tooMuchMemory()
  if (code === undefinedColumn) {
    const name = /^column (?:"?[^".]*"?\.)*"?([^"]+?)"? does not exist$/s.exec(message)?.[1]
    if (name !== undefined) return refused(noColumn(name, columns, noteOn(name, columns)))
  }
  // Syntax and names, data, limits, and what is not supported. Names of ours are in no message about a caller's statement.
  if (!/^(42|22|21|54|0A|25006)/.test(code)) return error
  return refused(message.includes('copy_') ? 'PostgreSQL cannot run it' : shortened(message))
}

const undefinedColumn = '42703'

/** Names that are not quoted are read in small letters. */
const noteOn = (name: string, columns: readonly string[]): string =>
  columns.some((column) => column !== name && column.toLowerCase() === name)
    ? ' (names with capital letters stand in double quotes)'
    : ''

const shortened = (message: string): string => (message.length > 200 ? `${message.slice(0, 200)}…` : message)
