/** The MCP server: its tools and resources over a source, in every revision of the protocol that the SDK speaks. */
import {
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { didYouMean } from '../catalog/did-you-mean.ts'
import { truncate } from '../catalog/truncate.ts'
import { ConexError } from '../errors.ts'
import { expected, failed } from '../tools/failure.ts'
import type { Source } from '../tools/source.ts'
import type { Tool, ToolResult } from '../tools/tool.ts'
import { version } from '../version.ts'
import { askingOf, LoginEnded, remedyFor, tellingLogins } from './ended-login.ts'
import { listResources, readResource, resourceTemplates } from './resources.ts'

export interface ServerOptions {
  readonly source: Source
  readonly tools: readonly Tool[]
  /** Whether the client said, in a handshake that another server of this source heard, that it opens links. */
  readonly opensLinks?: boolean
  /** Ends calls whose caller is gone. */
  readonly signal?: AbortSignal
  /** Told each error that a model was answered with, and each one that nobody expected. */
  readonly onError?: (error: unknown) => void
}

const instructions =
  'Reads the business systems that are connected to Conex. list_connectors gives them; describe tells what each can be asked.'

/** A server for one HTTP request, or one connection. It keeps nothing between calls. */
export function createServer({ source, tools, opensLinks = false, signal, onError }: ServerOptions): Server {
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  const nameOf = (tool: string): string | undefined => byName.get(tool)?.name
  const server = new Server(
    { name: 'conex', title: 'Conex', version },
    { capabilities: { tools: {}, resources: {} }, instructions },
  )
  const definitions = tools.map(({ call: _, resource, ...definition }) => ({
    ...definition,
    ...(resource !== undefined && { description: `${definition.description} More is in the resource ${resource}.` }),
  }))
  server.setRequestHandler('tools/list', () => ({ tools: definitions as never }))
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const tool = byName.get(params.name)
    if (tool === undefined) {
      const guess = didYouMean(params.name, byName.keys()) || `; there are ${[...byName.keys()].join(', ')}.`
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool "${truncate(params.name)}"${guess}`)
    }
    return (await answerOf(tool, params.arguments, context)) as never
  })
  server.setRequestHandler('resources/list', () =>
    protocolErrors(async () => ({ resources: await listResources(source) })),
  )
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates }))
  server.setRequestHandler('resources/read', ({ params }) =>
    protocolErrors(async () => ({ contents: [await readResource(source, params.uri)] })),
  )
  return server

  async function answerOf(
    tool: Tool,
    given: unknown,
    context: ServerContext,
  ): Promise<ToolResult | InputRequiredResult> {
    const ends = signal === undefined ? context.mcpReq.signal : AbortSignal.any([signal, context.mcpReq.signal])
    const failure = (error: unknown): ToolResult => {
      if (ends.aborted) throw error
      onError?.(error)
      return failed(error, tool.name, given, nameOf)
    }
    try {
      return await tool.call(given, tellingLogins(source), ends)
    } catch (error) {
      if (!(error instanceof LoginEnded)) return failure(error)
      onError?.(error.refusal)
      const asking = askingOf(server, context, opensLinks)
      const remedy = await remedyFor(error.connector, source, context, asking, ends).catch(failure)
      if (remedy === null) return tool.call(given, source, ends).catch(failure)
      if (remedy instanceof ProtocolError) throw remedy
      return typeof remedy === 'string' ? failed(error.refusal, tool.name, given, nameOf, remedy) : remedy
    }
  }

  async function protocolErrors<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      onError?.(error)
      if (error instanceof ConexError && error.status < 500)
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message)
      throw new ProtocolError(ProtocolErrorCode.InternalError, expected(error).message)
    }
  }
}
