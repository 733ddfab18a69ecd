/**
 * Imports a module from outside of Conex. `conex/kit` is always this program's own, wherever the module lies, and what a
 * connector may import is limited.
 */
import module from 'node:module'
import { extname, relative, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { ConexError } from '../errors.ts'
import { checkKeys } from './check-keys.ts'

export interface ImportRules {
  /** What messages call the module. */
  readonly name: string
  /** The folder that messages count paths from, and that packages are looked for in. */
  readonly folder: string
  /** A connector may import files of this folder, and `conex/kit`; null lifts the limit. */
  readonly root: string | null
}

/** This program's kit, which lies beside this folder among the sources and in the built package. */
const kit = new URL(`../kit/index${extname(import.meta.filename)}`, import.meta.url).href

/** The exports of a file or a package. Throws one sentence that says which file is at fault, and how. */
export async function importModule(
  fileOrPackage: string,
  { name, folder, root }: ImportRules,
): Promise<Readonly<Record<string, unknown>>> {
  const base = pathToFileURL(folder + sep).href
  const inside = root === null ? base : pathToFileURL(root + sep).href
  const entry = fileOrPackage.startsWith(sep) ? pathToFileURL(fileOrPackage).href : fileOrPackage
  const isOwn = (url: string): boolean =>
    url.startsWith(inside) && !url.slice(inside.length).split('/').includes('node_modules')
  const hooks = module.registerHooks({
    resolve(specifier, context, next) {
      const from = context.parentURL ?? ''
      if (from === import.meta.url && specifier === entry)
        return ownFormat(next(specifier, { ...context, parentURL: base }), isOwn)
      if (!isOwn(from)) return next(specifier, context)
      if (specifier === 'conex/kit') return { url: kit, shortCircuit: true }
      // A package is refused whether it is installed or not.
      const found = root === null || !isBare(specifier) ? next(specifier, context) : null
      if (found !== null && (root === null || isOwn(found.url))) return ownFormat(found, isOwn)
      throw new ConexError(
        'invalid_request',
        `${shown(from, folder)} imports "${specifier}", which a connector may not: it imports its own files and conex/kit.`,
      )
    },
    load(url, context, next) {
      const loaded = next(url, context)
      if (root !== null && isOwn(url)) checkKeys(String(loaded.source ?? ''), shown(url, folder))
      return loaded
    },
  })
  try {
    return await import(entry)
  } catch (error) {
    throw error instanceof ConexError ? error : inWords(error, name, folder, inside)
  } finally {
    hooks.deregister()
  }
}

/** Whether an import names a package, not a file. */
const isBare = (specifier: string): boolean => !/^([./]|file:)/.test(specifier)

interface Resolved {
  readonly url: string
  readonly format?: string | null | undefined
}

/** Without a package.json, Node would have to guess whether these are modules. */
function ownFormat<R extends Resolved>(found: R, isOwn: (url: string) => boolean): R {
  const formats: Record<string, string> = { '.ts': 'module-typescript', '.mts': 'module-typescript', '.js': 'module' }
  const format = isOwn(found.url) ? formats[extname(found.url)] : undefined
  return format === undefined || found.url.includes('/node_modules/') ? found : { ...found, format }
}

function inWords(error: unknown, name: string, folder: string, inside: string): ConexError {
  const { message = String(error), stack = '' } = (error ?? {}) as Partial<Error>
  const place = stack
    .match(/(?:file:\/\/)?\/[^\s()]+:\d+/g)
    ?.find((one) => one.includes(inside) || one.startsWith(fileURLToPath(inside)))
  const at = place === undefined ? '' : ` (${shown(place, folder)})`
  const [reason] = message.replaceAll(folder + sep, '').split('\n')
  return new ConexError('invalid_request', `${name} cannot be loaded: ${reason!.replace(/\.$/, '')}${at}.`)
}

/** A file as people find it: relative to the folder, if it is below. */
function shown(place: string, folder: string): string {
  const [, address, line = ''] = /^(.*?)(:\d+)?$/.exec(place)!
  const path = address!.startsWith('file:') ? fileURLToPath(address!) : address!
  const near = relative(folder, path)
  return (near.startsWith('..') ? path : near) + line
}
