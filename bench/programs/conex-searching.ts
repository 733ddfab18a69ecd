/** Conex as it is served, in whose process heavy searches run over a filled copy for as long as they are switched on. */
import { parseQuery } from '../../src/search/parse-query.ts'
import { startServer } from '../../src/server/start.ts'
import { openStore } from '../../src/store/open.ts'
import { catalog, copyKey, tenant } from '../search-records.ts'

const { baseUrl, credentials, database, copy } = JSON.parse(process.argv[2]!) as {
  baseUrl: string
  credentials: object
  database: string
  copy: string
}
const server = await startServer({
  port: 0,
  databaseUrl: database,
  baseUrls: { asana: baseUrl },
  allowPrivateNetwork: true,
  rateLimitPerMinute: 0,
  callLimits: { asana: [] },
  logLevel: 'error',
})
const { token } = await server.issueToken()
const made = await fetch(`${server.origin}/v1/integrations/connectors`, {
  method: 'POST',
  headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  body: JSON.stringify({ external_user_id: 'bench', connector_type: 'asana', name: 'bench', credentials }),
})
const { id } = (await made.json()) as { id: string }

const store = await openStore(copy, catalog)
// Nothing narrows this one, nothing meets it, and every record is looked at.
const heavy = parseQuery(catalog.asana.entities.tasks.searchable, {
  query: { filter: { not: { not: { like: { permalink_url: '%nowhere%' } } } } },
})
let searching = false
process.on('SIGUSR2', () => {
  searching = !searching
  if (!searching) return
  for (let caller = 0; caller < 4; caller++)
    void (async () => {
      while (searching) await store.copies.search(tenant, copyKey, heavy).catch(() => {})
    })()
})
process.stdout.write(`${JSON.stringify({ origin: server.origin, token, id })}\n`)
process.on('SIGTERM', async () => {
  searching = false
  await store.close()
  await server.close()
  process.exit(0)
})
