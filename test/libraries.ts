/**
 * The libraries of hundreds of small modules, each as one file, as the package has them: every thread of a store and every process
 * that a test starts would read all of them again, which costs more than most of them have to do.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const libraries = ['kysely', 'typebox', 'typebox/compile', 'typebox/schema']

/** Has the processes that this one starts, and their threads, read the libraries so; gives what removes the files. */
export async function packLibraries(): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'conex-libraries-'))
  await build({
    absWorkingDir: join(import.meta.dirname, '..'),
    entryPoints: libraries.map((name) => ({ in: name, out: name })),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'warning',
  })
  const hook = join(folder, 'hook.mjs')
  writeFileSync(hook, hookTo(folder))
  process.env.NODE_OPTIONS = [process.env.NODE_OPTIONS, `--import=${pathToFileURL(hook)}`].join(' ').trim()
  return () => rmSync(folder, { recursive: true, force: true })
}

const hookTo = (folder: string): string => `
  import { registerHooks } from 'node:module'
  const packed = new Map(${JSON.stringify(libraries.map((name) => [name, pathToFileURL(join(folder, `${name}.mjs`)).href]))})
  registerHooks({
    resolve(specifier, context, next) {
      const url = packed.get(specifier)
      const isOurs = !context.parentURL?.includes('/node_modules/')
      return url !== undefined && isOurs ? { url, format: 'module', shortCircuit: true } : next(specifier, context)
    },
  })
`
