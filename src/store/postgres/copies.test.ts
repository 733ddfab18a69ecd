import { after, before } from 'node:test'
import { copySuite } from '../copy.suite.ts'
import { ledgerSuite } from '../ledgers.suite.ts'
import { openStore } from '../open.ts'
import { scheduleSuite } from '../schedule.suite.ts'
import { searchSuite } from '../search.suite.ts'
import { startPostgres, type TestServer } from './server.suite.ts'

let server: TestServer
const urls = { copies: '', ledgers: '', schedule: '', search: '' }
before(async () => {
  server = await startPostgres()
  urls.copies = await server.freshDatabase()
  urls.ledgers = await server.freshDatabase()
  urls.schedule = await server.freshDatabase()
  urls.search = await server.freshDatabase()
})
after(() => server.stop())

copySuite('PostgreSQL', (catalog) => openStore(urls.copies, catalog))
ledgerSuite('PostgreSQL', () => openStore(urls.ledgers))
scheduleSuite('PostgreSQL', (catalog) => openStore(urls.schedule, catalog))
searchSuite('PostgreSQL', (catalog) => openStore(urls.search, catalog))
