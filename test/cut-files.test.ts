/** Files that end too early, by every way in which one can be had: none of them ever looks whole. */
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { connect } from '../src/index.ts'
import { conex } from './conex.ts'
import { type Hosted, startHosted } from './hosted.ts'

const bytes = Buffer.alloc(20_000, 'bytes of a file ')

interface Cut {
  readonly head: readonly string[]
  readonly body?: Buffer
  readonly end?: 'reset'
  readonly range?: string
  readonly size?: number
}

const cuts: Readonly<Record<string, Cut>> = {
  'a reset where the end of the connection is the end': { head: ['200 OK'], end: 'reset' },
  'a reset where the connection is to be closed': { head: ['200 OK', 'Connection: close'], end: 'reset' },
  'chunks without the last one': {
    head: ['200 OK', 'Transfer-Encoding: chunked'],
    body: Buffer.from('5\r\nbytes\r\n'),
  },
  'fewer bytes than the range': {
    head: ['206 Partial Content', 'Content-Range: bytes 0-49999/100000'],
    range: 'bytes=0-49999',
  },
  'fewer bytes than the record tells': { head: ['200 OK'], size: 50_000 },
  'fewer bytes than the host tells': { head: ['200 OK', 'Content-Length: 50000'] },
  'half of what was compressed': { head: ['200 OK', 'Content-Encoding: gzip'], body: gzipSync(bytes).subarray(0, 60) },
}

describe('a file that is cut', () => {
  let hosted: Hosted
  let folder: string
  let current: Cut
  const sockets = new Set<Socket>()
  const files = createTcpServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    socket.once('data', () => {
      const { head, body = bytes, end } = current
      socket.write(`HTTP/1.1 ${head.join('\r\n')}\r\n\r\n`)
      socket.write(body, () => {
        // The bytes are to arrive before the reset does, which would take them away.
        if (end === 'reset') setTimeout(() => socket.resetAndDestroy(), 50)
        else socket.end()
      })
    })
  })
  const records = createServer((_, response) => {
    const { port } = files.address() as AddressInfo
    const data = {
      gid: '1',
      name: 'a.txt',
      host: 'asana',
      size: current.size,
      download_url: `http://127.0.0.1:${port}/a`,
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }))
  })
  const baseUrl = (): string => `http://127.0.0.1:${(records.address() as AddressInfo).port}`

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'conex-cut-'))
    await new Promise<void>((resolve) => records.listen(0, '127.0.0.1', resolve))
    await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve))
    hosted = await startHosted({ settings: { baseUrls: { asana: baseUrl() } } })
  })
  after(async () => {
    await hosted.close()
    for (const socket of sockets) socket.destroy()
    files.close()
    records.close()
    rmSync(folder, { recursive: true })
  })

  for (const [name, cut] of Object.entries(cuts))
    it(`by ${name} fails for a caller of the service, of the library and of the command line`, async () => {
      current = cut
      const params = { attachment_gid: '1', ...(cut.range !== undefined && { range_header: cut.range }) }
      await assert.rejects(async () => {
        const response = await hosted.stream('attachments', params)
        assert.ok(response.ok)
        await response.arrayBuffer()
      })

      const credentials = { token: 'a-token' }
      await using asana = connect('asana', { credentials, baseUrl: baseUrl(), allowPrivateNetwork: true })
      await assert.rejects(asana.attachments.download(params).then((file) => file.bytes()))

      const output = join(folder, 'a.txt')
      const given = Object.entries(params).flatMap(([param, value]) => ['--param', `${param}=${value}`])
      const where = ['--base-url', baseUrl(), '--allow-private-network', '--credential', 'token=a-token']
      const ended = await conex(['execute', 'asana', 'attachments', 'download', ...given, '--output', output, ...where])
      assert.notEqual(ended.code, 0)
      assert.ok(!existsSync(output) && !existsSync(`${output}.part`))
    })
})
