/** Part of `npm run test:long`: a hundred thousand random searches, each asked of the evaluator and of both databases. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { openStore } from '../../src/store/open.ts'
import { startPostgres, type TestServer } from '../../src/store/postgres/server.suite.ts'
import { searchAgreementSuite } from '../../src/store/search-agreement.suite.ts'

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

searchAgreementSuite(
  {
    SQLite: (catalog) => openStore(`sqlite:${join(folder, 'search.db')}`, catalog),
    PostgreSQL: (catalog) => openStore(url, catalog),
  },
  100_000,
)
