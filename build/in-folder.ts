/**
 * Installs the package in a folder of its own, with only the libraries that it asks for, for tests and measurements.
 */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { installed, writeJavaScript } from './javascript.ts'

const root = join(import.meta.dirname, '..')

export interface Installation {
  readonly folder: string
  /** The entry point of the command line. */
  readonly program: string
  remove(): void
}

/** Builds it from the current sources, so that it is never stale. */
export async function installInFolder(): Promise<Installation> {
  const folder = mkdtempSync(join(tmpdir(), 'conex-built-'))
  copyFileSync(join(root, 'package.json'), join(folder, 'package.json'))
  for (const name of installed) {
    const link = join(folder, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), link)
  }
  await writeJavaScript(join(folder, 'dist'))
  return {
    folder,
    program: join(folder, 'dist/cli/main.js'),
    remove: () => rmSync(folder, { recursive: true }),
  }
}
