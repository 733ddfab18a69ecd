/**
 * Links to files, for readers that cannot send a token, such as a browser that an agent shows a file in. A link is signed,
 * so any node answers it, and reads one file, within what the caller who got it may see.
 */
import { SignJWT } from 'jose/jwt/sign'
import { jwtVerify } from 'jose/jwt/verify'
import { ConexError } from '../errors.ts'
import type { Key } from '../service/sealing.ts'
import type { Tenant } from '../store/tenant.ts'

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

/** Other than that of tokens, so that neither stands for the other. */
const audience = 'conex-file'
const algorithm = 'HS256'
const seconds = 10 * 60

/** In characters; servers and proxies refuse long addresses. */
const longestToken = 4000

export function createFileLinks(keys: readonly Key[], now: () => number): FileLinks {
  const [first] = keys
  if (first === undefined) throw new Error('At least one token key is needed.')
  const byId = new Map(keys.map((key) => [key.id, key]))

  return {
    async issue(file) {
      const token = await new SignJWT({ file })
        .setProtectedHeader({ alg: algorithm, kid: first.id })
        .setAudience(audience)
        .setExpirationTime(Math.floor(now() / 1000) + seconds)
        .sign(first.secret)
      if (token.length > longestToken)
        throw new ConexError('file_unavailable', 'The params are too long for a link; download the file with a token.')
      return { token, expiresIn: seconds }
    },

    async verify(token) {
      try {
        const { payload } = await jwtVerify(
          token,
          ({ kid }) => {
            const key = byId.get(kid ?? '')
            if (key === undefined) throw noSuchLink()
            return key.secret
          },
          { algorithms: [algorithm], audience, currentDate: new Date(now()), requiredClaims: ['exp', 'file'] },
        )
        return payload.file as LinkedFile
      } catch {
        throw noSuchLink()
      }
    },
  }
}

const noSuchLink = (): ConexError =>
  new ConexError('not_found', 'This link to a file has expired or is not complete; ask for a new one.')
