/** The package as it is installed, for tests and measurements: in a folder of its own, with no library that it does not ask for. */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { installed, writeJavaScript } from './javascript.ts'

const root = join(import.meta.dirname, '..')

export interface Installation {
  readonly folder: string
  /** The file of the command line. */
  readonly program: string
  remove(): void
}

/** Makes it from the sources as they are, so that it is never stale. */
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
