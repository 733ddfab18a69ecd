/**
 * PostgreSQL for a test file: databases on the server of the whole run, which `test/setup.ts` starts and names in the environment, or
 * on a server of its own where the file is run by itself.
 */
import { openStore } from '../open.ts'
import { addressOf, type RunningPostgres, runPostgres, runSql } from './run-server.suite.ts'

export interface TestServer {
  /** Makes a database with the tables of this version, as a template has them; gives its address. */
  freshDatabase(): Promise<string>
  /** Makes one without any. */
  emptyDatabase(): Promise<string>
  /** Drops what was made. */
  stop(): Promise<void>
}

const sharedServer = 'CONEX_TEST_POSTGRES'
const template = 'conex'

/** Starts a server for all test files that this process starts. */
export async function sharePostgres(): Promise<RunningPostgres> {
  const server = await runPostgres()
  await makeTemplate(server.folder)
  process.env[sharedServer] = server.folder
  return server
}

export async function startPostgres(): Promise<TestServer> {
  const shared = process.env[sharedServer]
  if (shared !== undefined) return databasesOn(shared)
  const own = await runPostgres()
  await makeTemplate(own.folder)
  return { ...databasesOn(own.folder), stop: own.stop }
}

/** Nobody may be connected to a template while it is copied. */
async function makeTemplate(folder: string): Promise<void> {
  await runSql(folder, `create database ${template}`)
  await (await openStore(addressOf(folder, template))).close()
  await runSql(folder, `alter database ${template} allow_connections false`)
}

function databasesOn(folder: string): TestServer {
  const made: string[] = []
  async function make(from: string): Promise<string> {
    // Other test files make theirs on the same server.
    const name = `test_${process.pid}_${made.length}`
    made.push(name)
    await runSql(folder, `create database ${name} template ${from} strategy file_copy`)
    return addressOf(folder, name)
  }
  return {
    freshDatabase: () => make(template),
    emptyDatabase: () => make('template1'),
    async stop() {
      for (const name of made) await runSql(folder, `drop database if exists ${name} with (force)`)
    },
  }
}
