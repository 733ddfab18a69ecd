/** The package `conex-server`: no code of its own, but all libraries that the server needs. */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Writes the package from the data in `package.json`. */
export function writeServerPackage(folder: string): void {
  const { name, version, license, type, engines, peerDependencies } = JSON.parse(
    readFileSync('package.json', 'utf8'),
  ) as {
    readonly [field: string]: string | object
  }
  const server = {
    name: `${name}-server`,
    version,
    description: 'Conex with everything: installs conex and what its server needs.',
    license,
    type,
    engines,
    bin: { conex: 'conex.js' },
    files: ['conex.js', 'LICENSE'],
    dependencies: { [name as string]: version, ...(peerDependencies as object) },
  }
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(server, null, 2)}\n`)
  writeFileSync(join(folder, 'conex.js'), "#!/usr/bin/env node\nimport 'conex/cli'\n", { mode: 0o755 })
  copyFileSync('LICENSE', join(folder, 'LICENSE'))
}
