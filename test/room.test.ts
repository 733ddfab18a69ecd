import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'

describe('the tests, where there is too little room for what they write', () => {
  /** Begins a run whose temporary files are in the folder. */
  const begin = (TMPDIR: string) => {
    const env = { PATH: process.env.PATH, TMPDIR }
    return spawnSync(process.execPath, [join(import.meta.dirname, 'room.ts')], { encoding: 'utf8', env })
  }

  it('say how much they need and how much there is, and do not begin', () => {
    // File systems of the kernel's own are always full.
    const full = process.platform === 'linux' ? '/proc' : '/dev'
    const { status, stdout, stderr } = begin(full)
    assert.deepEqual([status, stdout], [1, ''])
    assert.match(
      stderr,
      /^The tests need 1024 MiB in \/\w+, where \d+ MiB are free; make room, or name another folder: .*\n$/,
    )
  })

  it('say that the folder is not there', () => {
    const { status, stderr } = begin('/nowhere')
    assert.equal(status, 1)
    assert.match(stderr, /^The tests need 1024 MiB in \/nowhere, which is not there; /)
  })

  it('begin elsewhere', () => {
    assert.equal(begin('').status, 0)
  })

  it('are looked after by npm test', () => {
    const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'))
    assert.equal(scripts.pretest, 'node test/room.ts')
  })
})
