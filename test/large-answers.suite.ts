/** Many answers at once that are small on their way and large in memory, for a server with little of that. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { connectors, executePath } from './hosted.ts'
import { type Nodes, prepareNodes, type ServerNode } from './nodes.ts'

const mib = 1024 * 1024
const list = (record: string, bytes: number): string =>
  `{"data":[${Array(Math.floor(bytes / (record.length + 1)))
    .fill(record)
    .join()}]}`
const task = JSON.stringify({ gid: '1', resource_type: 'workspace', name: 'a workspace', notes: 'x'.repeat(2000) })
const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

const bodies = {
  'empty records': gzipSync(list('{}', 15 * mib)),
  'fewer empty records': gzipSync(list('{}', 2 * mib)),
  'empty lists': brotliCompressSync(list('[]', 15 * mib), quick),
  'a tower of lists in each record': gzipSync(list(`{"gid":"1","a":${'['.repeat(900)}${']'.repeat(900)}}`, 15 * mib)),
  'numbers that keep their digits': gzipSync(list('{"gid":"1","a":[2.50,1.10,3.30]}', 12 * mib)),
  'other names in each': gzipSync(
    `{"data":[${Array.from({ length: 600_000 }, (_, at) => `{"gid":"1","${at.toString(36)}":0}`)}]}`,
  ),
  'ordinary records': gzipSync(list(task, 4 * mib)),
  'ordinary records, not compressed': Buffer.from(list(task, 12 * mib)),
  'no JSON': gzipSync('['.repeat(15 * mib)),
} as const

const allowed = new Set(['rate_limited', 'upstream_invalid_response', 'upstream_timeout'])

/** `count` answers at a time, together far more than the memory of the server. */
export function largeAnswersSuite(count: number): void {
  describe(`${count} large answers at once`, () => {
    let nodes: Nodes
    let node: ServerNode
    let system: Server
    let body: Buffer
    let connector: string
    const run = () => node.call('POST', executePath(connector), { entity: 'workspaces', action: 'list' })

    before(async () => {
      system = createServer((_, response) => {
        const isPlain = body[0] === 0x7b
        const encoding = isPlain ? {} : { 'content-encoding': body[0] === 0x1f ? 'gzip' : 'br' }
        response.writeHead(200, { 'content-type': 'application/json', ...encoding })
        response.end(body)
      })
      await once(system.listen(0, '127.0.0.1'), 'listening')
      nodes = await prepareNodes()
      node = await nodes.start({
        CONEX_ASANA_BASE_URL: `http://127.0.0.1:${(system.address() as AddressInfo).port}`,
        NODE_OPTIONS: '--max-old-space-size=256',
      })
      const credentials = { token: 'any' }
      const made = { external_user_id: 'ann', connector_type: 'asana', name: 'one', credentials }
      connector = (await node.call('POST', connectors, made)).body.id
    })
    after(async () => {
      system.closeAllConnections()
      system.close()
      await nodes.close()
    })

    for (const [what, bytes] of Object.entries(bodies))
      it(`of ${what} are given or refused with a code, and the server lives`, async () => {
        body = bytes
        const answers = await Promise.all(Array.from({ length: count }, run))
        for (const { status, body } of answers)
          assert.ok(status === 200 || allowed.has(body.code), `${status} ${body.code} ${body.detail}`)
        if (what.startsWith('ordinary')) assert.ok(answers.some(({ status }) => status === 200))
        body = Buffer.from('{"data":[{"gid":"1","resource_type":"workspace","name":"small"}],"next_page":null}')
        const small = await run()
        assert.equal(small.status, 200, JSON.stringify(small.body))
        assert.equal((await node.call('GET', '/healthz')).status, 200)
      })
  })
}
