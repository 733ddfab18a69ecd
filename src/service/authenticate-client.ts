/** Authenticates the programs that ask for tokens. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { ConexError } from '../errors.ts'
import type { Client } from '../store/organizations.ts'
import type { Service } from './service.ts'

/**
 * The hash of a client secret. One round of SHA-256 is enough: a secret is 256 random bits, or at least 32 characters
 * that the operator chose, too many to guess. A slow hash would let callers load the processor.
 */
export const secretHash = (secret: string): string => createHash('sha256').update(secret).digest('base64url')

/** Refuses a client that was revoked after it got its token. The server's own tokens have no client. */
export async function stillAuthorized({ store }: Pick<Service, 'store'>, clientId: string): Promise<void> {
  const client = await store.organizations.findClient(clientId)
  if (client?.revokedAt !== undefined)
    throw new ConexError('unauthenticated', 'The client of this token was revoked; it gets no more tokens.')
}

/** The client with this id and secret. An unknown id and a wrong secret get the same answer in the same time. */
export async function authenticateClient(
  { store }: Pick<Service, 'store'>,
  clientId: string,
  secret: string,
): Promise<Client> {
  const client = await store.organizations.findClient(clientId)
  const given = Buffer.from(secretHash(secret))
  const known = Buffer.from(client?.secretHash ?? secretHash(''))
  if (timingSafeEqual(given, known) && client !== null && client.revokedAt === undefined) return client
  throw new ConexError('unauthenticated', 'The client_id or the client_secret is wrong; check both.')
}
