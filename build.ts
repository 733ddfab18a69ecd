/**
 * `npm run build`: emits `dist/` for publishing, and `dist-server/` beside it: the package `conex-server`, which brings what
 * only the server needs, so that programs that only use the client need not install it.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { describeConnector } from './src/catalog/describe.ts'
import { kindsDeclarations } from './src/cli/docs/kinds-declarations.ts'
import { catalog } from './src/connectors/index.ts'

rmSync('dist', { recursive: true, force: true })
execFileSync('tsc', ['--project', 'tsconfig.build.json'], { stdio: 'inherit' })
chmodSync('dist/cli/main.js', 0o755)
writeFileSync('dist/client/kinds.d.ts', kindsDeclarations(Object.values(catalog).map(describeConnector)))

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
rmSync('dist-server', { recursive: true, force: true })
mkdirSync('dist-server')
writeFileSync('dist-server/package.json', `${JSON.stringify(server, null, 2)}\n`)
writeFileSync('dist-server/conex.js', "#!/usr/bin/env node\nimport 'conex/cli'\n", { mode: 0o755 })
copyFileSync('LICENSE', 'dist-server/LICENSE')
