import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startReading } from './reading.suite.ts'

const { at, get, simulators } = await startReading()

interface File {
  readonly gid: string
  readonly host: string
  readonly download_url: string | null
  readonly size?: number
}

const file = async (gid: string | undefined): Promise<File> =>
  (await get(`/attachments/${gid}?opt_fields=host,download_url,size`)).body.data
const address = async (gid: string | undefined) => (await file(gid)).download_url!.replace(/#.*/, '')

test('a signed address lies on another origin and gives the whole file', async () => {
  const { download_url, size } = await file(at.attachment_12338_bytes)
  assert.equal(new URL(download_url!).origin, simulators.filesOrigin)
  assert.ok(download_url!.endsWith('#_=_'))
  const response = await fetch(download_url!)
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-length'), '12338')
  assert.equal(response.headers.get('accept-ranges'), 'bytes')
  assert.match(response.headers.get('etag') ?? '', /^"\w+"$/)
  assert.equal((await response.arrayBuffer()).byteLength, size)
})

test('a range gives exactly its bytes, however far it reaches', async () => {
  const url = await address(at.attachment_12338_bytes)
  const whole = Buffer.from(await (await fetch(url)).arrayBuffer())
  const ask = async (range: string) => {
    const response = await fetch(url, { headers: { range } })
    return {
      status: response.status,
      range: response.headers.get('content-range'),
      bytes: Buffer.from(await response.arrayBuffer()),
    }
  }
  assert.deepEqual(await ask('bytes=0-524287'), { status: 206, range: 'bytes 0-12337/12338', bytes: whole })
  assert.deepEqual(await ask('bytes=12337-99999999999'), {
    status: 206,
    range: 'bytes 12337-12337/12338',
    bytes: whole.subarray(12_337),
  })
  const outside = await ask('bytes=12338-')
  assert.equal(outside.status, 416)
  assert.match(outside.bytes.toString(), /<Code>InvalidRange<\/Code>/)
})

test('a second credential is refused and echoed', async () => {
  const response = await fetch(await address(at.attachment), { headers: { authorization: 'Bearer secret-marker' } })
  assert.equal(response.status, 400)
  assert.equal(response.headers.get('content-type'), 'application/xml')
  const text = await response.text()
  assert.match(text, /<Code>InvalidArgument<\/Code><Message>Only one auth mechanism allowed/)
  assert.match(text, /<ArgumentValue>Bearer secret-marker<\/ArgumentValue>/)
})

test('a changed address is refused', async () => {
  const url = await address(at.attachment)
  for (const changed of [
    url.replace('X-Amz-Expires=120', 'X-Amz-Expires=9999'),
    url.replace(/X-Amz-Signature=..../, 'X-Amz-Signature=0000'),
    `${url}&response-content-type=text/html`,
    url.replace(/\?.*/, ''),
    url.replace(at.attachment!, at.attachment_1gib!),
  ]) {
    const response = await fetch(changed)
    assert.equal(response.status, 403, changed)
    assert.match(await response.text(), /^<\?xml/)
  }
})

test('an address is good for two minutes', async () => {
  const url = await address(at.attachment)
  simulators.advance(118_000)
  assert.equal((await fetch(url)).status, 200)
  simulators.advance(4_000)
  const late = await fetch(url)
  assert.equal(late.status, 403)
  assert.match(await late.text(), /<Code>AccessDenied<\/Code><Message>Request has expired/)
})

test('all seven hosts occur; two give no address; only own files have a size, and only when asked', async () => {
  const { data } = (await get(`/attachments?parent=${at.task_with_attachments}&opt_fields=host,download_url,size`)).body
  const hosts = new Map<string, File>(data.map((one: File) => [one.host, one]))
  assert.deepEqual([...hosts.keys()].sort(), ['asana', 'box', 'dropbox', 'external', 'gdrive', 'onedrive', 'vimeo'])
  assert.equal(hosts.get('box')?.download_url, null)
  assert.equal(hosts.get('vimeo')?.download_url, null)
  assert.deepEqual(
    data.filter((one: File) => 'size' in one).map((one: File) => one.host),
    ['asana'],
  )
  assert.ok(!('size' in (await get(`/attachments/${at.attachment}`)).body.data))
})

test('other services redirect, ask for a sign-in, or answer', async () => {
  const { data } = (await get(`/attachments?parent=${at.task_with_attachments}&opt_fields=host,download_url`)).body
  const url = (host: string) => data.find((one: File) => one.host === host).download_url
  const dropbox = await fetch(url('dropbox'), { redirect: 'manual' })
  assert.equal(dropbox.status, 302)
  assert.equal((await fetch(dropbox.headers.get('location')!)).status, 200)
  const gdrive = await fetch(url('gdrive'))
  assert.match(gdrive.headers.get('content-type') ?? '', /^text\/html/)
  assert.equal((await fetch(url('onedrive'))).headers.get('content-length'), '20480')
})

test('a real HTML file, an empty one and one with a name in Cyrillic come as they are', async () => {
  const html = await fetch(await address(at.attachment_html))
  assert.equal(html.headers.get('content-type'), 'text/html')
  assert.match(await html.text(), /^<!doctype html>/)
  assert.equal((await (await fetch(await address(at.attachment_empty))).arrayBuffer()).byteLength, 0)
  const named = await fetch(await address(at.attachment_unicode_name))
  assert.match(named.headers.get('content-disposition') ?? '', /filename\*=UTF-8''%D0%BE%D1%82/)
  assert.match(await (await fetch(await address(at.attachment_text))).text(), /^Agreed on the call/)
})

test('a file of one GiB is made while it is read', async () => {
  const url = await address(at.attachment_1gib)
  const tail = await fetch(url, { headers: { range: 'bytes=1073741820-' } })
  assert.equal(tail.headers.get('content-range'), 'bytes 1073741820-1073741823/1073741824')
  assert.equal((await tail.arrayBuffer()).byteLength, 4)
  const response = await fetch(url)
  const reader = response.body!.getReader()
  await reader.read()
  await reader.cancel()
  while (simulators.connections.running('files') > 0) await new Promise((resolve) => setTimeout(resolve, 5))
  assert.ok(simulators.connections.bytesSent('files') < 128 * 1024 ** 2)
})

test('tasks, projects and briefs have attachments', async () => {
  for (const parent of [at.task_files, at.project, at.project_brief]) {
    const { data } = (await get(`/attachments?parent=${parent}&limit=100&opt_fields=parent`)).body
    assert.ok(data.length > 0)
    for (const one of data) assert.equal(one.parent.gid, parent)
  }
})
