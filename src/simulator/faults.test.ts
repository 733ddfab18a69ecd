import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, beforeEach, test } from 'node:test'
import type { Fault } from './faults.ts'
import { fileAnswer } from './file-answer.ts'
import { fileBytes } from './file-bytes.ts'
import { jsonReply } from './send.ts'
import { startSimulators } from './simulators.ts'
import type { SimulatedSystem } from './system.ts'

const things: SimulatedSystem = {
  kind: 'things',
  start: ({ origin }) => ({
    baseUrl: origin,
    credentials: [],
    landmarks: {},
    examples: { things: { list: {} } },
    tour: { list: { entity: 'things', columns: [] } },
    handle(call) {
      if (call.host === 'api')
        return jsonReply(200, {
          data: [
            { gid: '1', name: 'a' },
            { gid: '2', name: 'b' },
          ],
          next: null,
        })
      const bytes = fileBytes(1, 1000)
      return fileAnswer({ name: 'f', contentType: 'x/y', etag: '"1"', modified: 0, bytes }, call.headers.range)
    },
    refusal: (status) => jsonReply(status, { refused: status }),
    changes: [],
    change: () => ({}),
  }),
}

const simulators = await startSimulators([things])
const address = `${simulators.origin}/things/list`
after(() => simulators.close())
beforeEach(() => {
  simulators.faults.clear()
  simulators.clearRequests()
})
const inject = (effect: Fault['effect'], more: Partial<Fault> = {}) => simulators.faults.add({ ...more, effect })

test('a fault applies as often as it says, after letting through as many as it says', async () => {
  inject({ type: 'status', status: 503 }, { skip: 1, times: 2 })
  const statuses: number[] = []
  for (let i = 0; i < 4; i++) statuses.push((await fetch(address)).status)
  assert.deepEqual(statuses, [200, 503, 503, 200])
})

test('a fault applies only to the calls it names', async () => {
  inject({ type: 'status', status: 503 }, { path: '/list$', query: 'page=2', host: 'api', times: 'always' })
  const status = async (path: string) => (await fetch(`${simulators.origin}/things${path}`)).status
  assert.equal(await status('/list?page=1'), 200)
  assert.equal(await status('/list?page=2'), 503)
  assert.equal(await status('/list/9?page=2'), 200)
})

test("a refusal is in the system's own words, with the headers asked for", async () => {
  inject({ type: 'status', status: 429, headers: { 'Retry-After': '{date+2}' } })
  const response = await fetch(address)
  assert.deepEqual(await response.json(), { refused: 429 })
  const wait = Date.parse(response.headers.get('retry-after') ?? '') - Date.now()
  assert.ok(wait <= 2000 && wait > -60_000)
})

test('a body of any text comes as it is', async () => {
  const body = '{"data":[{"gid":1209876543210987123,"a":"\\u0000","__proto__":{},"a":"\\ud800"}]}'
  inject({ type: 'body', body })
  assert.equal(await (await fetch(address)).text(), body)
})

test('HTML and wrong content types arrive as such', async () => {
  inject({ type: 'html', status: 502 })
  inject({ type: 'content_type', value: 'text/plain' })
  const page = await fetch(address)
  assert.equal(page.status, 502)
  assert.match(await page.text(), /^<!doctype html>/)
  assert.equal((await fetch(address)).headers.get('content-type'), 'text/plain')
})

test('a redirect can lead to the other origin', async () => {
  inject({ type: 'redirect', status: 307, location: '{files}/things/file?from={path}' })
  const response = await fetch(`${address}?a=1`, { redirect: 'manual' })
  assert.equal(response.status, 307)
  assert.equal(response.headers.get('location'), `${simulators.filesOrigin}/things/file?from=/things/list?a=1`)
})

for (const as of ['length', 'chunked'] as const) {
  test(`an answer cut short of its ${as === 'length' ? 'length' : 'last chunk'} fails in the reader`, async () => {
    inject({ type: 'cut', as, bytes: 9 })
    const response = await fetch(address)
    assert.equal(response.status, 200)
    await assert.rejects(response.text())
  })
}

test('half a JSON text can come as a whole answer', async () => {
  inject({ type: 'cut', as: 'json', bytes: 20 })
  const text = await (await fetch(address)).text()
  assert.equal(text.length, 20)
  assert.throws(() => JSON.parse(text))
})

test('a reset connection fails in the reader', async () => {
  inject({ type: 'reset' })
  await assert.rejects(fetch(address))
  assert.equal(simulators.requests[0]?.status, null)
})

test('an answer that stalls sends its beginning and no more', async () => {
  inject({ type: 'stall', bytes: 5 })
  const response = await fetch(address)
  const reader = response.body!.getReader()
  assert.equal(Buffer.from((await reader.read()).value!).toString(), '{"dat')
  assert.equal(simulators.connections.running('api'), 1)
  await reader.cancel()
})

test('an answer that never comes ends with the reader', async () => {
  inject({ type: 'never' })
  const given = new AbortController()
  const call = fetch(address, { signal: given.signal })
  while (simulators.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  given.abort()
  await assert.rejects(call)
})

test('a dripping answer is whole in the end', async () => {
  inject({ type: 'drip', interval_ms: 1, bytes: 7 })
  assert.equal(((await (await fetch(address)).json()) as { data: unknown[] }).data.length, 2)
})

test('gzip is sent whether asked for or not', async () => {
  inject({ type: 'gzip' })
  const response = await fetch(address, { headers: { 'accept-encoding': 'identity' } })
  assert.equal(response.headers.get('content-encoding'), 'gzip')
  assert.equal(((await response.json()) as { data: unknown[] }).data.length, 2)
})

test('an idle connection is closed without a word', async () => {
  inject({ type: 'close_idle', after_ms: 1 })
  const socket = connect(Number(new URL(address).port), '127.0.0.1')
  socket.write('GET /things/list HTTP/1.1\r\nHost: x\r\n\r\n')
  let text = ''
  socket.on('data', (data) => {
    text += data
  })
  await once(socket, 'close')
  assert.match(text, /^HTTP\/1.1 200/)
  assert.doesNotMatch(text, /connection: close/i)
})

test('records and the top of an answer can be patched', async () => {
  inject({ type: 'patch', record: { name: 'x', more: { a: 1 } }, top: { next: { offset: 'same' } } })
  assert.deepEqual(await (await fetch(address)).json(), {
    data: [
      { gid: '1', name: 'x', more: { a: 1 } },
      { gid: '2', name: 'x', more: { a: 1 } },
    ],
    next: { offset: 'same' },
  })
})

test('fields can be left out of an answer, wherever they are', async () => {
  inject({ type: 'lacking', leave_out: ['name', 'next'] })
  assert.deepEqual(await (await fetch(address)).json(), { data: [{ gid: '1' }, { gid: '2' }] })
})

test('a page can hold far more records than agreed, each with its own gid', async () => {
  inject({ type: 'huge', records: 20_000 })
  const { data, next } = (await (await fetch(address)).json()) as { data: { gid: string; name: string }[]; next: null }
  assert.equal(data.length, 20_000)
  assert.equal(new Set(data.map((record) => record.gid)).size, 20_000)
  assert.equal(next, null)
})

test('the file host can ignore ranges, always or only when packing is accepted', async () => {
  const file = (headers: Record<string, string>) => fetch(`${simulators.filesOrigin}/things/f`, { headers })
  inject({ type: 'ignore_range' })
  const whole = await file({ range: 'bytes=5-9' })
  assert.equal(whole.status, 200)
  assert.equal((await whole.arrayBuffer()).byteLength, 1000)
  inject({ type: 'ignore_range', only_with_accept_encoding: true }, { times: 2 })
  assert.equal((await file({ range: 'bytes=5-9', 'accept-encoding': 'identity' })).status, 206)
  assert.equal((await file({ range: 'bytes=5-9', 'accept-encoding': 'gzip' })).status, 200)
})

test('a Content-Disposition can be raw UTF-8, or missing', async () => {
  inject({ type: 'content_disposition', value: 'attachment; filename="отчёт.pdf"' })
  inject({ type: 'content_disposition' })
  const file = () => fetch(`${simulators.filesOrigin}/things/f`)
  const header = (await file()).headers.get('content-disposition') ?? ''
  assert.equal(Buffer.from(header, 'latin1').toString('utf8'), 'attachment; filename="отчёт.pdf"')
  assert.equal((await file()).headers.get('content-disposition'), null)
})

test('faults are documented, added and cleared over HTTP', async () => {
  const faults = `${simulators.origin}/_faults`
  const added = await fetch(faults, {
    method: 'POST',
    body: '{"path":"/list","effect":{"type":"status","status":500}}',
  })
  assert.equal(added.status, 201)
  const shown = (await (await fetch(faults)).json()) as { effects: { type: string }[]; active: { applied: number }[] }
  assert.equal(shown.active.length, 1)
  assert.ok(shown.effects.some((effect) => effect.type === 'ignore_range'))
  await fetch(faults, { method: 'DELETE' })
  assert.equal((await fetch(address)).status, 200)
})

test('a fault that would not do what it says is refused', () => {
  assert.throws(() => simulators.faults.add({ effect: { type: 'explode' } } as unknown as Fault), /one of status/)
  assert.throws(() => inject({ type: 'status', status: 500, bytes: 1 }), /no field "bytes"/)
  assert.throws(
    () => simulators.faults.add({ pth: '/x', effect: { type: 'reset' } } as unknown as Fault),
    /no field "pth"/,
  )
  for (const effect of [
    { type: 'content_type', value: 'a\u0001' },
    { type: 'redirect', location: '/a\r\nb: c' },
    { type: 'delay', headers: { 'x-a': 'b\n' } },
  ] as const)
    assert.throws(() => inject(effect), /No header can carry/)
})
