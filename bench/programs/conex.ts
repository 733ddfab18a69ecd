/** Conex as it is served, on a fresh embedded store, with one connector made. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer } from '../../src/server/start.ts'

const { baseUrl, credentials } = JSON.parse(process.argv[2]!) as { baseUrl: string; credentials: object }
const folder = mkdtempSync(join(tmpdir(), 'conex-bench-'))
const server = await startServer({
  port: 0,
  databaseUrl: `sqlite:${join(folder, 'conex.db')}`,
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
  // A first sync would run beside the calls that are measured.
  body: JSON.stringify({
    external_user_id: 'bench',
    connector_type: 'asana',
    name: 'bench',
    credentials,
    sync: { enabled: false },
  }),
})
const { id } = (await made.json()) as { id: string }
process.stdout.write(`${JSON.stringify({ origin: server.origin, token, id })}\n`)
process.on('SIGTERM', async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
  process.exit(0)
})
