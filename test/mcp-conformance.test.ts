/**
 * The protocol's own conformance suite, asked about /mcp. Its scenarios are for the revisions that begin with a handshake; the
 * official client judges the newest one in test/mcp.test.ts.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type Hosted, startHosted } from './hosted.ts'

/** What applies to a server of its own tools. */
const applying = ['server-initialize', 'ping', 'tools-list', 'resources-list', 'dns-rebinding-protection']

/** What does not, and why. */
const notApplying: Readonly<Record<string, string>> = {
  'logging-set-level': 'the newest revision has deprecated it; logs are for the operator',
  'completion-complete': 'no prompt or template needs it',
  'server-sse-polling': 'there are no sessions, and no streams to resume',
  'server-sse-multiple-streams': 'there are no sessions',
  'resources-subscribe': 'no resource changes',
  'resources-unsubscribe': 'no resource changes',
  'prompts-list': 'there are no prompts',
  'prompts-get-simple': 'there are no prompts',
  'prompts-get-with-args': 'there are no prompts',
  'prompts-get-embedded-resource': 'there are no prompts',
  'prompts-get-with-image': 'there are no prompts',
  'elicitation-sep1034-defaults': 'no tool asks its user',
  'elicitation-sep1330-enums': 'no tool asks its user',
  'tools-call-elicitation': 'no tool asks its user',
  'tools-call-sampling': 'no tool asks the model',
  'tools-call-with-logging': 'no tool logs to its caller',
  'tools-call-with-progress': 'no tool tells its progress',
  'tools-call-simple-text': 'it calls a tool of the suite’s own example server',
  'tools-call-image': 'it calls a tool of the suite’s own example server',
  'tools-call-audio': 'it calls a tool of the suite’s own example server',
  'tools-call-embedded-resource': 'it calls a tool of the suite’s own example server',
  'tools-call-mixed-content': 'it calls a tool of the suite’s own example server',
  'tools-call-error': 'it calls a tool of the suite’s own example server',
  'json-schema-2020-12': 'it looks for a tool of the suite’s own example server',
  'resources-read-text': 'it reads a resource of the suite’s own example server',
  'resources-read-binary': 'it reads a resource of the suite’s own example server',
  'resources-templates-read': 'it reads a resource of the suite’s own example server',
}

describe('the MCP conformance suite', () => {
  let hosted: Hosted
  /** The suite sends no token, so requests pass through a server that adds one and changes nothing else. */
  const doorkeeper = createServer((asked, answer) => {
    const headers = { ...asked.headers, authorization: `Bearer ${hosted.ann}` }
    const passed = request(hosted.server.origin + asked.url!, { method: asked.method!, headers }, (answered) => {
      answer.writeHead(answered.statusCode!, answered.headers)
      answered.pipe(answer)
    })
    passed.once('error', () => answer.destroy())
    asked.pipe(passed)
  })

  before(async () => {
    hosted = await startHosted({ simulators: { scale: 10 } })
    await once(doorkeeper.listen(0, '127.0.0.1'), 'listening')
  })
  after(async () => {
    doorkeeper.closeAllConnections()
    doorkeeper.close()
    await hosted.close()
  })

  it('passes in every scenario that applies, and each other one is named with a reason', async () => {
    const { port } = doorkeeper.address() as AddressInfo
    const program = join(import.meta.dirname, '../node_modules/@modelcontextprotocol/conformance/dist/index.js')
    const args = ['server', '--url', `http://127.0.0.1:${port}/mcp`, '--suite', 'all']
    const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
    let printed = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        printed += String(chunk)
      })
    await once(child, 'close')
    const outcomes = [...printed.matchAll(/^[✓✗] (\S+): (\d+) passed, (\d+) failed/gm)]
    const passed = outcomes.filter(([, , passes, failures]) => passes !== '0' && failures === '0')
    assert.deepEqual(passed.map(([, name]) => name!).toSorted(), applying.toSorted(), printed)
    const others = outcomes.map(([, name]) => name!).filter((name) => !applying.includes(name))
    assert.deepEqual(others.toSorted(), Object.keys(notApplying).toSorted())
  })
})
