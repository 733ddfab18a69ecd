/** The official MCP client, as a program of one revision of the protocol. */
import { Client, type ClientCapabilities } from '@modelcontextprotocol/client'

/** Revisions that begin with a handshake, and the one that does not. */
export const revisions = ['2025-06-18', '2025-11-25', '2026-07-28'] as const

export type Revision = (typeof revisions)[number]

export const mcpClient = (revision: Revision, capabilities: ClientCapabilities = {}): Client =>
  new Client(
    { name: 'test', version: '1' },
    {
      capabilities,
      ...(revision === '2026-07-28'
        ? { versionNegotiation: { mode: { pin: revision } } }
        : { supportedProtocolVersions: [revision] }),
    },
  )
