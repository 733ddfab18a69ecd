/**
 * Part of `npm run test:long`: the official inspector's command line, asked about `/mcp` and about `conex mcp`. It needs the package
 * registry of npm, and brings too much with it to be a dependency; its version is pinned, so that it says the same tomorrow.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { main } from '../command.ts'
import { type HostedCommands, startHostedCommands } from '../hosted-commands.ts'

const inspector = '@modelcontextprotocol/inspector@2.12.0'

describe('the MCP inspector', () => {
  const folder = mkdtempSync(join(tmpdir(), 'conex-inspector-'))
  let commands: HostedCommands
  let targets: Readonly<Record<string, readonly string[]>>

  /** Runs a program to its end and gives all that it wrote to standard output; a failure shows everything. */
  async function run(command: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const program = spawn(command, args, {
      cwd: folder,
      env: { ...process.env, ...env, HOME: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let out = ''
    let all = ''
    program.stdout.on('data', (part) => {
      out += String(part)
      all += String(part)
    })
    program.stderr.on('data', (part) => (all += String(part)))
    const [code] = await once(program, 'close')
    assert.equal(code, 0, `${command} ${args.join(' ')}\n${all}`)
    return out
  }

  /** The JSON that the inspector prints about a method. */
  async function inspect(target: string, method: string, ...more: readonly string[]) {
    const program = join(folder, 'node_modules/.bin/mcp-inspector')
    const printed = await run(program, ['--cli', ...targets[target]!, '--method', method, ...more])
    return JSON.parse(printed)
  }

  before(async () => {
    commands = await startHostedCommands()
    const { server } = commands.hosted
    const { token } = await server.issueToken('ann')
    writeFileSync(join(folder, 'package.json'), '{ "private": true }')
    await run('npm', ['install', '--silent', '--no-audit', '--no-fund', inspector])
    const settings = Object.entries(commands.env).flatMap(([name, value]) => ['-e', `${name}=${value}`])
    targets = {
      http: [`${server.origin}/mcp`, '--transport', 'http', '--header', `Authorization: Bearer ${token}`],
      stdio: [process.execPath, main, 'mcp', '--user', 'ann', ...settings],
    }
  })
  after(async () => {
    await commands.close()
    rmSync(folder, { recursive: true })
  })

  for (const target of ['http', 'stdio']) {
    it(`lists the tools over ${target}, and finds no fault in their schemas`, async () => {
      const { tools } = await inspect(target, 'tools/list', '--strict')
      assert.deepEqual(tools.map(({ name }: { name: string }) => name).slice(0, 4), [
        'list_connectors',
        'describe',
        'execute',
        'search',
      ])
    })

    it(`calls a tool over ${target}`, async () => {
      const args = ['connector=asana', 'entity=workspaces', 'action=list'].flatMap((arg) => ['--tool-arg', arg])
      const { structuredContent, isError } = await inspect(target, 'tools/call', '--tool-name', 'execute', ...args)
      assert.ok(!isError)
      assert.equal(structuredContent.result[0].gid, commands.hosted.at.workspace)
    })

    it(`lists and reads the resources over ${target}`, async () => {
      const { resources } = await inspect(target, 'resources/list')
      const uris = resources.map(({ uri }: { uri: string }) => uri)
      assert.ok(uris.includes('conex://search-language') && uris.includes('conex://catalog/asana'), String(uris))
      const { contents } = await inspect(target, 'resources/read', '--uri', 'conex://catalog/asana')
      assert.match(contents[0].text, /^Asana \(asana\)\./)
    })
  }
})
