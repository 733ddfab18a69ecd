/** The operator's commands for organizations and their clients. A secret is shown only once, at its creation. */
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
  await parts.store.organizations.create({ id, name }, timestamp(parts))
  return { organization_id: id }
}

/** Revokes every client of an organization, and returns those that were still valid. Its connectors and copies stay. */
export async function revokeOrganization(parts: Parts, organizationId: string): Promise<readonly string[]> {
  await organizationOf(parts, organizationId)
  const clients = await parts.store.organizations.clients(organizationId)
  const good = clients.filter(({ revokedAt }) => revokedAt === null).map(({ id }) => id)
  for (const id of good) await parts.store.organizations.revokeClient(id, timestamp(parts))
  return good
}

/** The organization with this id; by default the first one. */
export async function organizationOf({ store }: Parts, id: string | undefined): Promise<string> {
  const all = await store.organizations.list()
  const found = id === undefined ? all[0] : all.find((one) => one.id === id)
  if (found !== undefined) return found.id
  throw new ConexError(
    'not_found',
    id === undefined
      ? 'There is no organization yet; start the server once, or create one.'
      : 'There is no such organization; `conex organizations list` shows all.',
  )
}

export async function createClient(parts: Parts, organizationId: string, name: string): Promise<MadeClient> {
  const made = { client_id: newId(parts.now()), client_secret: newSecret() }
  const client = { id: made.client_id, organizationId, name, secretHash: secretHash(made.client_secret) }
  if (await parts.store.organizations.createClient(client, timestamp(parts))) return made
  throw new ConexError('not_found', 'There is no such organization; `conex organizations list` shows all.')
}

/** Replaces the secret. The old one stops working at once; existing tokens stay valid until they expire. */
export async function rotateClient(parts: Parts, id: string): Promise<MadeClient> {
  const made = { client_id: id, client_secret: newSecret() }
  if (await parts.store.organizations.rotateClient(id, secretHash(made.client_secret), timestamp(parts))) return made
  throw new ConexError('not_found', 'There is no such client, or it was revoked; `conex clients list` shows all.')
}

/**
 * The client gets no more tokens. Existing ones stay valid until they expire: up to 15 minutes, scoped ones up to 20.
 */
export async function revokeClient(parts: Parts, id: string): Promise<void> {
  if (!(await parts.store.organizations.revokeClient(id, timestamp(parts))))
    throw new ConexError('not_found', 'There is no such client; `conex clients list` shows all.')
}
