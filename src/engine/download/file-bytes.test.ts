import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { bytes, contents, driveWith, type Host } from '../drive.suite.ts'
import { refusal } from '../scripted-engine.suite.ts'

const kept = (body: Uint8Array, encoding: string, length = true): Host => {
  const more = { etag: '"1"', 'accept-ranges': 'bytes', 'content-encoding': encoding }
  return (_, __, response) =>
    response.writeHead(200, length ? { ...more, 'content-length': body.length } : more).end(body)
}

describe('a file that its host keeps compressed', () => {
  const forms: readonly (readonly [string, Buffer])[] = [
    ['gzip', gzipSync(bytes)],
    ['X-GZIP', gzipSync(bytes)],
    ['deflate', deflateSync(bytes)],
    ['br', brotliCompressSync(bytes)],
    ['zstd', zstdCompressSync(bytes)],
    ['gzip, identity', gzipSync(bytes)],
    ['gzip, br', brotliCompressSync(gzipSync(bytes))],
  ]
  for (const [encoding, packed] of forms) {
    it(`as ${encoding} comes as it is, without what was told of its other form`, async () => {
      for (const [length, size] of [[true], [false], [true, 1000], [true, packed.length]] as const) {
        const { engine, call } = await driveWith(kept(packed, encoding, length), {}, { size })
        const { headers, body } = await engine.download(call())
        assert.deepEqual(headers, { etag: 'W/"1"' })
        assert.deepEqual(await contents(body), bytes)
      }
    })

    it(`as ${encoding} breaks off where it is cut, and where its record knows another size`, async () => {
      for (const [host, size] of [
        [kept(packed.subarray(0, -6), encoding)],
        [kept(packed.subarray(0, -6), encoding, false)],
        [kept(packed, encoding), 999],
      ] as const) {
        const { engine, call } = await driveWith(host, { retries: 0 }, { size })
        await assert.rejects(engine.download(call()).then(({ body }) => contents(body)))
      }
    })
  }

  it('has no parts, which is said in a sentence', async () => {
    const { engine, call } = await driveWith((_, __, response) =>
      response.writeHead(206, { 'content-encoding': 'gzip', 'content-range': 'bytes 0-9/1000' }).end('0123456789'),
    )
    const error = await refusal(engine.download(call({ range_header: 'bytes=0-9' })), 'range_not_satisfiable')
    assert.match(error.message, /compressed.*download the whole file/)
  })

  it('is given whole where the host passes over the range', async () => {
    const { engine, call } = await driveWith(kept(gzipSync(bytes), 'gzip'))
    const { status, body } = await engine.download(call({ range_header: 'bytes=0-9' }))
    assert.equal(status, 200)
    assert.deepEqual(await contents(body), bytes)
  })

  it('may be empty', async () => {
    for (const encoding of ['gzip', 'br']) {
      const { engine, call } = await driveWith(kept(Buffer.alloc(0), encoding))
      assert.equal((await contents((await engine.download(call())).body)).length, 0)
    }
  })

  it('is refused when it is not what it says, or nobody knows how to unpack it', async () => {
    for (const [body, encoding] of [
      [bytes, 'gzip'],
      [bytes, 'br'],
      [bytes, 'deflate'],
      [bytes, 'zstd'],
      [bytes, 'compress'],
      [bytes, 'gzip, constructor'],
      [gzipSync(gzipSync(gzipSync(gzipSync(bytes)))), 'gzip, gzip, gzip, gzip'],
    ] as const) {
      const { engine, call, asked } = await driveWith(kept(body, encoding))
      await refusal(engine.download(call()), 'upstream_invalid_response')
      assert.equal(asked.length, 1)
    }
  })

  it('breaks off where it grows to more than a file would', async () => {
    const twice = gzipSync(gzipSync(Buffer.alloc(256 * 1024 * 1024)))
    const { engine, call } = await driveWith(kept(twice, 'gzip, gzip'))
    const { body } = await engine.download(call())
    let came = 0
    await assert.rejects(async () => {
      for await (const chunk of body) came += (chunk as Buffer).length
    })
    assert.ok(came > 0 && came <= 64 * 1024 * 1024)
  })
})
