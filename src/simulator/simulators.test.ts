import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get } from 'node:http'
import { after, test } from 'node:test'
import { fileAnswer } from './file-answer.ts'
import { fileBytes } from './file-bytes.ts'
import { jsonReply } from './send.ts'
import { startSimulators } from './simulators.ts'
import type { SimulatedSystem } from './system.ts'

const echo: SimulatedSystem = {
  kind: 'echo',
  start: ({ origin, clock }) => ({
    baseUrl: `${origin}/v1`,
    credentials: [{ token: 't' }],
    landmarks: { first: '1' },
    examples: { things: { list: {} } },
    tour: { list: { entity: 'things', columns: ['gid'] } },
    handle(call) {
      if (call.path === '/broken') throw new Error('a mistake')
      if (call.host === 'api')
        return jsonReply(200, { path: call.path, query: call.query, body: call.body, at: clock.now() })
      const bytes = fileBytes(1, 1024 ** 3)
      return fileAnswer({ name: 'big', contentType: 'x/y', etag: '"1"', modified: 0, bytes }, call.headers.range)
    },
    refusal: (status) => jsonReply(status, { refused: status }),
    changes: [{ change: 'turn', does: 'Turns.', example: { change: 'turn' } }],
    change: ({ change }) => {
      if (change !== 'turn') throw new Error('Only turns.')
      return { turned: true }
    },
  }),
}

const simulators = await startSimulators([echo], { now: () => 5000 })
after(() => simulators.close())

const json = async (path: string, init?: RequestInit) => (await fetch(`${simulators.origin}${path}`, init)).json()

test('systems are served below their kind and describe themselves', async () => {
  assert.deepEqual(simulators.describe(), {
    echo: { base_url: `${simulators.origin}/echo/v1`, credentials: [{ token: 't' }] },
  })
  assert.deepEqual(await json('/echo/v1/things?a=%20b'), { path: '/v1/things', query: 'a=%20b', body: '', at: 5000 })
})

test('a path of no system is 404', async () => {
  assert.equal((await fetch(`${simulators.origin}/other/x`)).status, 404)
})

test('what arrived is on record, exactly as it was sent', async () => {
  simulators.clearRequests()
  await fetch(`${simulators.origin}/echo/a%2Fb?x=1&x=2`, { method: 'POST', body: 'text', headers: { 'x-mark': 'm' } })
  await fetch(`${simulators.filesOrigin}/echo/file`, { headers: { range: 'bytes=0-1' } })
  const [first, second] = simulators.requests
  assert.equal(first?.method, 'POST')
  assert.equal(first?.path, '/echo/a%2Fb')
  assert.equal(first?.query, 'x=1&x=2')
  assert.equal(first?.body, 'text')
  assert.equal(first?.headers['x-mark'], 'm')
  assert.equal(first?.status, 200)
  assert.equal(second?.host, 'files')
  assert.equal(second?.origin, simulators.filesOrigin)
  assert.equal(second?.status, 206)
})

test('the clock goes forward when told, over HTTP too', async () => {
  simulators.advance(1000)
  await json('/_changes', { method: 'POST', body: JSON.stringify({ change: 'advance', ms: 500 }) })
  assert.equal(((await json('/echo/')) as { at: number }).at, 6500)
})

test('changes are documented and made over HTTP', async () => {
  assert.equal(((await json('/_changes')) as { echo: { change: string }[] }).echo[0]?.change, 'turn')
  assert.deepEqual(await json('/_changes', { method: 'POST', body: '{"kind":"echo","change":"turn"}' }), {
    turned: true,
  })
  const refused = await fetch(`${simulators.origin}/_changes`, { method: 'POST', body: '{"change":"jump"}' })
  assert.equal(refused.status, 400)
  assert.deepEqual(await refused.json(), { error: 'Only turns.' })
})

test('a mistake in a system is shown and ends nothing', async () => {
  const response = await fetch(`${simulators.origin}/echo/broken`)
  assert.equal(response.status, 500)
  assert.match(await response.text(), /a mistake/)
  assert.equal((await fetch(`${simulators.origin}/echo/`)).status, 200)
})

test('a reader that hangs up stops the file', async () => {
  const before = simulators.connections.bytesSent('files')
  const request = get(`${simulators.filesOrigin}/echo/file`)
  const [response] = await once(request, 'response')
  await once(response, 'data')
  assert.equal(simulators.connections.running('files'), 1)
  response.destroy()
  while (simulators.connections.running('files') > 0) await new Promise((resolve) => setTimeout(resolve, 5))
  assert.ok(simulators.connections.bytesSent('files') - before < 64 * 1024 ** 2)
})

test('closing ends open connections', async () => {
  const other = await startSimulators([echo])
  other.faults.add({ effect: { type: 'never' } })
  const hanging = fetch(`${other.origin}/echo/`)
  while (other.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  await Promise.all([assert.rejects(hanging), other.close()])
  assert.equal(other.connections.open(), 0)
})
