import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { statementFuzzSuite } from '../statement-fuzz.suite.ts'
import { escapesSuite, statementsSuite } from '../statements.suite.ts'
import { escapes, heavy, known, words } from './escapes.suite.ts'
import { openSqlite } from './sqlite.ts'

const folder = mkdtempSync(join(tmpdir(), 'conex-statements-'))
after(() => rmSync(folder, { recursive: true }))

statementsSuite('SQLite', (catalog, statements) =>
  openSqlite(join(folder, 'statements.db'), catalog, statements && { statements }),
)

escapesSuite(
  'SQLite',
  (catalog, statements) => openSqlite(join(folder, 'escapes.db'), catalog, statements && { statements }),
  { escapes, heavy, known },
)

statementFuzzSuite(
  'SQLite',
  (catalog, statements) => openSqlite(join(folder, 'fuzz.db'), catalog, statements && { statements }),
  { rounds: 40, words },
)
