/** Files in windows of characters, as language models read them through the reference service's clients. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { isFine, isProblem } from '../src/conformance/answers.ts'
import { type Hosted, startHosted } from './hosted.ts'

interface File {
  readonly bytes: Buffer
  readonly etag?: string
  readonly takesRanges: boolean
}

describe('a file in windows', () => {
  let hosted: Hosted
  let file: File
  let ranges: (string | undefined)[]
  const system = createServer(({ url, headers: { range } }, response) => {
    if (!url!.endsWith('/file')) {
      const { port } = system.address() as AddressInfo
      const data = { gid: '1', name: 'a.txt', host: 'asana', download_url: `http://127.0.0.1:${port}/file` }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }))
      return
    }
    ranges.push(range)
    const { bytes, etag, takesRanges } = file
    const headers = { 'content-type': 'text/plain; charset=utf-8', ...(etag !== undefined && { etag }) }
    const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec((takesRanges && range) || '') ?? []
    if (first === undefined) response.writeHead(200, { ...headers, 'content-length': bytes.length }).end(bytes)
    else {
      const end = Math.min(last === '' ? bytes.length : Number(last) + 1, bytes.length)
      const part = bytes.subarray(Number(first), end)
      const told = { 'content-range': `bytes ${first}-${end - 1}/${bytes.length}`, 'content-length': part.length }
      response.writeHead(206, { ...headers, ...told }).end(part)
    }
  })

  before(async () => {
    await new Promise<void>((resolve) => system.listen(0, '127.0.0.1', resolve))
    const baseUrl = `http://127.0.0.1:${(system.address() as AddressInfo).port}`
    hosted = await startHosted({ settings: { baseUrls: { asana: baseUrl } } })
  })
  after(async () => {
    await hosted.close()
    system.close()
  })

  const ask = (params: object) =>
    hosted.execute('attachments', 'download', { attachment_gid: '1', _airbyte_response_type: 'json', ...params })

  /** All windows, put together; each goes on where the one before says. */
  async function readWhole(params: object, withToken = true): Promise<string> {
    let whole = ''
    for (let next = {}; ; ) {
      const { content, has_more, next_offset, download_token } = isFine(await ask({ ...params, ...next })).result
      whole += content
      if (!has_more) {
        assert.deepEqual([next_offset, download_token], [null, null])
        return whole
      }
      assert.notEqual(content, '')
      next = { _airbyte_text_offset: next_offset, ...(withToken && { _airbyte_download_token: download_token }) }
    }
  }

  const text = `\u{feff}${'Grüße 😀 naïve\n'.repeat(2)}`

  for (const takesRanges of [true, false])
    it(`is the same file, however it is cut, of a host that ${takesRanges ? 'takes' : 'does not take'} ranges`, async () => {
      file = { bytes: Buffer.from(text), etag: '"one"', takesRanges }
      for (const _airbyte_max_chars of [1, 3, 6, 29, 20_000]) {
        ranges = []
        assert.equal(await readWhole({ _airbyte_max_chars }), text)
        assert.equal(await readWhole({ _airbyte_max_chars, _airbyte_response_format: 'text' }, false), text)
        const base64 = await readWhole({ _airbyte_max_chars, _airbyte_response_format: 'base64' })
        assert.equal(base64, file.bytes.toString('base64'))
      }
    })

  it('tells its type and encoding, and what to ask next', async () => {
    file = { bytes: Buffer.from('😀😀😀'), takesRanges: true }
    ranges = []
    const { download_token, ...told } = isFine(await ask({ _airbyte_max_chars: 2 })).result
    assert.deepEqual(told, {
      content: '😀😀',
      encoding: 'utf-8',
      content_type: 'text/plain; charset=utf-8',
      has_more: true,
      next_offset: 2,
    })
    const next = { _airbyte_text_offset: 2, _airbyte_download_token: download_token }
    assert.equal(isFine(await ask(next)).result.content, '😀')
    assert.deepEqual(ranges, [undefined, 'bytes=8-'])
  })

  it('may be of a part of the file', async () => {
    file = { bytes: Buffer.from('0123456789'), takesRanges: true }
    assert.equal(await readWhole({ range_header: 'bytes=2-6', _airbyte_max_chars: 2 }), '23456')
  })

  it('is empty behind the end, and of an empty file', async () => {
    file = { bytes: Buffer.from('abc'), takesRanges: true }
    assert.equal(isFine(await ask({ _airbyte_text_offset: 9 })).result.content, '')
    file = { bytes: Buffer.alloc(0), takesRanges: true }
    for (const _airbyte_response_format of ['text', 'base64'])
      assert.equal(await readWhole({ _airbyte_response_format }), '')
  })

  it('is text only of what is text', async () => {
    for (const bytes of [Buffer.from([0x25, 0x50, 0xe2, 0xe3, 0xcf]), Buffer.from('cut é').subarray(0, 5)]) {
      file = { bytes, takesRanges: true }
      isProblem(await ask({}), 'invalid_params', '/params/_airbyte_response_format')
      assert.equal(await readWhole({ _airbyte_response_format: 'base64' }), bytes.toString('base64'))
    }
  })

  it('belongs to one state of the file', async () => {
    file = { bytes: Buffer.from('abcdef'), etag: '"one"', takesRanges: true }
    const { next_offset, download_token } = isFine(await ask({ _airbyte_max_chars: 2 })).result
    file = { ...file, etag: '"two"' }
    const next = { _airbyte_text_offset: next_offset, _airbyte_download_token: download_token }
    isProblem(await ask(next), 'invalid_params', '/params/_airbyte_download_token')
  })

  it('is refused before anything is sent, if its params do not fit', async () => {
    const tokens = ['', 'x', 'bnVsbA', Buffer.from('{"offset":0,"byte":-1,"etag":null}').toString('base64url')]
    const wrong = [
      { _airbyte_response_type: 'xml' },
      { _airbyte_response_type: undefined, _airbyte_max_chars: 5 },
      { _airbyte_response_format: 'pdf' },
      { _airbyte_max_chars: 0 },
      { _airbyte_max_chars: 20_001 },
      { _airbyte_text_offset: -1 },
      { _airbyte_text_offset: 1.5 },
      { _airbyte_other: true },
      ...tokens.map((_airbyte_download_token) => ({ _airbyte_download_token })),
    ]
    ranges = []
    for (const params of wrong) isProblem(await ask(params), 'invalid_params', `/params/${Object.keys(params)[0]}`)
    isProblem(await ask({ _airbyte_text_offset: 3, _airbyte_download_token: tokens[3] }), 'invalid_params')
    assert.deepEqual(ranges, [])
  })
})
