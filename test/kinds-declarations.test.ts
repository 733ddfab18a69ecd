/** The declarations that are printed for the published package say what is inferred from the catalog, and describe it. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { kindsDeclarations } from '../src/cli/docs/kinds-declarations.ts'
import { catalog } from '../src/connectors/index.ts'

const root = join(import.meta.dirname, '..')
const printed = kindsDeclarations(Object.values(catalog))
const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')

/** What the compiler says of each of the declarations when it is told that they and what is inferred are the same. */
async function comparedWith(all: readonly string[]): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'conex-kinds-'))
  try {
    const at = (path: string): string => JSON.stringify(join(root, 'src/client', path))
    for (const [index, declarations] of all.entries()) {
      writeFileSync(
        join(folder, `printed-${index}.ts`),
        declarations
          .replace("'./connector-types.js'", at('connector-types.ts'))
          .replace("'./search-types.js'", at('search-types.ts')),
      )
      writeFileSync(
        join(folder, `compare-${index}.ts`),
        `import type * as printed from './printed-${index}.ts'
         import type * as inferred from ${at('kinds.ts')}
         export const kinds = (one: printed.Kinds): inferred.Kinds => one
         export const back = (one: inferred.Kinds): printed.Kinds => one
         export const credentials = (one: printed.KindCredentials): inferred.KindCredentials => one
         export const given = (one: inferred.KindCredentials): printed.KindCredentials => one`,
      )
    }
    const options = { noEmit: true, types: ['node'], typeRoots: [join(root, 'node_modules/@types')] }
    const project = {
      extends: join(root, 'tsconfig.json'),
      compilerOptions: options,
      include: [],
      files: all.map((_, index) => `compare-${index}.ts`),
    }
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project))
    const told = await promisify(execFile)(process.execPath, [compiler, '-p', folder]).then(
      () => '',
      (error: { stdout: string }) => error.stdout,
    )
    // An error begins with its file; the lines below it go on.
    const errors = told.split(/^(?=\S)/m)
    const ofNone = errors.filter((error) => !/(compare|printed)-\d+\.ts/.test(error)).join('')
    return all.map((_, index) => ofNone + errors.filter((error) => error.includes(`-${index}.ts(`)).join(''))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe('printed declarations', () => {
  it('are the types that are inferred, and would not pass with another param, field or credential', async () => {
    const others = [
      ['readonly "project"?: string', 'readonly "project"?: number'],
      ['readonly "due_on": string | null', 'readonly "due_on": string'],
      ['readonly "access_key_secret": string', 'readonly "access_key_secrets": string'],
    ] as const
    for (const [one] of others) assert.ok(printed.includes(one), one)
    const [same, ...different] = await comparedWith([
      printed,
      ...others.map(([one, other]) => printed.replace(one, other)),
    ])
    assert.equal(same, '')
    for (const [index, told] of different.entries()) assert.match(told, /error TS2/, others[index]![1])
  })

  it('have each type of an object once, and stay small', () => {
    const bodies = [...printed.matchAll(/^export type (\w+) = (\{\n[\s\S]*?^\})/gm)].map(([, , body]) => body)
    assert.ok(bodies.length > 100)
    assert.equal(new Set(bodies).size, bodies.length)
    assert.match(printed, /^export type AsanaProjectTasksListRecord = AsanaTasksListRecord$/m)
    // A tenth more than the five kinds need.
    assert.ok(printed.length < 515_000, `${printed.length} characters`)
  })

  it('describe operations, params and fields', () => {
    assert.match(printed, /\/\*\* The project of the tasks\. \*\/\nreadonly "project"\?: string/)
    assert.match(
      printed,
      /Give exactly one scope[^/]*\*\/\nreadonly list: ListAction<AsanaTasksListParams, AsanaTasksListRecord>/,
    )
  })
})
