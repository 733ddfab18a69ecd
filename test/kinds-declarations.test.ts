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

/** What the compiler says when it is told that the declarations and what is inferred are the same. */
async function comparedWith(declarations: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'conex-kinds-'))
  try {
    const at = (path: string): string => JSON.stringify(join(root, 'src/client', path))
    writeFileSync(join(folder, 'printed.ts'), declarations.replace("'./connector-types.js'", at('connector-types.ts')))
    writeFileSync(
      join(folder, 'compare.ts'),
      `import type * as printed from './printed.ts'
       import type * as inferred from ${at('kinds.ts')}
       export const kinds = (one: printed.Kinds): inferred.Kinds => one
       export const back = (one: inferred.Kinds): printed.Kinds => one
       export const credentials = (one: printed.KindCredentials): inferred.KindCredentials => one
       export const given = (one: inferred.KindCredentials): printed.KindCredentials => one`,
    )
    const options = { noEmit: true, types: ['node'], typeRoots: [join(root, 'node_modules/@types')] }
    const project = {
      extends: join(root, 'tsconfig.json'),
      compilerOptions: options,
      include: [],
      files: ['compare.ts'],
    }
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project))
    return await promisify(execFile)(process.execPath, [compiler, '-p', folder]).then(
      () => '',
      (error: { stdout: string }) => error.stdout,
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe('printed declarations', () => {
  it('are the types that are inferred', async () => {
    assert.equal(await comparedWith(printed), '')
  })

  it('would not pass with another param, field or credential', async () => {
    for (const [one, other] of [
      ['readonly "project"?: string', 'readonly "project"?: number'],
      ['readonly "due_on": string | null', 'readonly "due_on": string'],
      ['readonly "access_key_secret": string', 'readonly "access_key_secrets": string'],
    ] as const) {
      assert.ok(printed.includes(one), one)
      assert.match(await comparedWith(printed.replace(one, other)), /error TS2/, other)
    }
  })

  it('describe operations, params and fields', () => {
    assert.match(printed, /\/\*\* The project whose tasks to list\. \*\/\nreadonly "project"\?: string/)
    assert.match(
      printed,
      /Give exactly one scope[^/]*\*\/\nreadonly list: ListAction<AsanaTasksListParams, AsanaTasksListRecord>/,
    )
  })
})
