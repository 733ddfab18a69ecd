/** What somebody learns who starts the package on a Node that is too old for it. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { transform } from 'esbuild'
import type { Installation } from '../build/in-folder.ts'
import { nodeFault } from '../src/supported-node.ts'
import { installed } from './installed.ts'

const root = join(import.meta.dirname, '..')
const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { engines: { node: string } }
const told = (version: string): string => `Conex needs Node 22.19 or newer, and this is Node ${version}.`

describe('a Node that is too old', () => {
  let built: Installation
  before(async () => {
    built = await installed()
  })
  after(() => built.remove())

  it('is any below the one that package.json names', () => {
    assert.equal(engines.node, '>=22.19')
    for (const node of ['14.21.3', '18.20.8', '20.20.2', '22.0.0', '22.18.0'])
      assert.equal(nodeFault({ node }), told(node))
    for (const node of ['22.19.0', '22.20.1', '23.0.0', '24.21.0']) assert.equal(nodeFault({ node }), null)
    assert.equal(nodeFault({ node: '20.0.0', bun: '1.2.0' }), null)
    assert.equal(nodeFault({}), null)
  })

  /** Starts a program in the folder of the package on this Node, which says that it is another. */
  const start = (args: readonly string[]) => {
    const older = `Object.defineProperty(process.versions, 'node', { value: '20.20.2' })`
    const before = `--import=data:text/javascript,${encodeURIComponent(older)}`
    return spawnSync(process.execPath, [before, ...args], { cwd: built.folder, encoding: 'utf8' })
  }

  it('is told so in one sentence by the command', () => {
    const { status, stdout, stderr } = start([built.program, 'catalog'])
    assert.deepEqual([status, stdout, stderr], [1, '', `error ${told('20.20.2')}\n`])
  })

  it('is told so by an import, which a program may catch', () => {
    const program = 'import(process.argv[1]).catch(({ message }) => process.stdout.write(message))'
    assert.equal(start(['--eval', program, join(built.folder, 'dist/index.js')]).stdout, told('20.20.2'))
  })

  for (const door of ['index.js', 'cli/main.js'])
    it(`can read ${door} and all that it loads at once`, async () => {
      const files = new Set([join(built.folder, 'dist', door)])
      for (const file of files) {
        const code = readFileSync(file, 'utf8').replace(/^#!.*/, '')
        for (const [, named, bare] of code.matchAll(/^(?:import|export) [^;]*?from "(\.[^"]+)"|^import "(\.[^"]+)"/gm))
          files.add(join(dirname(file), (named ?? bare)!))
        assert.doesNotMatch(code, /[?|&]{2}=/, file)
        // A form that is too new would be written in another way.
        const written = async (target: string) => (await transform(code, { format: 'esm', target })).code
        assert.equal(await written('node16.9'), await written('esnext'), file)
        // What an old version does not have cannot be imported by name.
        for (const [, names] of code.matchAll(/^import \{([^}]*)\} from "node:/gm)) assert.equal(names, undefined, file)
      }
    })

  it('is told in a clone how to start it', () => {
    const command = join(root, 'build/in-clone/conex.js')
    const without = `Object.defineProperty(process.features, 'typescript', { value: false })`
    const old = spawnSync(process.execPath, [`--import=data:text/javascript,${without}`, command], { encoding: 'utf8' })
    assert.match(old.stderr, /^error In a clone, write npx conex: .*\n$/)
    assert.equal(old.status, 1)
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    assert.equal(execFileSync(process.execPath, [command, '--version'], { encoding: 'utf8' }), `${version}\n`)
  })
})
