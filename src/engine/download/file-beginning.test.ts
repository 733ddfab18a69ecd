import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { describe, it } from 'node:test'
import { waitForFile } from './file-beginning.ts'

/** A body of which all has arrived. */
async function arrived(...chunks: (string | Buffer)[]): Promise<Readable> {
  const body = new Readable({ read() {} })
  for (const chunk of chunks) body.push(chunk)
  body.push(null)
  await new Promise((resolve) => setImmediate(resolve))
  return body
}

describe('an HTML page', () => {
  it('is known by its first words, in any case, after white space or a byte order mark', async () => {
    for (const page of ['<!doctype html>', '<!DOCTYPE  HTML SYSTEM "x">', '\n\t<html lang="en">', '\ufeff<HTML>'])
      await assert.rejects(waitForFile(await arrived(`${page}<body>`), true), /an HTML page/, page)
  })

  it('is not seen in other files, which can be read from their first byte', async () => {
    for (const file of ['ID3\u0003', '<?xml version="1.0"?>', '<htmlish>', 'text with <html> in it', 'x', '']) {
      const body = await arrived(file)
      await waitForFile(body, true)
      assert.equal(Buffer.concat(await Array.fromAsync(body)).toString(), file)
    }
  })

  it('does not cost a byte of a long file', async () => {
    const bytes = Buffer.alloc(300_000, 7)
    const body = await arrived(bytes.subarray(0, 10), bytes.subarray(10))
    await waitForFile(body, true)
    assert.equal(Buffer.concat(await Array.fromAsync(body)).length, bytes.length)
  })
})
