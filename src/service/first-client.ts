/** Creates the first organization and its client, so that a new installation works at once. */
import { randomBytes } from 'node:crypto'
import type { Organization } from '../store/organizations.ts'
import { secretHash } from './authenticate-client.ts'
import { newId } from './new-id.ts'
import { type Service, timestamp } from './service.ts'

export interface ClientSecret {
  readonly id: string
  readonly secret: string
}

export interface FirstClient {
  readonly organization: Organization
  /** The new client; its secret is known only now. Null if there already was one. */
  readonly made: ClientSecret | null
}

/**
 * Creates the organization and client if they are missing. At every start, a client that the operator names gets its
 * secret.
 */
export async function ensureFirstClient(
  { store, now }: Pick<Service, 'store' | 'now'>,
  named: ClientSecret | null,
): Promise<FirstClient> {
  const createdAt = timestamp({ now })
  const organization: Organization = { id: newId(now()), name: 'default', createdAt }
  const client = named ?? { id: newId(now()), secret: randomBytes(32).toString('base64url') }
  const kept = (organizationId: string) => ({ id: client.id, organizationId, secretHash: secretHash(client.secret) })
  if (await store.organizations.createFirst(organization, kept(organization.id))) return { organization, made: client }
  const first = (await store.organizations.list())[0]!
  if (named !== null && !(await store.organizations.putClient(kept(first.id), createdAt)))
    throw new Error(`The client id "${named.id}" belongs to another organization; choose another CONEX_CLIENT_ID.`)
  return { organization: first, made: null }
}
