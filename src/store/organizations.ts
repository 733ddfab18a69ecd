/** The port of organizations and their clients, as a caller's token and the first start need them. */
import type { Tenant } from './tenant.ts'

export interface Organization {
  readonly id: string
  readonly name: string
  readonly createdAt: string
}

/** A program that may ask for tokens. Of its secret only the hash is kept. */
export interface Client {
  readonly id: string
  readonly organizationId: string
  readonly secretHash: string
  /** When it was revoked; left out of clients that were not. */
  readonly revokedAt?: string
}

export interface OrganizationStore {
  /** The organization that was made first, or null in a new store. */
  first(): Promise<Organization | null>
  /**
   * Makes the first organization with its first client, unless there is an organization already.
   * Of several nodes that start at once exactly one is told true.
   */
  createFirst(organization: Organization, client: Client): Promise<boolean>
  /** The client of this id, or null. Before a token exists there is no tenant to ask for. */
  findClient(clientId: string): Promise<Client | null>
  /** Where browsers may be sent after a consent; null when the organization lists nothing, which allows any safe address. */
  redirectUrls(tenant: Tenant): Promise<readonly string[] | null>
  /** Sets that list; false when there is no such organization. */
  setRedirectUrls(tenant: Tenant, urls: readonly string[] | null): Promise<boolean>
  /** Adds the client, or replaces its secret. False when the id belongs to another organization. */
  putClient(client: Client, now: string): Promise<boolean>
}
