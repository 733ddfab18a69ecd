import assert from 'node:assert/strict'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { describe, it } from 'node:test'
import { bytes, contents, driveWith } from '../drive.suite.ts'
import { closeAfterTests, refusal } from '../scripted-engine.suite.ts'

/** A host of files that says exactly this on its wire, and then ends the connection as told. */
async function hostSaying(head: readonly string[], body: Uint8Array, end: 'end' | 'reset' | 'stay' = 'end') {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    socket.once('data', () => {
      socket.write(`HTTP/1.1 ${head.join('\r\n')}\r\n\r\n`)
      socket.write(body, () => {
        if (end === 'end') socket.end()
        // The bytes are to arrive before the reset does, which would take them away.
        if (end === 'reset') setTimeout(() => socket.resetAndDestroy(), 50)
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closeAfterTests(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/file`
}

async function fileSaid(
  head: readonly string[],
  body: Uint8Array,
  { end = 'end', range, size }: { end?: 'end' | 'reset' | 'stay'; range?: string; size?: number } = {},
) {
  const url = await hostSaying(head, body, end)
  const { engine, call } = await driveWith(() => {}, { retries: 0 }, { url, size })
  return engine.download(call(range === undefined ? {} : { range_header: range }))
}

describe('a file of no told length', () => {
  it('ends where the connection ends', async () => {
    for (const head of [['200 OK'], ['200 OK', 'Connection: close']]) {
      const { headers, body } = await fileSaid(head, bytes)
      assert.equal(headers['content-length'], undefined)
      assert.deepEqual(await contents(body), bytes)
    }
  })

  it('is not whole where the connection is reset', async () => {
    for (const head of [['200 OK'], ['200 OK', 'Connection: close'], ['200 OK', 'Transfer-Encoding: gzip, identity']]) {
      const file = fileSaid(head, bytes, { end: 'reset' })
      await assert.rejects(file.then(({ body }) => contents(body)))
    }
  })

  it('is not whole where its chunks do not end', async () => {
    for (const end of ['end', 'reset'] as const) {
      const { body } = await fileSaid(['200 OK', 'Transfer-Encoding: chunked'], Buffer.from('5\r\nabcde\r\n'), { end })
      await assert.rejects(contents(body))
    }
  })
})

describe('bytes are counted', () => {
  for (const [name, few, head, told] of [
    ['against the range', 100, ['206 Partial Content', 'Content-Range: bytes 0-99/1000'], { range: 'bytes=0-99' }],
    [
      'against a range of unknown size',
      100,
      ['206 Partial Content', 'Content-Range: bytes 0-99/*'],
      { range: 'bytes=0-99' },
    ],
    ['against the size in the record', 100, ['200 OK'], { size: 100 }],
    ['against the range of the whole', 100, ['200 OK', 'Content-Range: bytes 0-99/100'], {}],
  ] as const) {
    it(`${name}: as many are the file`, async () => {
      const { body } = await fileSaid(head, bytes.subarray(0, few), told)
      assert.equal((await contents(body)).length, few)
    })
    for (const length of [20, few - 1, few + 1, 1000])
      it(`${name}: ${length} instead of ${few} break off`, async () => {
        const file = fileSaid(head, bytes.subarray(0, length), told)
        await assert.rejects(file.then(({ body }) => contents(body)))
      })
    it(`${name}: none at all are no file`, async () => {
      await refusal(fileSaid(head, Buffer.alloc(0), told), 'upstream_invalid_response')
    })
  }

  it('against a Content-Length', async () => {
    const { body } = await fileSaid(['200 OK', 'Content-Length: 1000'], bytes.subarray(0, 400))
    await assert.rejects(contents(body))
  })
})

describe('what is told of a file', () => {
  for (const [why, head, told] of [
    [
      'a part called the whole',
      ['200 OK', 'Content-Range: bytes 100-199/1000', 'Content-Length: 100'],
      { range: 'bytes=100-199' },
    ],
    ['a part called the whole, unasked', ['200 OK', 'Content-Range: bytes 100-199/1000', 'Content-Length: 100'], {}],
    ['a beginning called the whole', ['200 OK', 'Content-Range: bytes 0-99/1000', 'Content-Length: 100'], {}],
    [
      'a beginning of unknown size called the whole',
      ['200 OK', 'Content-Range: bytes 0-99/*', 'Content-Length: 100'],
      {},
    ],
    ['no range called the whole', ['200 OK', 'Content-Range: bytes */1000'], {}],
    ['a range in words', ['200 OK', 'Content-Range: all of it'], {}],
    ['a whole of another length', ['200 OK', 'Content-Range: bytes 0-999/1000', 'Content-Length: 100'], {}],
    ['no range called a part', ['206 Partial Content', 'Content-Range: bytes */1000'], { range: 'bytes=0-99' }],
    [
      'several parts',
      ['206 Partial Content', 'Content-Type: multipart/byteranges; boundary=x'],
      { range: 'bytes=0-99' },
    ],
    [
      'several parts called one',
      ['206 Partial Content', 'Content-Type: multipart/byteranges; boundary=x', 'Content-Range: bytes 0-99/1000'],
      { range: 'bytes=0-99' },
    ],
    [
      'two ranges',
      ['206 Partial Content', 'Content-Range: bytes 0-99/1000', 'Content-Range: bytes 0-99/2000'],
      { range: 'bytes=0-99' },
    ],
    ['two lengths', ['200 OK', 'Content-Length: 100', 'Content-Length: 1000'], {}],
    ['two lengths in one', ['200 OK', 'Content-Length: 100, 1000'], {}],
    ['a length that is none', ['200 OK', 'Content-Length: -1'], {}],
    ['a length beside chunks', ['200 OK', 'Content-Length: 100', 'Transfer-Encoding: chunked'], {}],
    ['another length than the record’s', ['200 OK', 'Content-Length: 1000'], { size: 999 }],
    [
      'another size than the record’s',
      ['206 Partial Content', 'Content-Range: bytes 0-99/1000'],
      { range: 'bytes=0-99', size: 999 },
    ],
    [
      'a part beyond the record’s size',
      ['206 Partial Content', 'Content-Range: bytes 0-99/*'],
      { range: 'bytes=0-99', size: 50 },
    ],
  ] as const)
    it(`may not contradict itself: ${why}`, async () => {
      await refusal(fileSaid(head, bytes, { end: 'stay', ...told }), 'upstream_invalid_response')
    })

  it('twice is told once where it is the same, and not at all where it is not', async () => {
    const { headers, body } = await fileSaid(
      ['200 OK', 'Content-Type: a/b', 'Content-Type: a/b', 'ETag: "1"', 'ETag: "2"', 'Content-Length: 1000'],
      bytes,
    )
    assert.deepEqual(headers, { 'content-type': 'a/b', 'content-length': '1000' })
    await contents(body)
  })
})
