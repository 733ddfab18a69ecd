/**
 * Runs many test files in one process, each as a suite of its own: what they import is read and compiled once, and runs warm, which
 * takes half the time of a process for each. A file must leave its process as it found it; it can be run by itself too.
 */
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe } from 'node:test'
import { pathToFileURL } from 'node:url'
import { closeAll } from '../src/engine/scripted-engine.suite.ts'

const root = join(import.meta.dirname, '..')

/**
 * Which files run together, in parts that take about as long, so that no process works alone at the end; what none of them names runs
 * with the last. `*.alone.test.ts` look at the memory of their process or change its priority, and have one each.
 */
const batches = {
  'product-a': 'test/[a-c]*',
  'product-d': 'test/[d-k]*',
  'product-l': 'test/[l-o]*',
  'product-s': 'test/s*',
  sources:
    '{src/{catalog,client,connectors,engine,server,service,simulator,sync}/**,test/{facebook-marketing,gong,reference-clients}}/*',
  store: 'src/{search,store}/**/*',
  'sync-a': 'test/sync/[a-m]*',
  'sync-n': 'test/sync/[n-r]*',
  'sync-s': 'test/sync/[s-z]*',
  rest: '**/*',
} as const

type Batch = keyof typeof batches

/** A module that several files import must not wait while it is loaded, or the tests of one appear in the suite of another. */
export function runBatch(name: Batch): void {
  for (const file of filesOf(name))
    describe(file, () => {
      after(closeAll)
      return import(pathToFileURL(join(root, file)).href)
    })
}

/** Every test file is in one batch: the first that names it. */
function filesOf(name: Batch): string[] {
  const names = Object.keys(batches) as Batch[]
  const found = (one: Batch): string[] =>
    globSync(`${batches[one]}.test.ts`, { cwd: root, exclude: ['node_modules', '**/*.alone.test.ts'] })
  const taken = new Set(names.slice(0, names.indexOf(name)).flatMap(found))
  return found(name)
    .filter((file) => !taken.has(file))
    .sort()
}
