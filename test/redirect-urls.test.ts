import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { startServer } from '../src/server/start.ts'
import { conex } from './conex.ts'

describe('conex redirect-urls', () => {
  const folder = mkdtempSync(join(tmpdir(), 'conex-redirects-'))
  const databaseUrl = `sqlite:${join(folder, 'conex.db')}`
  const env = { CONEX_DATABASE_URL: databaseUrl }
  after(() => {
    rmSync(folder, { recursive: true })
  })
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await conex(['redirect-urls', ...args], { env })
    return { code, said: stdout.toString() + stderr }
  }

  it('needs an organization, which the first start makes', async () => {
    const { code, said } = await run()
    assert.notEqual(code, 0)
    assert.match(said, /start the server once/)
    await (await startServer({ port: 0, databaseUrl, logLevel: 'silent' })).close()
    assert.deepEqual(await run(), { code: 0, said: 'Any safe address is allowed.\n' })
  })

  it('allows nothing but the addresses given, until any is allowed again', async () => {
    const addresses = ['https://app.example/connected', 'http://localhost:5173/cb']
    const listed = { code: 0, said: `${addresses.join('\n')}\n` }
    assert.deepEqual(await run(...addresses), listed)
    assert.deepEqual(await run(), listed)
    assert.deepEqual(await run('--any'), { code: 0, said: 'Any safe address is allowed.\n' })
  })

  it('takes no address that no browser is ever sent to', async () => {
    for (const [bad, reason] of [
      ['http://app.example/', /https/],
      ['https://app.example/#f', /fragment/],
      ['connected', /complete address/],
    ] as const) {
      const { code, said } = await run('https://app.example/', bad)
      assert.notEqual(code, 0)
      assert.match(said, reason)
    }
    const both = await run('--any', 'https://app.example/')
    assert.match(both.said, /not both/)
    assert.deepEqual(await run(), { code: 0, said: 'Any safe address is allowed.\n' })
  })
})
