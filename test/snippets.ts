/** What stands in the fenced blocks of the documents, and a shell that runs commands one after another as a reader does. */
import { execFile } from 'node:child_process'
import { chmodSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '..')

/** Every page that people read. */
export const pages: readonly string[] = globSync(['*.md', 'docs/**/*.md', 'examples/**/*.md', 'bench/**/*.md'], {
  cwd: root,
})

/** The blocks of a page that are written in a language, or all of them. */
export const blocksOf = (page: string, language = '\\w+'): string[] =>
  [
    ...readFileSync(join(root, page), 'utf8').matchAll(
      new RegExp(`^( *)\`\`\`(?:${language})(?: \\S+)?\\n(.*?)^\\1\`\`\`$`, 'gms'),
    ),
  ].map(([, indent, text]) => text!.replaceAll(new RegExp(`^${indent}`, 'gm'), ''))

/** The commands of a block: a backslash at the end of a line goes on in the next one. */
export const commandsOf = (block: string): string[] => block.split(/(?<!\\)\n/).filter((line) => line !== '')

export interface Shell {
  /** Runs a command to its end, with what earlier ones exported; gives what it printed. Fails where it fails. */
  run(command: string): Promise<string>
}

/** A shell in a folder, with these programs of their own, each a script, before all others. */
export function openShell(
  folder: string,
  programs: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>>,
): Shell {
  const bin = join(folder, 'bin')
  mkdirSync(bin, { recursive: true })
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  const path = [bin, dirname(process.execPath), process.env.PATH].join(delimiter)
  const { NODE_OPTIONS = '' } = process.env
  let exported: Record<string, string> = { HOME: folder, NO_COLOR: '1', NODE_OPTIONS, ...env, PATH: path }
  const kept = join(folder, 'exported')
  return {
    async run(command) {
      const script = `set -euo pipefail\n${command}\nenv -0 > '${kept}'`
      const running = promisify(execFile)('bash', ['-c', script], { cwd: folder, env: exported })
      // What reads from it has nothing more to wait for.
      running.child.stdin!.end()
      const { stdout } = await running
      const pairs = readFileSync(kept, 'utf8').split('\0').filter(Boolean)
      exported = Object.fromEntries(pairs.map((pair) => [pair.split('=', 1)[0]!, pair.slice(pair.indexOf('=') + 1)]))
      return stdout
    },
  }
}
