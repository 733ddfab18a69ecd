import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'

const read = (path: string) => JSON.parse(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8'))

it('nothing must be compiled to install: run npm run lock after changing dependencies', () => {
  const { packages } = read('package-lock.json') as { packages: Record<string, { gypfile?: boolean }> }
  assert.equal(packages['node_modules/better-sqlite3']?.gypfile, false)
})

it('the lock file names no address from which anything was fetched', () => {
  assert.ok(!JSON.stringify(read('package-lock.json')).includes('"resolved":"http'))
})
