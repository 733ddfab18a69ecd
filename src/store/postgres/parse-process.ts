/** A process that parses statements of callers with PostgreSQL's own grammar: a hostile one holds nobody up, and may break the parser. */
import { ConexError } from '../../errors.ts'
import { serveHelper } from '../statements/serve-helper.ts'
import { refused } from '../statements/statement.ts'
import { type CheckedStatement, checkStatement } from './check-statement.ts'

export interface ParseJob {
  readonly sql: string
  /** The tables that there are. */
  readonly entities: readonly string[]
}

/** Null where the package is not installed. */
const parser = await import('libpg-query').catch((error: { readonly code?: string }) => {
  if (error.code === 'ERR_MODULE_NOT_FOUND') return null
  throw error
})

let broken = false

serveHelper(import.meta.url, async ({ sql, entities }: ParseJob): Promise<CheckedStatement> => {
  if (parser === null)
    throw new ConexError(
      'search_unavailable',
      'SQL on PostgreSQL needs the package libpg-query beside the server (npm install libpg-query); tell its operator, and use search until then.',
    )
  await parser.loadModule()
  // The parser reads texts to U+0000.
  if (sql.includes('\0')) throw refused('it contains the character U+0000')
  if (sql.trim() === '') throw refused('it is empty; write one select statement')
  if (broken) throw new Error('The parser is broken.')
  return checkStatement(sql, parsed(parser, sql), entities)
})

function parsed({ parseSync, hasSqlDetails }: NonNullable<typeof parser>, sql: string) {
  try {
    return parseSync(sql)
  } catch (error) {
    if (hasSqlDetails(error)) throw refused(error.message)
    // It ran out of stack, and what it left behind is of no use.
    broken = true
    throw refused('it nests too deeply')
  }
}
