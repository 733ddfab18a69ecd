import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { copySuite } from '../copy.suite.ts'
import { ledgerSuite } from '../ledgers.suite.ts'
import { openStore } from '../open.ts'
import { scheduleSuite } from '../schedule.suite.ts'
import { searchSuite } from '../search.suite.ts'
import { searchAgreementSuite } from '../search-agreement.suite.ts'
import { startPostgres, type TestServer } from './server.suite.ts'

let server: TestServer
const urls = { copies: '', ledgers: '', schedule: '', search: '', agreement: '' }
const folder = mkdtempSync(join(tmpdir(), 'conex-agreement-'))
before(async () => {
  server = await startPostgres()
  urls.copies = await server.freshDatabase()
  urls.ledgers = await server.freshDatabase()
  urls.schedule = await server.freshDatabase()
  urls.search = await server.freshDatabase()
  urls.agreement = await server.freshDatabase()
})
after(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

copySuite('PostgreSQL', (catalog) => openStore(urls.copies, catalog))
ledgerSuite('PostgreSQL', () => openStore(urls.ledgers))
scheduleSuite('PostgreSQL', (catalog) => openStore(urls.schedule, catalog))
searchSuite('PostgreSQL', (catalog) => openStore(urls.search, catalog))
searchAgreementSuite(
  {
    SQLite: (catalog) => openStore(`sqlite:${join(folder, 'agreement.db')}`, catalog),
    PostgreSQL: (catalog) => openStore(urls.agreement, catalog),
  },
  2000,
)
