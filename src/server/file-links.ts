/**
 * Links to files, for readers that cannot send a token, such as a browser that an agent shows a file in. A link is signed,
 * so any node answers it, and reads one file, within what the caller who got it may see.
 */
import { ConexError } from '../errors.ts'
import type { Tenant } from '../store/tenant.ts'
import type { SignedMessages } from './signed-messages.ts'

/** The file, and whose it is. */
export interface LinkedFile {
  readonly tenant: Tenant
  readonly connectorId: string
  readonly entity: string
  readonly params: Readonly<Record<string, unknown>>
}

export interface FileLinks {
  issue(file: LinkedFile): Promise<{ readonly token: string; readonly expiresIn: number }>
  /** The file of a link; `not_found` if it is malformed, expired or foreign. */
  verify(token: string): Promise<LinkedFile>
}

const seconds = 10 * 60

/** In characters; servers and proxies refuse long addresses. */
const longestToken = 4000

export function createFileLinks(messages: SignedMessages): FileLinks {
  return {
    async issue(file) {
      const token = await messages.sign('conex-file', file, seconds)
      if (token.length > longestToken)
        throw new ConexError('file_unavailable', 'The params are too long for a link; download the file with a token.')
      return { token, expiresIn: seconds }
    },

    async verify(token) {
      const file = await messages.read<LinkedFile>('conex-file', token)
      if (file !== null) return file
      throw new ConexError('not_found', 'This link to a file has expired or is not complete; ask for a new one.')
    },
  }
}
