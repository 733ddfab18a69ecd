import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { Download } from '../client/mode.ts'
import { readFile } from './read-file.ts'

/** A file that its host sends in pieces of this length. */
function fileOf(bytes: Uint8Array, type: string, piece = 7): Download {
  let sent = 0
  const body = new ReadableStream({
    pull(controller) {
      if (sent >= bytes.length) return controller.close()
      controller.enqueue(bytes.slice(sent, sent + piece))
      sent += piece
    },
  })
  return new Response(body, { headers: { 'content-type': type } }) as Download
}

/** All of a file, read as a model does that follows what it is told. */
async function readInParts(bytes: Uint8Array, type: string, maxCharacters: number): Promise<string> {
  let text = ''
  for (let start = 0; ; ) {
    const part = await readFile(fileOf(bytes.subarray(start), type), maxCharacters)
    text += part.text
    if (part.rest === null) return text
    const next = Number(/bytes=(\d+)-/.exec(part.rest)![1])
    assert.ok(next > 0)
    start += next
  }
}

describe('a file that is longer than a model may have at once', () => {
  it('is read whole by who asks for the rest as told, in any script', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
        fc.integer({ min: 8, max: 40 }),
        async (text, most) => {
          const whole = text.toWellFormed()
          assert.equal(await readInParts(new TextEncoder().encode(whole), 'text/plain', most), whole)
        },
      ),
    )
  })

  it('loses nothing where it is not in UTF-8, or begins with the mark of it', async () => {
    const latin = Buffer.from('déjà vu, naïve café, '.repeat(5), 'latin1')
    assert.equal(await readInParts(latin, 'text/csv; charset=iso-8859-1', 20), latin.toString('latin1'))
    assert.equal((await readInParts(latin, 'text/csv', 20)).length, latin.length)
    const marked = Buffer.from(`\ufeff${'äöü'.repeat(20)}`)
    assert.equal((await readInParts(marked, 'text/plain', 20)).replace(/^\ufeff/, ''), 'äöü'.repeat(20))
  })

  it('never takes more than was agreed as JSON', async () => {
    const { text, rest } = await readFile(fileOf(Buffer.from('"\n'.repeat(500)), 'text/plain'), 100)
    assert.ok(JSON.stringify(text).length <= 102)
    assert.match(rest!, /bytes=50-/)
  })
})
