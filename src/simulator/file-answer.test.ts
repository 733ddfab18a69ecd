import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileAnswer } from './file-answer.ts'
import { fileBytes } from './file-bytes.ts'
import { bodyBuffer } from './send.ts'

const size = 12_338
const bytes = fileBytes(7, size, Buffer.from('%PDF-1.7\n'))
const whole = bodyBuffer(bytes)
const file = { name: 'отчёт “Q3”.pdf', contentType: 'application/pdf', etag: '"e"', modified: 0, bytes }
const ask = (range: string | undefined) => {
  const reply = fileAnswer(file, range)
  return { ...reply, bytes: bodyBuffer(reply.body) }
}

for (const [range, first, last] of [
  ['bytes=0-0', 0, 0],
  ['bytes=500-599', 500, 599],
  ['bytes=0-524287', 0, size - 1],
  ['bytes=12337-99999999999', size - 1, size - 1],
  ['bytes=12000-', 12_000, size - 1],
  ['bytes=-500', size - 500, size - 1],
  ['bytes=-99999', 0, size - 1],
] as const) {
  test(`${range} is answered with exactly those bytes`, () => {
    const reply = ask(range)
    assert.equal(reply.status, 206)
    assert.equal(reply.headers['content-range'], `bytes ${first}-${last}/${size}`)
    assert.deepEqual(reply.bytes, whole.subarray(first, last + 1))
  })
}

for (const range of [undefined, '', 'bytes=9-2', 'bytes=0-1,5-6', 'items=0-1', 'bytes=0x0-0x9', 'bytes=-']) {
  test(`a range of ${JSON.stringify(range)} is not understood, so the whole file comes`, () => {
    const reply = ask(range)
    assert.equal(reply.status, 200)
    assert.equal(reply.headers['content-range'], undefined)
    assert.deepEqual(reply.bytes, whole)
  })
}

for (const range of ['bytes=12338-', 'bytes=99999-100000', 'bytes=-0']) {
  test(`${range} lies outside of the file and is refused`, () => {
    const reply = ask(range)
    assert.equal(reply.status, 416)
    assert.equal(reply.headers['content-range'], `bytes */${size}`)
    assert.match(reply.bytes.toString(), /<Code>InvalidRange<\/Code>/)
  })
}

test('the file begins as its format does and never changes', () => {
  assert.equal(whole.subarray(0, 9).toString(), '%PDF-1.7\n')
  assert.deepEqual(bodyBuffer(fileBytes(7, size, Buffer.from('%PDF-1.7\n'))), whole)
})

test('the name is told in plain letters and in full', () => {
  const header = ask(undefined).headers['content-disposition'] ?? ''
  assert.match(header, /^attachment; filename="[\x20-\x7e]+"; filename\*=UTF-8''%D0%BE/)
})

test('an empty file is answered whole', () => {
  const reply = fileAnswer({ ...file, bytes: fileBytes(1, 0) }, undefined)
  assert.equal(reply.status, 200)
  assert.equal(bodyBuffer(reply.body).length, 0)
})
