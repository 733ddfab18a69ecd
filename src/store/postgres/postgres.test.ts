import { after, before } from 'node:test'
import { openStore } from '../open.ts'
import { storeSuite } from '../store.suite.ts'
import { startPostgres, type TestServer } from './server.suite.ts'

let server: TestServer
let url: string
before(async () => {
  server = await startPostgres()
  url = await server.freshDatabase()
})
after(() => server.stop())

storeSuite('PostgreSQL', () => openStore(url))
