/** Run by `.ci/run` in a folder that holds nothing but the installed package: a call in local mode, as a program makes it. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const folder = process.argv[2]!
const door = pathToFileURL(join(folder, 'node_modules/conex/dist/index.js'))
const { connect, ConexError } = (await import(door.href)) as typeof import('../src/index.ts')

const system = createServer((request, response) => {
  assert.equal(request.headers.authorization, 'Bearer packed')
  response.setHeader('content-type', 'application/json')
  response.end('{"data":[{"gid":"1201","resource_type":"workspace","name":"Packed"}],"next_page":null}')
}).listen(0, '127.0.0.1')
await new Promise((resolve) => system.once('listening', resolve))

const asana = connect('asana', {
  credentials: { token: 'packed' },
  baseUrl: `http://127.0.0.1:${(system.address() as AddressInfo).port}/api/1.0`,
  allowPrivateNetwork: true,
})
const { result } = await asana.workspaces.list()
assert.deepEqual(result, [{ gid: '1201', resource_type: 'workspace', name: 'Packed' }])
await assert.rejects(
  asana.workspaces.search({ query: {} }),
  (error) => error instanceof ConexError && error.code === 'search_unavailable',
)
await asana.close()
system.close()
process.stdout.write('the packed package works\n')
