/**
 * Messages that this server signs for itself and that travel through others: any node can check them, and no store
 * keeps them.
 */
import { SignJWT } from 'jose/jwt/sign'
import { jwtVerify } from 'jose/jwt/verify'
import type { Key } from '../service/sealing.ts'

/** What a message is for; also keeps it from standing for a token. */
export type Purpose = 'conex-file' | 'conex-agent' | 'conex-agent-request' | 'conex-consent-link'

export interface SignedMessages {
  /** Signs a message, for so many seconds or for as long as the key is listed. */
  sign(purpose: Purpose, message: object, seconds?: number): Promise<string>
  /** The message; null if it is malformed, expired, foreign, or was signed for another purpose. */
  read<Message>(purpose: Purpose, text: string): Promise<Message | null>
}

const algorithm = 'HS256'

/** The first key signs and all verify. */
export function createSignedMessages(keys: readonly Key[], now: () => number): SignedMessages {
  const [first] = keys
  if (first === undefined) throw new Error('At least one token key is needed.')
  const byId = new Map(keys.map((key) => [key.id, key]))

  return {
    sign(purpose, message, seconds) {
      const signing = new SignJWT({ message })
        .setProtectedHeader({ alg: algorithm, kid: first.id })
        .setAudience(purpose)
      if (seconds !== undefined) signing.setExpirationTime(Math.floor(now() / 1000) + seconds)
      return signing.sign(first.secret)
    },

    async read(purpose, text) {
      try {
        const { payload } = await jwtVerify(
          text,
          ({ kid }) => {
            const key = byId.get(kid ?? '')
            if (key === undefined) throw new Error('The message is signed with an unknown key.')
            return key.secret
          },
          { algorithms: [algorithm], audience: purpose, currentDate: new Date(now()), requiredClaims: ['message'] },
        )
        return payload.message as never
      } catch {
        return null
      }
    },
  }
}
