import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

describe('the documents', () => {
  it('that are printed from code are what the code prints', () => {
    const main = fileURLToPath(new URL('../src/cli/docs/main.ts', import.meta.url))
    const { status, stderr } = spawnSync(process.execPath, [main, '--check'], { encoding: 'utf8' })
    assert.equal(stderr, '')
    assert.equal(status, 0)
  })
})
