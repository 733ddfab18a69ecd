/** The call-analytics connector on the command line: params with hyphens, params that are objects, and where a list ends. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { conex } from '../conex.ts'
import { type Connection, startConnection } from './connected.ts'

describe('conex execute gong', async () => {
  const connection: Connection = await startConnection({ callsPerMinute: null })
  const { at, baseUrl, key } = connection
  after(async () => {
    await connection.close()
  })
  const credentials = Object.entries(key).flatMap(([name, value]) => ['--credential', `${name}=${value}`])
  const execute = (operation: string, params: Readonly<Record<string, unknown>>, ...more: string[]) =>
    conex([
      'execute',
      'gong',
      ...operation.split(' '),
      ...Object.entries(params).flatMap(([name, value]) => [
        '--param',
        `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
      ]),
      ...credentials,
      '--base-url',
      baseUrl,
      '--allow-private-network',
      ...more,
    ])

  it('takes params with hyphens, and corrects others', async () => {
    const period = { from: '2026-01-01T00:00:00Z', to: '2026-06-01T00:00:00Z' }
    const params = { 'workspace-id': at['sales workspace'], 'manager-id': at.manager, ...period }
    const found = await execute('coaching list', params)
    assert.equal(found.code, 0, found.stderr)
    assert.equal(found.records()[0].isManager, true)
    const { 'workspace-id': workspaceId, ...others } = params
    const wrong = await execute('coaching list', { workspaceId, ...others })
    assert.notEqual(wrong.code, 0)
    assert.match(wrong.stderr, /did you mean "workspace-id"/)
  })

  it('takes objects as JSON, and tells of more only where there is more', async () => {
    const whole = await execute('calls_extensive list', { filter: { callIds: [at['private call']] } })
    assert.equal(whole.records()[0].metaData.id, at['private call'])
    assert.doesNotMatch(whole.stderr, /more:/)
    const first = await execute('calls_extensive list', { filter: {} })
    assert.equal(first.records().length, 100)
    assert.match(first.stderr, /more: .*cursor.*--all/)
  })

  it('writes a recording to standard output', async () => {
    const { code, stdout } = await execute('call_audio download', {
      filter: { callIds: [at['call of half a minute']] },
      contentSelector: { exposedFields: { media: true } },
    })
    assert.equal(code, 0)
    assert.equal(stdout.length, 240_000)
  })
})
