import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, beforeEach, describe, it } from 'node:test'
import { badRanges } from '../src/catalog/hostile-params.suite.ts'
import { type Hosted, isProblem, startHosted, until } from './hosted.ts'

describe('downloads', () => {
  let hosted: Hosted
  const download = (attachment: string, range_header?: unknown) =>
    hosted.execute('attachments', 'download', { attachment_gid: hosted.at[attachment], range_header })
  const file = async (attachment: string, range_header?: string) => {
    const params = { attachment_gid: hosted.at[attachment], ...(range_header !== undefined && { range_header }) }
    const response = await hosted.stream('attachments', params)
    return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
  }
  const toFiles = () => hosted.received().filter(({ host }) => host === 'files')

  before(async () => {
    hosted = await startHosted({ settings: { downloadIdleSeconds: 1 } })
  })
  beforeEach(() => hosted.calm())
  after(() => hosted.close())

  it('gives the bytes, what describes them, and the file’s own name', async () => {
    const { status, headers, bytes } = await file('attachment_text')
    assert.equal(status, 200)
    assert.match(bytes.toString(), /^Agreed on the call/)
    assert.equal(headers.get('content-type'), 'text/plain')
    assert.equal(headers.get('content-length'), String(bytes.length))
    assert.equal(headers.get('accept-ranges'), 'bytes')
    assert.match(headers.get('content-disposition')!, /^attachment; filename="Notes from the call.txt"$/)
  })

  it('reads the record first, then the file with no credentials and no leave to compress', async () => {
    await file('attachment_text')
    const [record, bytes] = hosted.received()
    assert.equal(record!.path, `/asana/api/1.0/attachments/${hosted.at.attachment_text}`)
    assert.ok(record!.headers.authorization?.startsWith('Bearer '))
    assert.equal(bytes!.host, 'files')
    assert.equal(bytes!.headers.authorization, undefined)
    assert.equal(bytes!.headers.cookie, undefined)
    assert.equal(bytes!.headers['accept-encoding'], 'identity')
  })

  it('an empty file and an HTML file are files', async () => {
    const empty = await file('attachment_empty')
    assert.deepEqual([empty.status, empty.bytes.length, empty.headers.get('content-length')], [200, 0, '0'])
    const html = await file('attachment_html')
    assert.match(html.bytes.toString(), /^<!doctype html>/)
    assert.equal(html.headers.get('content-type'), 'text/html')
  })

  const parts: readonly (readonly [string, number, number])[] = [
    ['bytes=0-0', 0, 1],
    ['bytes=500-599', 500, 600],
    ['bytes=0-524287', 0, 12_338],
    ['bytes=12337-99999999999', 12_337, 12_338],
    ['bytes=12000-', 12_000, 12_338],
    ['bytes=-500', 11_838, 12_338],
    ['bytes=-99999', 0, 12_338],
  ]
  for (const [range, start, end] of parts)
    it(`${range} gives exactly its bytes`, async () => {
      const { bytes: whole } = await file('attachment_12338_bytes')
      const { status, headers, bytes } = await file('attachment_12338_bytes', range)
      assert.equal(status, 206)
      assert.equal(headers.get('content-range'), `bytes ${start}-${end - 1}/12338`)
      assert.equal(headers.get('content-length'), String(end - start))
      assert.deepEqual(bytes, whole.subarray(start, end))
    })

  it('a range that is none is refused before anything is sent', async () => {
    for (const range of badRanges)
      isProblem(await download('attachment_1000_bytes', range), 'invalid_params', '/params/range_header')
    assert.deepEqual(hosted.received(), [])
  })

  it('huge numbers in a range overflow nothing', async () => {
    for (const range of ['bytes=-18446744073709551616', 'bytes=0-18446744073709551616']) {
      const answer = await hosted.stream('attachments', {
        attachment_gid: hosted.at.attachment_1000_bytes!,
        range_header: range,
      })
      const bytes = Buffer.from(await answer.arrayBuffer())
      if (answer.status === 206) assert.equal(bytes.length, 1000)
      else assert.equal(answer.status, 422)
    }
  })

  it('a range behind the end is 416 with the size', async () => {
    const answer = await download('attachment_1000_bytes', 'bytes=1000-')
    isProblem(answer, 'range_not_satisfiable')
    assert.equal(answer.headers.get('content-range'), 'bytes */1000')
  })

  it('a host that ignores the range gives an honest whole', async () => {
    hosted.fault({ type: 'ignore_range' }, { host: 'files' })
    const { status, headers, bytes } = await file('attachment_1000_bytes', 'bytes=500-599')
    assert.deepEqual([status, bytes.length, headers.get('content-length')], [200, 1000, '1000'])
    assert.equal(headers.get('content-range'), null)
    hosted.fault({ type: 'ignore_range', only_with_accept_encoding: true }, { host: 'files' })
    assert.equal((await file('attachment_1000_bytes', 'bytes=500-599')).status, 206)
  })

  it('names of every alphabet become a valid header', async () => {
    const named = async (value?: string) => {
      hosted.fault({ type: 'content_disposition', ...(value !== undefined && { value }) }, { host: 'files' })
      const { status, headers, bytes } = await file('attachment_unicode_name')
      assert.deepEqual([status, bytes.length], [200, 30_000])
      const header = headers.get('content-disposition')!
      assert.match(header, /^[\x20-\x7e]*$/)
      const plain = /filename="([^"\\]*)"/.exec(header)![1]!
      const star = /filename\*=UTF-8''([^;]*)/.exec(header)
      return star ? decodeURIComponent(star[1]!) : plain
    }
    assert.equal(await named(), 'отчёт “Q3” 🎉.pdf')
    assert.equal(await named('attachment; filename="отчёт.pdf"'), 'отчёт.pdf')
    assert.equal(await named("attachment; filename*=UTF-8''%E6%95%B0%E9%87%8F.pdf"), '数量.pdf')
    assert.equal(await named('attachment; filename="a\\"b\\\\c.pdf"'), 'a"b_c.pdf')
    assert.equal(await named('inline; filename="../../etc/passwd"'), '.._.._etc_passwd')
    assert.equal(await named('inline'), 'отчёт “Q3” 🎉.pdf')
  })

  it('an address that has run out is asked for once more', async () => {
    const { bytes: whole } = await file('attachment_12338_bytes')
    hosted.calm()
    hosted.fault({ type: 'status', status: 403 }, { host: 'files' })
    assert.deepEqual((await file('attachment_12338_bytes')).bytes, whole)
    assert.equal(hosted.received().length, 4)
    hosted.calm()
    hosted.fault({ type: 'status', status: 403 }, { host: 'files', times: null })
    isProblem(await download('attachment_12338_bytes'), 'upstream_error')
    assert.equal(hosted.received().length, 4)
  })

  it('an address that is out before it is used is told without a word of the host’s page', async () => {
    const get = await hosted.execute('attachments', 'get', { attachment_gid: hosted.at.attachment })
    const stale = get.body.result.download_url as string
    hosted.systems.advance(600_000)
    hosted.calm()
    hosted.fault({ type: 'patch', record: { download_url: stale } }, { host: 'api', times: null })
    const answer = await download('attachment')
    isProblem(answer, 'upstream_error')
    assert.doesNotMatch(answer.text, /<|X-Amz|AccessDenied|Signature/)
    assert.equal(toFiles().length, 2)
  })

  it('redirects are followed, a few of them', async () => {
    const get = await hosted.execute('attachments', 'list', { parent: hosted.at.task_with_attachments })
    const dropbox = get.body.result.find(({ name }: { name: string }) => name === 'Location scouting.zip').gid
    const answer = await hosted.execute('attachments', 'download', { attachment_gid: dropbox })
    assert.equal(answer.status, 200)
    hosted.fault({ type: 'redirect', status: 307, location: '{files}{path}' }, { host: 'files', times: null })
    isProblem(await download('attachment'), 'upstream_error')
    for (const location of ['file:///etc/passwd', 'ftp://127.0.0.1/', 'data:text/plain,x', 'http://u:p@127.0.0.1/']) {
      hosted.calm()
      hosted.fault({ type: 'redirect', location }, { host: 'files', times: null })
      isProblem(await download('attachment'), 'upstream_error')
    }
  })

  it('a record without a file says where it is kept', async () => {
    const answer = await download('attachment_external_null')
    isProblem(answer, 'file_unavailable')
    assert.match(answer.body.detail, /vimeo/)
    assert.deepEqual(toFiles(), [])
  })

  it('a host’s refusal is an error, not a file', async () => {
    for (const [status, code] of [
      [404, 'file_unavailable'],
      [410, 'file_unavailable'],
      [400, 'upstream_error'],
      [429, 'upstream_rate_limited'],
      [500, 'upstream_error'],
      [503, 'upstream_error'],
    ] as const) {
      hosted.calm()
      hosted.fault({ type: 'html', status }, { host: 'files', times: null })
      isProblem(await download('attachment'), code)
    }
    for (const effect of [{ type: 'reset' }, { type: 'cut', bytes: 0 }] as const) {
      hosted.calm()
      hosted.fault(effect, { host: 'files', times: null })
      const answer = await download('attachment')
      assert.equal(answer.status, 502, answer.text)
    }
  })

  it('a file that its host keeps compressed is given as it is', async () => {
    const { bytes: whole } = await file('attachment_12338_bytes')
    hosted.fault({ type: 'gzip' }, { host: 'files' })
    const { status, headers, bytes } = await file('attachment_12338_bytes')
    assert.deepEqual([status, bytes], [200, whole])
    assert.equal(headers.get('content-encoding'), null)
    assert.equal(headers.get('content-length'), null)
  })

  it('a file is counted against the size in its record', async () => {
    hosted.fault({ type: 'patch', record: { size: 50_000 } }, { host: 'api', times: null })
    isProblem(await download('attachment_12338_bytes'), 'upstream_invalid_response')
    hosted.fault({ type: 'gzip' }, { host: 'files' })
    const response = await hosted.stream('attachments', { attachment_gid: hosted.at.attachment_12338_bytes! })
    assert.equal(response.status, 200)
    await assert.rejects(response.arrayBuffer())
  })

  it('a part that does not fit the range is refused', async () => {
    hosted.fault({ type: 'delay', headers: { 'content-range': 'bytes 0-99/1000' } }, { host: 'files' })
    isProblem(await download('attachment_1000_bytes', 'bytes=500-599'), 'upstream_invalid_response')
  })

  for (const effect of [
    { type: 'cut', as: 'length', bytes: 200_000 },
    { type: 'cut', as: 'chunked', bytes: 200_000 },
    { type: 'stall', bytes: 200_000 },
  ] as const)
    it(`a file that stops half way (${effect.type} ${'as' in effect ? effect.as : ''}) breaks the connection`, async () => {
      hosted.fault(effect, { host: 'files' })
      const response = await hosted.stream('attachments', { attachment_gid: hosted.at.attachment! })
      assert.equal(response.status, 200)
      await assert.rejects(response.arrayBuffer())
      await until(() => hosted.systems.connections.running() === 0)
    })

  it('a file of 1 GiB streams through in bounded memory', async () => {
    const grown = () => process.memoryUsage().rss
    const response = await hosted.stream('attachments', { attachment_gid: hosted.at.attachment_1gib! })
    assert.equal(response.headers.get('content-length'), String(1024 ** 3))
    const before = grown()
    let size = 0
    let most = 0
    const start = createHash('sha256')
    for await (const chunk of response.body!) {
      if (size === 0) start.update(chunk)
      size += chunk.length
      most = Math.max(most, grown())
    }
    assert.equal(size, 1024 ** 3)
    // Client, server and simulators share this process; a buffered file would show as a gigabyte.
    assert.ok(most - before < 256 * 1024 ** 2, `${(most - before) / 1024 ** 2} MiB`)
  })
})

describe('a server that may reach public addresses alone', () => {
  it('sends nothing to a private one, neither for records nor for files', async (t) => {
    const hosted = await startHosted({ settings: { allowPrivateNetwork: false } })
    t.after(() => hosted.close())
    for (const [entity, action, params] of [
      ['workspaces', 'list', {}],
      ['attachments', 'download', { attachment_gid: hosted.at.attachment }],
    ] as const) {
      const answer = await hosted.execute(entity, action, params)
      isProblem(answer, 'upstream_error')
      assert.match(answer.body.detail, /not allowed|not public/)
    }
    assert.deepEqual(hosted.received(), [])
    assert.equal(hosted.systems.connections.open(), 0)
  })
})
