/** Bundles the library as programs for browsers and edge runtimes do. */
import { build } from 'esbuild'

export interface Bundle {
  readonly code: string
  /** The files it was made of. */
  readonly inputs: readonly string[]
  /** Minified. */
  readonly bytes: number
}

/** A module that imports everything from the entry. Fails where something needs Node. */
export async function bundleForBrowsers(entry: string, resolveDir: string): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: `export * from ${JSON.stringify(entry)}`, resolveDir },
    bundle: true,
    minify: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    metafile: true,
    write: false,
    logLevel: 'silent',
    absWorkingDir: resolveDir,
  })
  const code = outputFiles[0]!.text
  return { code, inputs: Object.keys(metafile.inputs), bytes: Buffer.byteLength(code) }
}

const allowed = /^src\/(client\/[^/]+|hosted|errors|json)\.ts$/

/** What both sides of the wire have to do alike; none of it imports anything larger. */
const shared = [
  'src/catalog/truncate.ts',
  'src/catalog/did-you-mean.ts',
  'src/catalog/secret-text.ts',
  'src/catalog/unknown-names.ts',
  'src/engine/paging/progress.ts',
]

/** Whether a source file may be part of what browsers load. */
export const belongsInBrowsers = (path: string): boolean => allowed.test(path) || shared.includes(path)
