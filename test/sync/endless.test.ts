/** Lists that never end: a sync gives them up early, keeps what it has, and claims nothing. */
import assert from 'node:assert/strict'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { it, type TestContext } from 'node:test'
import { type CopiedKind, startSynced } from './synced.ts'

/** A connector of a system that answers by the script, and what was asked of it. */
async function startScripted(
  t: TestContext,
  kind: CopiedKind,
  script: (turn: number, request: IncomingMessage) => object,
) {
  let asked = 0
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(script(asked++, request)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const on = await startSynced(kind, { settings: { baseUrls: { [kind]: `http://127.0.0.1:${port}` } } })
  t.after(() => on.close())
  return { on, asked: () => asked }
}

const users = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: String(from + index), active: true }))

it('a page that comes again and again under new cursors ends the sync of its list', async (t) => {
  const { on, asked } = await startScripted(t, 'gong', (turn) => ({
    users: turn === 0 ? users(0, 100) : users(100, 50),
    records: { totalRecords: 150, cursor: `c${turn}` },
  }))
  await on.sync({ entities: ['users'] })
  const { status, complete, last_error: error } = await on.state('users')
  assert.deepEqual([status, complete, error.code], ['failed', false, 'upstream_invalid_response'])
  assert.match(error.detail, /same records repeatedly/)
  assert.equal(asked(), 5)
  assert.equal((await on.copy('users')).size, 150)
})

it('pages beyond the total that the system tells end it too', async (t) => {
  const { on, asked } = await startScripted(t, 'gong', (turn) => ({
    users: users(turn * 100, 100),
    records: { totalRecords: 250, cursor: `c${turn}` },
  }))
  await on.sync({ entities: ['users'] })
  const { status, complete, last_error: error } = await on.state('users')
  assert.deepEqual([status, complete], ['failed', false])
  assert.match(error.detail, /more records than the 250/)
  assert.equal(asked(), 3)
  assert.equal((await on.copy('users')).size, 300)
})

it('so it is with offsets, and with empty pages', async (t) => {
  for (const [data, most] of [
    [[{ gid: '1', name: 'One', resource_type: 'workspace' }], 4],
    [[], 100],
  ] as const) {
    const { on, asked } = await startScripted(t, 'asana', (turn) => ({
      data,
      next_page: { offset: `o${turn}`, path: '/', uri: 'https://x.example/' },
    }))
    await on.sync({ entities: ['workspaces'] })
    const { complete, last_error: error } = await on.state('workspaces')
    assert.deepEqual([complete, error.code, asked()], [false, 'upstream_invalid_response', most])
  }
})

it('a next page that is no page token ends it there, and is no end of the list', async (t) => {
  for (const next_page of ['abc', [], { offset: null, path: '/x' }, { offset: 12345 }, { path: '/x' }, false]) {
    const { on } = await startScripted(t, 'asana', () => ({
      data: [{ gid: '1', name: 'One', resource_type: 'workspace' }],
      next_page,
    }))
    await on.sync({ entities: ['workspaces'] })
    const { status, complete, last_error: error } = await on.state('workspaces')
    assert.deepEqual(
      [status, complete, error.code],
      ['failed', false, 'upstream_invalid_response'],
      JSON.stringify(next_page),
    )
  }
})
