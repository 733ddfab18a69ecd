/** `conex mcp`, started and asked by the official client, as a desktop program does it. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import {
  type Client,
  type ClientCapabilities,
  type ElicitRequestURLParams,
  UrlElicitationRequiredError,
} from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { main } from './command.ts'
import { conex } from './conex.ts'
import { startConsenting } from './consenting.ts'
import { type HostedCommands, startHostedCommands } from './hosted-commands.ts'
import { linkVisitor } from './link-visitor.ts'
import { mcpClient } from './mcp-client.ts'

describe('conex mcp', () => {
  let commands: HostedCommands
  before(async () => {
    commands = await startHostedCommands()
  })
  after(() => commands.close())

  async function connected(
    args: readonly string[],
    revision: '2025-11-25' | '2026-07-28' = '2026-07-28',
    capabilities: ClientCapabilities = {},
  ) {
    const client = mcpClient(revision, capabilities)
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [main, 'mcp', ...args],
      env: { ...commands.env, PATH: process.env.PATH!, NODE_OPTIONS: process.env.NODE_OPTIONS ?? '' },
      stderr: 'inherit',
    })
    await client.connect(transport)
    return client
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  const call = async (client: Client, name: string, given: object = {}): Promise<any> =>
    client.callTool({ name, arguments: given as never })

  it('reads through a hosted service, and only what the end user may see', async () => {
    const { hosted } = commands
    await hosted.connect(hosted.credentials('two'), (await hosted.server.issueToken('bob')).token)
    const client = await connected(['--user', 'ann', '--tools', 'asana.workspaces'], '2025-11-25')
    const { tools } = await client.listTools()
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['asana_workspaces_list', 'asana_workspaces_get', 'asana_workspaces_search'],
    )
    // Her connector is the only one, so it need not be named.
    const read = await call(client, 'asana_workspaces_list')
    assert.equal(read.structuredContent.result[0].gid, hosted.at.workspace)
    await client.close()
  })

  it('reads a system with credentials of its own, and keeps files while it runs', async () => {
    const { hosted, folder } = commands
    const file = join(folder, 'asana.json')
    writeFileSync(file, JSON.stringify(hosted.credentials('one')))
    const baseUrl = hosted.systems.describe().asana!.base_url
    const client = await connected(['asana', '--credentials', file, '--base-url', baseUrl, '--allow-private-network'])
    const { tools } = await client.listTools()
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['list_connectors', 'describe', 'execute', 'get_file'],
    )
    const read = await call(client, 'execute', { connector: 'asana', entity: 'workspaces', action: 'list' })
    assert.equal(read.structuredContent.result[0].gid, hosted.at.workspace)
    const described = await call(client, 'describe', { connector: 'asana', entity: 'tasks' })
    assert.doesNotMatch(described.content[0].text, /search/)
    const params = { attachment_gid: hosted.at.attachment_12338_bytes }
    const got = await call(client, 'get_file', { connector: 'asana', entity: 'attachments', params })
    const [said, link] = got.content
    assert.match(said.text, /valid while this server runs/)
    const path = fileURLToPath(link.uri)
    assert.equal((await readFile(path)).length, 12338)
    await client.close()
    await assert.rejects(readFile(path), { code: 'ENOENT' })
  })

  it('lets its user sign in again where a login has ended', async () => {
    const { hosted } = commands
    const consenting = await startConsenting(hosted)
    const { refresh_token } = hosted.credentials('oauth')
    hosted.systems.change('asana', { change: 'revoke_grant', refresh_token })
    const { token } = await hosted.server.issueToken('eve')
    for (const revision of ['2025-11-25', '2026-07-28'] as const) {
      const connector = await hosted.connect(hosted.credentials('oauth'), token)
      const client = await connected(['--user', 'eve'], revision, { elicitation: { url: {} } })
      client.setRequestHandler('elicitation/create', async ({ params }) => {
        await linkVisitor(consenting).signIn((params as ElicitRequestURLParams).url)
        return { action: 'accept' }
      })
      const read = () => call(client, 'execute', { connector, entity: 'workspaces', action: 'list' })
      if (revision === '2025-11-25') {
        const error = await read().then(assert.fail, (reason: unknown) => reason)
        assert.ok(error instanceof UrlElicitationRequiredError, String(error))
        await linkVisitor(consenting).signIn((error.elicitations as ElicitRequestURLParams[])[0]!.url)
      }
      assert.ok((await read()).structuredContent.result.length > 0)
      await client.close()
    }
  })

  it('says what to do where the credentials are those of this machine', async () => {
    const baseUrl = commands.hosted.systems.describe().asana!.base_url
    const args = ['asana', '--credential', 'token=2/1/none', '--base-url', baseUrl, '--allow-private-network']
    const client = await connected(args, '2026-07-28', { elicitation: { url: {} } })
    const { isError, content } = await call(client, 'execute', {
      connector: 'asana',
      entity: 'workspaces',
      action: 'list',
    })
    assert.equal(isError, true)
    assert.match(content[0].text, /^reauthorization_required: [\s\S]*put new credentials in the place of those/)
    await client.close()
  })

  it('says on standard error what it needs, and nothing on standard output', async () => {
    for (const [args, expected] of [
      [['mcp', 'asana'], /--credentials/],
      [['mcp', '--credential', 'token=x'], /Pass a kind/],
      [['mcp', 'asna', '--credential', 'token=x'], /did you mean "asana"\?/],
      [['mcp', '--user', 'ann', '--tools', 'asana.task'], /did you mean "tasks"\?/],
    ] as const) {
      const { code, stdout, stderr } = await conex(args, { env: commands.env })
      assert.equal(code, 2, stderr)
      assert.equal(stdout.toString(), '')
      assert.match(stderr, expected)
    }
  })
})
