/**
 * What all test files of a run share: one PostgreSQL, the large libraries, the program and its threads as they are published, and what
 * Node has compiled.
 * A file by itself needs none of it.
 */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Installation, installInFolder } from '../build/in-folder.ts'
import type { RunningPostgres } from '../src/store/postgres/run-server.suite.ts'
import { sharePostgres } from '../src/store/postgres/server.suite.ts'
import { programVariable } from './command.ts'
import { packLibraries } from './libraries.ts'

let postgres: RunningPostgres
let program: Installation
let removeLibraries: () => void

export async function globalSetup(): Promise<void> {
  // Where `conex` keeps it too.
  process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache')
  postgres = await sharePostgres()
  program = await installInFolder()
  process.env[programVariable] = program.program
  removeLibraries = await packLibraries(join(program.folder, 'dist'))
}

export async function globalTeardown(): Promise<void> {
  removeLibraries()
  program.remove()
  await postgres.stop()
}
