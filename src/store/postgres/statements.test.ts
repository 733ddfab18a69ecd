import { after, before } from 'node:test'
import { statementFuzzSuite } from '../statement-fuzz.suite.ts'
import { escapesSuite, statementsSuite } from '../statements.suite.ts'
import { escapes, heavy, known, words } from './escapes.suite.ts'
import { openPostgres } from './postgres.ts'
import { startPostgres, type TestServer } from './server.suite.ts'

let server: TestServer
const urls = { statements: '', escapes: '', random: '' }
before(async () => {
  server = await startPostgres()
  urls.statements = await server.freshDatabase()
  urls.escapes = await server.freshDatabase()
  urls.random = await server.freshDatabase()
})
after(() => server.stop())

statementsSuite('PostgreSQL', (catalog, statements) =>
  openPostgres(urls.statements, catalog, statements && { statements }),
)

escapesSuite('PostgreSQL', (catalog, statements) => openPostgres(urls.escapes, catalog, statements && { statements }), {
  escapes,
  heavy,
  known,
})

statementFuzzSuite(
  'PostgreSQL',
  (catalog, statements) => openPostgres(urls.random, catalog, statements && { statements }),
  {
    rounds: 40,
    words,
  },
)
