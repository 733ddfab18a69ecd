/** From the start of the process to ready, on a new embedded store, against an empty Fastify; and what importing the client takes. */
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { installInFolder } from '../build/in-folder.ts'
import { startChild, startScript } from './child.ts'
import { median, type Row, sideBySide } from './row.ts'

const sources = new URL('../src/cli/main.ts', import.meta.url).pathname

/** Measures what is published, and the sources as they run here beside it. */
export async function benchStart(): Promise<Row> {
  const built = await installInFolder()
  try {
    for (const program of [built.program, sources]) await startConex(program)
    await startEmpty()
    const result = await sideBySide(9, () => startConex(built.program), startEmpty)
    const unbuilt = await sideBySide(5, () => startConex(sources), startEmpty)
    const client = pathToFileURL(join(built.folder, 'dist/index.js')).href
    const imported = median(Array.from({ length: 9 }, () => importing(client).imported))
    const connected = median(Array.from({ length: 9 }, () => importing(client).connected))
    return {
      what: 'start to ready, embedded, as built, milliseconds',
      against: 'an empty Fastify server',
      ratio: result.ratio,
      wanted: '≤ 3',
      reached: result.ratio <= 3,
      details: [
        `${result.ours.toFixed(0)} ms against ${result.theirs.toFixed(0)} ms, ${result.spread}`,
        `the sources: ${unbuilt.ratio.toFixed(2)}, ${unbuilt.ours.toFixed(0)} ms, ${unbuilt.spread}`,
        `import { connect } from 'conex': ${imported.toFixed(0)} ms (wanted under 100), until local mode can read: ${connected.toFixed(0)} ms`,
      ],
    }
  } finally {
    built.remove()
  }
}

/** `conex serve` with a new database, new keys and a first client, up to the log line that says it listens. */
async function startConex(program: string): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'conex-bench-'))
  const child = await startScript(program, ['serve'], {
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

/** Milliseconds of a new process that imports the client, and then makes a connection of local mode ready. */
function importing(client: string): { readonly imported: number; readonly connected: number } {
  const program = `
    const start = performance.now()
    const { connect } = await import(${JSON.stringify(client)})
    const imported = performance.now() - start
    await connect('asana', { credentials: { token: 'none' } }).describe()
    console.log(JSON.stringify({ imported, connected: performance.now() - start }))`
  return JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' }),
  ) as { imported: number; connected: number }
}
