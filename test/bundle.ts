/** Bundles the library as programs for browsers and edge runtimes do. */
import { basename } from 'node:path'
import { build } from 'esbuild'

/** What is loaded at one time. */
export interface Part {
  /** The files it was made of. */
  readonly inputs: readonly string[]
  /** Minified. */
  readonly bytes: number
}

export interface Bundle {
  /** What the program loads when it starts. */
  readonly start: Part
  /** What it loads with a first call. */
  readonly later: Part
  /** The text of each file by its name; `stdin.js` is the first. */
  readonly files: ReadonlyMap<string, string>
}

/** A module that imports everything from the entry. Fails where something needs Node. */
export async function bundleForBrowsers(entry: string, resolveDir: string): Promise<Bundle> {
  const { metafile, outputFiles } = await build({
    stdin: { contents: `export * from ${JSON.stringify(entry)}`, resolveDir },
    bundle: true,
    splitting: true,
    outdir: 'bundle',
    minify: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    metafile: true,
    write: false,
    logLevel: 'silent',
    absWorkingDir: resolveDir,
  })
  const { outputs } = metafile
  const first = Object.keys(outputs).find((path) => basename(path) === 'stdin.js')!
  const atStart = new Set([first])
  // Iterating over a set also visits elements that are added meanwhile.
  for (const path of atStart)
    for (const { path: other, kind } of outputs[path]!.imports) if (kind === 'import-statement') atStart.add(other)
  const partOf = (paths: readonly string[]): Part => ({
    inputs: paths.flatMap((path) => Object.keys(outputs[path]!.inputs)).filter((path) => path !== '<stdin>'),
    bytes: paths.reduce((sum, path) => sum + outputs[path]!.bytes, 0),
  })
  return {
    start: partOf([...atStart]),
    later: partOf(Object.keys(outputs).filter((path) => !atStart.has(path))),
    files: new Map(outputFiles.map(({ path, text }) => [basename(path), text])),
  }
}

const allowed = /^src\/(client\/[^/]+|hosted|errors|json)\.ts$/

/** What both sides of the wire have to do alike; none of it imports anything larger. */
const shared = [
  'src/catalog/truncate.ts',
  'src/catalog/did-you-mean.ts',
  'src/catalog/secret-text.ts',
  'src/catalog/unknown-names.ts',
  'src/engine/paging/progress.ts',
  'src/tools/adapters.ts',
  'src/tools/lazy-tools.ts',
]

/** Whether a source file may be part of what browsers load. */
export const belongsInBrowsers = (path: string): boolean => allowed.test(path) || shared.includes(path)

/** Whether a file may be part of what browsers load for the tools of agents. */
export const belongsToTools = (path: string): boolean =>
  belongsInBrowsers(path) || /^(src\/(tools|catalog)\/[^/]+\.ts|node_modules\/typebox\/.*)$/.test(path)
