/**
 * The JavaScript of the package: one file per entry point, with shared chunks, so that a start reads a few files
 * instead of a thousand. It is not minified, so stack traces stay readable.
 */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { noticesOf } from './notices.ts'

const root = join(import.meta.dirname, '..')

/**
 * Libraries of hundreds of small modules, which are slow to load. They become part of our files; all others are
 * installed.
 */
export const inlined: readonly string[] = ['kysely', 'typebox']

/** The file with the licences of the libraries that are part of our files. */
export const noticesFile = 'third-party-notices.txt'

const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly dependencies: Record<string, string>
  readonly peerDependencies: Record<string, string>
}
/** The libraries that an install brings and that our files import. */
export const installed: readonly string[] = Object.keys({ ...dependencies, ...peerDependencies }).filter(
  (name) => !inlined.includes(name),
)

/** Writes the JavaScript, and the licences of the libraries in it. */
export async function writeJavaScript(folder: string): Promise<void> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [
      { in: 'src/index.ts', out: 'index' },
      { in: 'src/hosted.ts', out: 'hosted' },
      { in: 'src/kit/index.ts', out: 'kit/index' },
      { in: 'src/kit/conformance.ts', out: 'kit/conformance' },
      { in: 'src/cli/main.ts', out: 'cli/main' },
      // A thread or process is started by the path of its file, which is beside the file that starts it.
      { in: 'src/store/sqlite/copy-thread.ts', out: 'chunks/copy-thread' },
      { in: 'src/store/sqlite/statement-process.ts', out: 'chunks/statement-process' },
      { in: 'src/store/postgres/parse-process.ts', out: 'chunks/parse-process' },
      { in: 'src/engine/http/parse-thread.ts', out: 'chunks/parse-thread' },
    ],
    outdir: folder,
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    // Every Node since 14 must be able to parse an entry point, so that it can report that it is too old.
    supported: { 'logical-assignment': false },
    external: [...installed, 'conex/package.json'],
    metafile: true,
    logLevel: 'warning',
  })
  chmodSync(join(folder, 'cli/main.js'), 0o755)
  writeFileSync(join(folder, noticesFile), noticesOf(librariesIn(Object.keys(metafile.inputs)), root))
}

/** The names of the libraries that files belong to. Fails if one is not in the list of inlined libraries. */
function librariesIn(files: readonly string[]): string[] {
  const found = new Set(files.flatMap((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []))
  for (const name of found)
    if (!inlined.includes(name))
      throw new Error(`${name} would become part of dist: name it in package.json, or among the inlined in build.`)
  return [...found].sort()
}
