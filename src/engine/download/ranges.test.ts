import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { badRanges } from '../../catalog/hostile-params.suite.ts'
import { bytes, contents, driveWith, storage } from '../drive.suite.ts'
import { refusal } from '../scripted-engine.suite.ts'

describe('a range', () => {
  for (const [range, contentRange, first, last] of [
    ['bytes=0-0', 'bytes 0-0/1000', 0, 0],
    ['bytes=500-599', 'bytes 500-599/1000', 500, 599],
    ['bytes=990-', 'bytes 990-999/1000', 990, 999],
    ['bytes=-10', 'bytes 990-999/1000', 990, 999],
    ['bytes=-5000', 'bytes 0-999/1000', 0, 999],
    ['bytes=0-524287', 'bytes 0-999/1000', 0, 999],
    ['bytes=999-99999999999', 'bytes 999-999/1000', 999, 999],
  ] as const)
    it(`${range} is answered with exactly those bytes`, async () => {
      const { asked, engine, call } = await driveWith(storage)
      const { status, headers, body } = await engine.download(call({ range_header: range }))
      assert.equal(status, 206)
      assert.equal(headers['content-range'], contentRange)
      assert.equal(headers['content-length'], String(last - first + 1))
      assert.deepEqual(await contents(body), bytes.subarray(first, last + 1))
      assert.equal(asked[0]!.headers.range, range)
    })

  for (const range of badRanges)
    it(`${JSON.stringify(range)} is refused and nothing is sent`, async () => {
      const { system, asked, engine, call } = await driveWith(storage)
      const error = await refusal(engine.download(call({ range_header: range })), 'invalid_params')
      assert.equal(error.issues![0]!.path, '/params/range_header')
      assert.equal(system.requests.length + asked.length, 0)
    })

  it('that the host ignores is answered honestly with the whole file', async () => {
    const { engine, call } = await driveWith((_, __, response) =>
      response.writeHead(200, { 'content-length': '1000', 'content-range': 'bytes 0-999/1000' }).end(bytes),
    )
    const { status, headers, body } = await engine.download(call({ range_header: 'bytes=0-9' }))
    assert.equal(status, 200)
    assert.equal(headers['content-length'], '1000')
    assert.equal(headers['content-range'], undefined)
    assert.equal((await contents(body)).length, 1000)
  })

  for (const [name, range, headers] of [
    ['without a Content-Range', 'bytes=0-9', {}],
    ['of other bytes', 'bytes=0-9', { 'content-range': 'bytes 5-9/1000' }],
    ['of more bytes', 'bytes=0-9', { 'content-range': 'bytes 0-19/1000' }],
    ['of the whole file', 'bytes=10-19', { 'content-range': 'bytes 0-999/1000' }],
    ['beyond the file', 'bytes=0-9', { 'content-range': 'bytes 0-9/5' }],
    ['that ends before it begins', 'bytes=5-9', { 'content-range': 'bytes 5-4/1000' }],
    [
      'of another length than its header says',
      'bytes=0-9',
      { 'content-range': 'bytes 0-9/1000', 'content-length': '1000' },
    ],
    ['that is not the end', 'bytes=-10', { 'content-range': 'bytes 0-9/1000' }],
    ['that stops before the end', 'bytes=-10', { 'content-range': 'bytes 990-995/1000' }],
    ['that was not asked for', undefined, { 'content-range': 'bytes 0-999/1000' }],
  ] as const)
    it(`answered by a part ${name} is refused`, async () => {
      const { engine, call } = await driveWith((_, __, response) => response.writeHead(206, headers).end(bytes))
      await refusal(
        engine.download(call(range === undefined ? {} : { range_header: range })),
        'upstream_invalid_response',
      )
    })

  it('outside the file is told with the size of the file, and nothing of the host’s words', async () => {
    const { engine, call, asked } = await driveWith(storage)
    const error = await refusal(engine.download(call({ range_header: 'bytes=1000-' })), 'range_not_satisfiable')
    assert.equal(error.contentRange, 'bytes */1000')
    assert.ok(!JSON.stringify([error.message, error.upstream]).includes('secret of the host'))
    assert.equal(asked.length, 1)
  })
})
