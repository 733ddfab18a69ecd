/** What installing the package brings: enough for the client, and the server's libraries only for those who want the server. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { inlined } from '../build/javascript.ts'

const root = join(import.meta.dirname, '..')
const { dependencies, peerDependencies, peerDependenciesMeta, devDependencies } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
) as Record<string, Record<string, string>>

/** The packages that the sources of these folders load when they run; pages for readers show what others load. */
function loadedBy(folders: RegExp): Set<string> {
  const names = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.ts$/.test(entry.name) && !/\.(test|suite)\.ts$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => folders.test(path.slice(root.length)) && !/\/simulator\/|\/cli\/docs\//.test(path))
    .flatMap((path) => [
      ...readFileSync(path, 'utf8').matchAll(
        /(?:^|\n)(?:import|export) (?!type)[^'";]*?from '([^'.][^']*)'|import\(?\s*'([^'.][^']*)'/g,
      ),
    ])
    .map(([, named, bare]) => named ?? bare!)
    // Programs that the command line writes for others load the package itself.
    .filter((name) => !/^(node:|conex(\/|$))/.test(name))
  return new Set(names.map((name) => /^(@[^/]+\/)?[^/]+/.exec(name)![0]))
}

describe('the package', () => {
  it('leaves the libraries of the server to those who run it, and develops with the same', () => {
    for (const [name, range] of Object.entries(peerDependencies!)) {
      assert.deepEqual(peerDependenciesMeta![name], { optional: true }, name)
      assert.equal(devDependencies![name], range, `${name} stands in package.json with two ranges`)
      assert.equal(dependencies![name], undefined, name)
    }
    assert.deepEqual(Object.keys(peerDependenciesMeta!), Object.keys(peerDependencies!))
  })

  it('brings what the client and the command line load, and nothing else', () => {
    const loaded = loadedBy(/^\/src\/(?!server\/|service\/|store\/|sync\/|mcp\/|cli\/commands\/mcp\.ts)/)
    // One of them is part of the built files, and is brought because their declarations name its types.
    assert.ok(inlined.includes('typebox'))
    assert.deepEqual([...loaded].sort(), Object.keys(dependencies!).sort())
  })

  it('names every library that the server loads and that is not part of the built files', () => {
    const loaded = loadedBy(/^\/src\/(server|service|store|sync|mcp)\//)
    const own = [...loaded].filter((name) => dependencies![name] === undefined && !inlined.includes(name))
    assert.deepEqual(own.sort(), Object.keys(peerDependencies!).sort())
    for (const name of inlined) {
      assert.ok(loaded.has(name), `nothing loads ${name}`)
      assert.ok((dependencies![name] ?? devDependencies![name]) !== undefined, name)
    }
  })
})
