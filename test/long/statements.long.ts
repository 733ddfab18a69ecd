/** Part of `npm run test:long`: thousands of random SQL statements against copies on both databases, for some minutes at most. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import * as postgres from '../../src/store/postgres/escapes.suite.ts'
import { openPostgres } from '../../src/store/postgres/postgres.ts'
import { startPostgres, type TestServer } from '../../src/store/postgres/server.suite.ts'
import * as sqlite from '../../src/store/sqlite/escapes.suite.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { statementFuzzSuite } from '../../src/store/statement-fuzz.suite.ts'

const folder = mkdtempSync(join(tmpdir(), 'conex-statements-'))
let server: TestServer
let url: string
before(async () => {
  server = await startPostgres()
  url = await server.freshDatabase()
})
after(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

const rounds = { rounds: 20_000, mostMs: 40_000 }

statementFuzzSuite(
  'SQLite',
  (catalog, statements) => openSqlite(join(folder, 'fuzz.db'), catalog, statements && { statements }),
  {
    ...rounds,
    words: sqlite.words,
  },
)
statementFuzzSuite('PostgreSQL', (catalog, statements) => openPostgres(url, catalog, statements && { statements }), {
  ...rounds,
  words: postgres.words,
})
