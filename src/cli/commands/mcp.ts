/** `conex mcp`: the tools of agents on standard input and output, as desktop clients start them. */
import { once } from 'node:events'
import type { Command } from 'commander'
import { conex } from '../../client/conex.ts'
import { ConexError } from '../../errors.ts'
import type { SaveFile, Source } from '../../tools/source.ts'
import { findKind } from '../find-kind.ts'
import { hostedService, type ServiceOptions, withService } from '../hosted/service.ts'
import type { CommandIo } from '../kinds.ts'
import { type LocalOptions, openSystem, withLocal } from '../open-system.ts'

interface Options extends LocalOptions, ServiceOptions {
  readonly user?: string
  readonly tools?: string
}

export function addMcpCommand(program: Command, io: CommandIo): void {
  const command = program
    .command('mcp')
    .description('serve agents over MCP on standard input and output')
    .argument('[kind]', 'with --credentials, the connector type to read from this machine, for example asana')
    .option('--tools <entities>', 'one tool per operation of these entities, for example asana.tasks,gong.calls')
  withService(withLocal(command).option('--user <external_user_id>', 'only the connectors of this end user'))
    .addHelpText(
      'after',
      `
With a kind and --credentials, this machine makes the calls; otherwise a hosted service does.
Standard output carries the protocol alone, and standard error everything else.

Examples:
  conex mcp --user ann
  conex mcp asana --credentials asana.json
  conex mcp --user ann --tools asana.tasks,gong.calls`,
    )
    .action((kind: string | undefined, options: Options) => serveAgents(kind, options, io))
}

async function serveAgents(kind: string | undefined, options: Options, io: CommandIo): Promise<void> {
  const [{ serveStdio, StdioServerTransport }, { createServer }, { temporaryFiles }, { toolsOf }] = await Promise.all([
    import('@modelcontextprotocol/server/stdio'),
    import('../../mcp/server.ts'),
    import('../../tools/temporary-files.ts'),
    import('../../tools/tools.ts'),
  ])
  const files = temporaryFiles()
  const { source, close } = await openSource(kind, options, io, files.save)
  try {
    const tools = await toolsOf(source, options.tools, kind === undefined)
    const ended = Promise.race([once(io.stdin, 'end'), once(io.stdin, 'close'), io.untilStopped()])
    const server = serveStdio(() => createServer({ source, tools }), {
      transport: new StdioServerTransport(io.stdin, io.stdout),
      onerror: (error) => void io.stderr.write(`${error.message}\n`),
    })
    await ended
    await server.close()
  } finally {
    await close()
    await files.remove()
  }
}

interface Opened {
  readonly source: Source
  close(): Promise<void>
}

async function openSource(kind: string | undefined, options: Options, io: CommandIo, save: SaveFile): Promise<Opened> {
  const isLocal = options.credential !== undefined || options.credentials !== undefined
  if (isLocal !== (kind !== undefined))
    throw new ConexError(
      'invalid_request',
      'Pass a kind together with --credentials to read from this machine, or neither to read through a hosted service.',
    )
  if (kind !== undefined) {
    const { systemSource } = await import('../../tools/system-source.ts')
    const connector = findKind(io.kinds.catalog, kind)
    const system = await openSystem(connector, options, io)
    return { source: systemSource(connector.kind, connector.title, system, save), close: () => system.close() }
  }
  const { hostedSource } = await import('../../tools/hosted-source.ts')
  const service = await hostedService(options, io)
  const organization = conex(service)
  const reached = options.user === undefined ? organization : organization.forEndUser(options.user)
  return { source: hostedSource(reached, save), close: async () => {} }
}
