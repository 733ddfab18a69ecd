/** The declarations of the package: those of its doors, and what they lead to. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { kindsDeclarations } from '../src/cli/docs/kinds-declarations.ts'
import { catalog } from '../src/connectors/index.ts'

const doors = ['index.d.ts', 'hosted.d.ts', 'cli/main.d.ts']

/** Has the compiler write all there are, and takes over those that a program can come to. */
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

/** These files and all that they import, one through another. */
function reachedFrom(files: readonly string[], folder: string): Set<string> {
  const reached = new Set(files)
  // A set that grows while it is walked is walked to its new end.
  for (const file of reached)
    for (const [, path] of readFileSync(join(folder, file), 'utf8').matchAll(/(?:from |import\()["'](\.[^"']+)["']/g))
      reached.add(join(dirname(file), path!.replace(/\.[jt]s$/, '.d.ts')))
  return reached
}
