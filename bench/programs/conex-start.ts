/** Conex from nothing to ready: a new database, new keys, a first client. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer } from '../../src/server/start.ts'

const folder = mkdtempSync(join(tmpdir(), 'conex-bench-'))
await startServer({ port: 0, databaseUrl: `sqlite:${join(folder, 'conex.db')}`, logLevel: 'error' })
process.stdout.write('{}\n')
process.on('SIGTERM', () => {
  rmSync(folder, { recursive: true, force: true })
  process.exit(0)
})
