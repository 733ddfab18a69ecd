/** Which connectors from outside the environment names: in CONEX_CONNECTORS, or in the configuration file of the folder. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ConexError } from '../errors.ts'
import type { Config } from '../kit/config.ts'

const variable = 'CONEX_CONNECTORS'
const files = ['conex.config.ts', 'conex.config.js', 'conex.config.mjs']

/** The names of folders, files and packages. Without any, nothing is loaded. */
export async function configuredKinds(
  env: Readonly<Record<string, string | undefined>>,
  folder: string,
): Promise<readonly string[]> {
  const listed = env[variable]?.trim()
  if (listed !== undefined && listed !== '') return listed.split(',').flatMap((name) => name.trim() || [])
  const file = files.find((name) => existsSync(join(folder, name)))
  if (file === undefined) return []
  const { importModule } = await import('./import-module.ts')
  const { default: config } = await importModule(join(folder, file), { name: file, folder, root: null })
  return checked(config, file)
}

function checked(config: unknown, file: string): readonly string[] {
  const wrong = (fault: string) => new ConexError('invalid_request', `${file}: ${fault}`)
  if (typeof config !== 'object' || config === null)
    throw wrong(
      'must export its settings as the default: export default defineConfig({ connectors: ["./my-system"] }).',
    )
  const { connectors = [], ...others } = config as Config
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) throw wrong(`"${unknown}" is no setting; there is connectors.`)
  if (!Array.isArray(connectors) || connectors.some((name) => typeof name !== 'string' || name.trim() === ''))
    throw wrong('connectors must be a list of folders, files and packages, as texts.')
  return connectors
}
