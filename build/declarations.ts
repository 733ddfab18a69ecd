/** The type declarations of the package: those of its entry points, and all that they import. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { kindsDeclarations } from '../src/cli/docs/kinds-declarations.ts'
import { catalog } from '../src/connectors/index.ts'

const doors = ['index.d.ts', 'hosted.d.ts', 'kit/index.d.ts', 'kit/conformance.d.ts', 'cli/main.d.ts']

/** Lets the compiler write all declarations, and copies those that a program can reach. */
export function writeDeclarations(folder: string): void {
  const all = mkdtempSync(join(tmpdir(), 'conex-declarations-'))
  try {
    execFileSync('tsc', ['--project', 'tsconfig.build.json', '--outDir', all], { stdio: 'inherit' })
    writeFileSync(join(all, 'client/kinds.d.ts'), kindsDeclarations(Object.values(catalog)))
    for (const file of reachedFrom(doors, all)) cpSync(join(all, file), join(folder, file))
  } finally {
    rmSync(all, { recursive: true })
  }
}

/** These files and everything that they import, directly or indirectly. */
function reachedFrom(files: readonly string[], folder: string): Set<string> {
  const reached = new Set(files)
  // Iterating over a set also visits elements that are added meanwhile.
  for (const file of reached)
    for (const [, path] of readFileSync(join(folder, file), 'utf8').matchAll(/(?:from |import\()["'](\.[^"']+)["']/g))
      reached.add(join(dirname(file), path!.replace(/\.[jt]s$/, '.d.ts')))
  return reached
}
