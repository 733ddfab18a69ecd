/** What an operator does with organizations and their clients. A secret is given once, when it is made. */
import { randomBytes } from 'node:crypto'
import { ConexError } from '../errors.ts'
import { secretHash } from './authenticate-client.ts'
import { newId } from './new-id.ts'
import { type Service, timestamp } from './service.ts'

type Parts = Pick<Service, 'store' | 'now'>

export interface MadeClient {
  readonly client_id: string
  readonly client_secret: string
}

const newSecret = (): string => randomBytes(32).toString('base64url')

export async function createOrganization(parts: Parts, name: string): Promise<{ readonly organization_id: string }> {
  const id = newId(parts.now())
  await parts.store.clients.createOrganization({ id, name }, timestamp(parts))
  return { organization_id: id }
}

/** Revokes every client of an organization; what it has stays. Gives the clients that were still good. */
export async function revokeOrganization(parts: Parts, organizationId: string): Promise<readonly string[]> {
  await organizationOf(parts, organizationId)
  const clients = await parts.store.clients.clients(organizationId)
  const good = clients.filter(({ revokedAt }) => revokedAt === null).map(({ id }) => id)
  for (const id of good) await parts.store.clients.revokeClient(id, timestamp(parts))
  return good
}

/** The organization of this id; the first one when none is named. */
export async function organizationOf({ store }: Parts, id: string | undefined): Promise<string> {
  const all = await store.clients.organizations()
  const found = id === undefined ? all[0] : all.find((one) => one.id === id)
  if (found !== undefined) return found.id
  throw new ConexError(
    'not_found',
    id === undefined
      ? 'There is no organization yet; start the server once, or make one.'
      : 'There is no such organization; `conex organizations list` shows all.',
  )
}

export async function createClient(parts: Parts, organizationId: string, name: string): Promise<MadeClient> {
  const made = { client_id: newId(parts.now()), client_secret: newSecret() }
  const client = { id: made.client_id, organizationId, name, secretHash: secretHash(made.client_secret) }
  if (await parts.store.clients.createClient(client, timestamp(parts))) return made
  throw new ConexError('not_found', 'There is no such organization; `conex organizations list` shows all.')
}

/** A new secret in the place of the old one, which is good no longer; tokens that are out live to their end. */
export async function rotateClient(parts: Parts, id: string): Promise<MadeClient> {
  const made = { client_id: id, client_secret: newSecret() }
  if (await parts.store.clients.rotateClient(id, secretHash(made.client_secret), timestamp(parts))) return made
  throw new ConexError('not_found', 'There is no such client, or it was revoked; `conex clients list` shows all.')
}

/** No new token for this client from now on; those that are out live to their end, at most 15 minutes, scoped ones 20. */
export async function revokeClient(parts: Parts, id: string): Promise<void> {
  if (!(await parts.store.clients.revokeClient(id, timestamp(parts))))
    throw new ConexError('not_found', 'There is no such client; `conex clients list` shows all.')
}
