/**
 * The libraries of hundreds of small modules, each as one file, and the threads as they are published: every process and every thread
 * that a test starts would read all of their modules again, which costs more than most of them have to do.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '..')
const libraries = ['kysely', 'typebox', 'typebox/compile', 'typebox/schema']

/** Modules that threads begin with, and their files in the package. */
const threads = {
  'src/store/sqlite/copy-thread.ts': 'chunks/copy-thread.js',
  'src/engine/http/parse-thread.ts': 'chunks/parse-thread.js',
}

/** Has the processes that this one starts, and their threads, read what is packed; gives what removes the files. */
export async function packLibraries(dist: string): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'conex-libraries-'))
  await build({
    absWorkingDir: root,
    entryPoints: libraries.map((name) => ({ in: name, out: name })),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'warning',
  })
  const packed = [
    ...libraries.map((name) => [name, join(folder, `${name}.mjs`)]),
    ...Object.entries(threads).map(([source, file]) => [urlOf(join(root, source)), join(dist, file)]),
  ]
  const hook = join(folder, 'hook.mjs')
  writeFileSync(hook, hookTo(Object.fromEntries(packed.map(([name, file]) => [name, urlOf(file!)]))))
  process.env.NODE_OPTIONS = [process.env.NODE_OPTIONS, `--import=${urlOf(hook)}`].join(' ').trim()
  return () => rmSync(folder, { recursive: true, force: true })
}

const urlOf = (path: string): string => pathToFileURL(path).href

const hookTo = (packed: Readonly<Record<string, string>>): string => `
  import { registerHooks } from 'node:module'
  const packed = new Map(${JSON.stringify(Object.entries(packed))})
  registerHooks({
    resolve(specifier, context, next) {
      const url = packed.get(specifier)
      const isOurs = !context.parentURL?.includes('/node_modules/')
      return url !== undefined && isOurs ? { url, format: 'module', shortCircuit: true } : next(specifier, context)
    },
  })
`
