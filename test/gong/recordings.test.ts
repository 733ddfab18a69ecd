/** Downloads of recordings: in two steps, over two hosts. */
import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import type { Download } from '../../src/client/mode.ts'
import type { Effect } from '../../src/simulator/fault-effects.ts'
import { bodyOf, type Connection, refused, startConnection } from './connected.ts'

describe('a recording', async () => {
  const connection: Connection = await startConnection()
  const { gong, at, simulators } = connection
  after(() => connection.close())
  beforeEach(() => simulators.faults.clear())

  const ask = (callId: string | undefined, range?: string) => ({
    filter: { callIds: [callId!] },
    contentSelector: { exposedFields: { media: true } },
    ...(range === undefined ? {} : { range_header: range }),
  })
  const whole = async ({ body }: Download): Promise<Buffer> => Buffer.concat(await Array.fromAsync(body))
  const short = at['call of half a minute']
  const onFiles = (effect: Effect, times: number | null = 1): void =>
    void simulators.faults.add({ host: 'files', times, effect })

  it('arrives whole, from an address asked for with nothing but the call and its media', async () => {
    const sent = await connection.during(async () => {
      const download = await gong.call_audio.download(ask(short))
      assert.equal(download.status, 200)
      assert.equal(download.headers.get('content-type'), 'audio/mpeg')
      assert.equal(download.headers.get('content-disposition'), `attachment; filename="call-${short}.mp3"`)
      const bytes = await whole(download)
      assert.equal(String(bytes.length), download.headers.get('content-length'))
      assert.equal(bytes.toString('latin1', 0, 3), 'ID3')
    })
    assert.deepEqual(
      sent.map(({ host, method }) => `${host} ${method}`),
      ['api POST', 'files GET'],
    )
    assert.deepEqual(bodyOf(sent[0]), {
      filter: { callIds: [short] },
      contentSelector: { exposedFields: { media: true } },
    })
    assert.equal(sent[1]?.headers.authorization, undefined)
    assert.equal(sent[1]?.headers.cookie, undefined)
    assert.equal(sent[1]?.headers['accept-encoding'], 'identity')
  })

  it('arrives in part where a range was asked for', async () => {
    const all = await whole(await gong.call_audio.download(ask(short)))
    const size = all.length
    for (const [range, from, to] of [
      ['bytes=0-0', 0, 0],
      ['bytes=500-599', 500, 599],
      ['bytes=500-', 500, size - 1],
      ['bytes=-500', size - 500, size - 1],
      [`bytes=${size - 1}-99999999999`, size - 1, size - 1],
    ] as const) {
      const download = await gong.call_audio.download(ask(short, range))
      assert.equal(download.status, 206)
      assert.equal(download.headers.get('content-range'), `bytes ${from}-${to}/${size}`)
      const part = await whole(download)
      assert.equal(download.headers.get('content-length'), String(part.length))
      assert.ok(part.equals(all.subarray(from, to + 1)))
    }
  })

  it('is video where that was asked for', async () => {
    const download = await gong.call_video.download(ask(short, 'bytes=4-11'))
    assert.equal((await whole(download)).toString('latin1'), 'ftypmp42')
    assert.equal(download.headers.get('content-type'), 'video/mp4')
    assert.match(download.headers.get('content-disposition') ?? '', /\.mp4"$/)
  })

  it('keeps its type when the host calls it a stream of bytes', async () => {
    onFiles({ type: 'content_type', value: 'binary/octet-stream' }, null)
    for (const [entity, type] of [
      ['call_audio', 'audio/mpeg'],
      ['call_video', 'video/mp4'],
    ] as const) {
      const { headers, body } = await gong[entity].download(ask(short, 'bytes=0-9'))
      assert.equal(headers.get('content-type'), type)
      await body.cancel()
    }
  })

  it('is told to be missing, and why, when the call has none', async () => {
    const video = await refused(gong.call_video.download(ask(at['call by telephone'])), 'file_unavailable')
    assert.match(video.message, /This call has no video.*call_audio/)
    const imported = await refused(gong.call_audio.download(ask(at['imported call'])), 'file_unavailable')
    assert.match(imported.message, /no audio for this call.*imported/)
    await refused(gong.call_video.download(ask(at['meeting without a recording'])), 'file_unavailable')
  })

  it('outside of its end is a range that cannot be satisfied', async () => {
    const error = await refused(gong.call_audio.download(ask(short, 'bytes=99999999-')), 'range_not_satisfiable')
    assert.equal(error.contentRange, 'bytes */240000')
  })

  it('is looked for anew once when its address has run out', async () => {
    onFiles({ type: 'status', status: 403, body: '<Error><Code>AccessDenied</Code></Error>' })
    const sent = await connection.during(async () => {
      await whole(await gong.call_audio.download(ask(short, 'bytes=0-9')))
    })
    assert.deepEqual(
      sent.map(({ host }) => host),
      ['api', 'files', 'api', 'files'],
    )
    connection.change('settings', { media_seconds: -1 })
    const error = await refused(gong.call_audio.download(ask(short)), 'upstream_error')
    assert.doesNotMatch(error.message, /AccessDenied|Signature|http/)
    connection.change('settings', { media_seconds: 28_800 })
  })

  it('is no page, whatever type the host gives it', async () => {
    const page = '<!DOCTYPE html><html><body>Sign in</body></html>'
    for (const entity of ['call_audio', 'call_video'] as const) {
      onFiles({ type: 'html', status: 200 })
      await refused(gong[entity].download(ask(short)), 'upstream_invalid_response')
      onFiles({ type: 'body', body: page, headers: { 'content-type': 'audio/mpeg' } })
      await refused(gong[entity].download(ask(short)), 'upstream_invalid_response')
      onFiles({ type: 'body', body: `\n  ${page.toLowerCase()}`, headers: { 'content-type': 'video/mp4' } })
      await refused(gong[entity].download(ask(short)), 'upstream_invalid_response')
    }
  })

  it('is an honest whole where the host does not know ranges', async () => {
    onFiles({ type: 'ignore_range' })
    const download = await gong.call_audio.download(ask(short, 'bytes=500-599'))
    assert.equal(download.status, 200)
    assert.equal(download.headers.get('content-range'), null)
    assert.equal((await whole(download)).length, 240_000)
    onFiles({ type: 'ignore_range', only_with_accept_encoding: true })
    assert.equal((await whole(await gong.call_audio.download(ask(short, 'bytes=500-599')))).length, 100)
  })

  it('follows redirects with the range and without any credentials', async () => {
    onFiles({ type: 'redirect', status: 302, location: '{files}{path}' }, 2)
    assert.equal((await whole(await gong.call_audio.download(ask(short, 'bytes=500-599')))).length, 100)
    // The other host knows no recordings; what counts is what it was sent.
    onFiles({ type: 'redirect', status: 307, location: '{api}{path}' })
    const sent = await connection.during(() =>
      refused(gong.call_audio.download(ask(short, 'bytes=0-9')), 'file_unavailable'),
    )
    const strayed = sent.filter(({ host, path }) => host === 'api' && path.includes('/media/'))
    assert.equal(strayed.length, 1)
    assert.equal(strayed[0]?.headers.authorization, undefined)
    assert.equal(strayed[0]?.headers.range, 'bytes=0-9')
    onFiles({ type: 'redirect', status: 302, location: '{files}{path}' }, null)
    await refused(gong.call_audio.download(ask(short)), 'upstream_error')
  })

  it('ends with the caller’s interest in it', async () => {
    const download = await gong.call_video.download(ask(at['meeting with video']))
    for await (const _ of download.body) break
    await download.body.cancel()
    for (let tries = 0; simulators.connections.running('files') > 0; tries++) {
      assert.ok(tries < 200, 'the host still sends')
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    assert.ok(simulators.connections.bytesSent('files') < 64 * 1024 * 1024)
  })
})
