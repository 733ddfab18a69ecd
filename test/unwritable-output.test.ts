/** Standard output that takes nothing, as a full disk does: commands say so, and a server goes on without its log. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { main } from './command.ts'

/** The program with a standard output that every write to fails. */
function start(t: TestContext, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const unwritable = openSync(main, 'r')
  const child = spawn(process.execPath, [main, ...args], {
    env: { PATH: process.env.PATH, NO_COLOR: '1', ...env },
    stdio: ['ignore', unwritable, 'pipe'],
  })
  closeSync(unwritable)
  t.after(() => child.kill('SIGKILL'))
  let told = ''
  child.stderr!.on('data', (chunk) => {
    told += String(chunk)
  })
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return { child, ended, told: () => told }
}

describe('a standard output that cannot be written', () => {
  it('is told in one sentence by a command that prints', async (t) => {
    const { ended, told } = start(t, ['catalog', 'asana', '--json'])
    assert.equal(await ended, 1)
    assert.match(told(), /^error The result cannot be written to standard output: .+\.\n$/)
  })

  it('ends no server, and holds up none that ends', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'conex-unwritable-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const { child, ended, told } = start(t, ['serve'], {
      CONEX_PORT: '0',
      CONEX_DATABASE_URL: `sqlite:${join(folder, 'conex.db')}`,
    })
    while (!told().includes('client_secret') && child.exitCode === null)
      await Promise.race([once(child.stderr!, 'data'), ended])
    child.kill('SIGTERM')
    assert.equal(await ended, 0)
    assert.ok(!told().includes('crashed'), told())
  })
})
