/** From the start of the process to ready, on a new embedded store, against an empty Fastify. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChild, startScript } from './child.ts'
import { type Row, sideBySide } from './row.ts'

const conex = new URL('../src/cli/main.ts', import.meta.url).pathname

export async function benchStart(): Promise<Row> {
  await startConex()
  await startEmpty()
  const result = await sideBySide(9, startConex, startEmpty)
  return {
    what: 'start to ready, embedded, milliseconds',
    against: 'an empty Fastify server',
    ratio: result.ratio,
    wanted: '≤ 3',
    reached: result.ratio <= 3,
    details: [`${result.ours.toFixed(0)} ms against ${result.theirs.toFixed(0)} ms, ${result.spread}`],
  }
}

/** `conex serve` with a new database, new keys and a first client, up to the log line that says it listens. */
async function startConex(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'conex-bench-'))
  const child = await startScript(conex, ['serve'], {
    CONEX_PORT: '0',
    CONEX_DATABASE_URL: `sqlite:${join(folder, 'conex.db')}`,
    CONEX_CLIENT_ID: 'bench',
    CONEX_CLIENT_SECRET: 'a secret for the benchmark alone',
  })
  await child.stop()
  await rm(folder, { recursive: true })
  return child.startedIn
}

async function startEmpty(): Promise<number> {
  const child = await startChild('empty-server')
  await child.stop()
  return child.startedIn
}
