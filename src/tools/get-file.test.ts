import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Download } from '../client/mode.ts'
import { getFile } from './get-file.ts'
import type { Source } from './source.ts'

/** A source with one file. */
function sourceOf(bytes: Uint8Array<ArrayBuffer>, type: string): Source {
  const connector = {
    id: 'one',
    name: 'One',
    connector_type: 'files',
    external_user_id: 'ann',
    status: 'active',
  } as const
  return {
    connectors: async () => ({ connectors: [connector], next_cursor: null }),
    download: async () => new Response(bytes, { headers: { 'content-type': type } }) as Download,
    link: async () => ({ url: 'https://conex.example/files?token=x', expiresIn: 600 }),
  } as Partial<Source> as Source
}

const read = async (bytes: Uint8Array<ArrayBuffer>, type: string) => {
  const given = { connector: 'files', entity: 'files', params: {} }
  return (await getFile.call(given, sourceOf(bytes, type), new AbortController().signal)).content
}

describe('get_file', () => {
  const image = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 1, 2, 3])

  it('gives an image as one', async () => {
    const data = Buffer.from(image).toString('base64')
    assert.deepEqual(await read(image, 'image/png'), [{ type: 'image', data, mimeType: 'image/png' }])
  })

  it('gives a large image, and one of a type that models do not read, as a link', async () => {
    for (const [bytes, type] of [
      [new Uint8Array(2 * 1024 * 1024), 'image/png'],
      [image, 'image/tiff'],
      [image, 'application/zip'],
    ] as const) {
      const [said, link] = await read(bytes, type)
      assert.match((said as { text: string }).text, /valid for 600 seconds: https:\/\/conex\.example/)
      assert.deepEqual(link, {
        type: 'resource_link',
        uri: 'https://conex.example/files?token=x',
        name: 'file',
        mimeType: type,
      })
    }
  })
})
