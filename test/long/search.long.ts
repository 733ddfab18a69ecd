/** Part of `npm run test:long`: a hundred thousand random searches, each compared with the evaluator on both databases. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { openStore } from '../../src/store/open.ts'
import { startPostgres, type TestServer } from '../../src/store/postgres/server.suite.ts'
import { searchSuite } from '../../src/store/search.suite.ts'

const cases = 100_000
const folder = mkdtempSync(join(tmpdir(), 'conex-long-'))
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

searchSuite('SQLite', (catalog) => openStore(`sqlite:${join(folder, 'search.db')}`, catalog), cases)
searchSuite('PostgreSQL', (catalog) => openStore(url, catalog), cases)
