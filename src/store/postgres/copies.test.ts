import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { copySuite } from '../copy.suite.ts'
import { copyLeasesSuite } from '../copy-leases.suite.ts'
import { ledgerSuite } from '../ledgers.suite.ts'
import { openStore } from '../open.ts'
import { overviewSuite } from '../overview.suite.ts'
import { rolloutSuite } from '../rollout.suite.ts'
import { scheduleSuite } from '../schedule.suite.ts'
import { searchSuite } from '../search.suite.ts'
import { searchAgreementSuite } from '../search-agreement.suite.ts'
import { searchNumbersSuite } from '../search-numbers.suite.ts'
import { searchValuesSuite } from '../search-values.suite.ts'
import { Database } from './database.ts'
import { startPostgres, type TestServer } from './server.suite.ts'

let server: TestServer
const urls = {
  copies: '',
  leases: '',
  ledgers: '',
  overview: '',
  schedule: '',
  search: '',
  values: '',
  numbers: '',
  agreement: '',
}
const folder = mkdtempSync(join(tmpdir(), 'conex-agreement-'))
before(async () => {
  server = await startPostgres()
  for (const name of Object.keys(urls) as (keyof typeof urls)[]) urls[name] = await server.freshDatabase()
})
after(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

copySuite('PostgreSQL', (catalog) => openStore(urls.copies, catalog))
ledgerSuite('PostgreSQL', () => openStore(urls.ledgers))
overviewSuite('PostgreSQL', (catalog) => openStore(urls.overview, catalog))
scheduleSuite('PostgreSQL', (catalog) => openStore(urls.schedule, catalog))
searchSuite('PostgreSQL', (catalog) => openStore(urls.search, catalog))
copyLeasesSuite('PostgreSQL', (catalog) => openStore(urls.leases, catalog))
searchValuesSuite('PostgreSQL', (catalog) => openStore(urls.values, catalog))
searchNumbersSuite('PostgreSQL', (catalog) => openStore(urls.numbers, catalog))
rolloutSuite(
  'PostgreSQL',
  () => server.freshDatabase(),
  async (url, sql) => {
    const database = new Database(url, { connections: 1, statementMs: 10_000 })
    return database.all<object>(sql).finally(() => database.close())
  },
)
searchAgreementSuite(
  {
    SQLite: (catalog) => openStore(`sqlite:${join(folder, 'agreement.db')}`, catalog),
    PostgreSQL: (catalog) => openStore(urls.agreement, catalog),
  },
  200,
)
