/** The lines that connect a desktop program for agents to the demo's server. */
import { join } from 'node:path'

export interface AgentAccess {
  readonly origin: string
  readonly client: { readonly id: string; readonly secret: string }
  readonly endUser: string
}

/** In the form of `mcpServers`, which most programs read, on three lines. */
export function agentSettings({ origin, client, endUser }: AgentAccess): string {
  const [command, ...args] = [...program(), 'mcp', '--user', endUser]
  const env = { CONEX_URL: origin, CONEX_CLIENT_ID: client.id, CONEX_CLIENT_SECRET: client.secret }
  return `{"mcpServers": {"conex": {
  "command": ${JSON.stringify(command)}, "args": ${JSON.stringify(args)},
  "env": ${JSON.stringify(env)}}}}`
}

/** In a clone, the sources with the Node that runs them, because nothing is on the path of a desktop program. */
const program = (): string[] =>
  import.meta.filename.endsWith('.ts')
    ? [process.execPath, join(import.meta.dirname, '../main.ts')]
    : ['npx', '-y', '-p', 'conex-server', 'conex']
