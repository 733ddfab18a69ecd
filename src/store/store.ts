/** The ports of everything that hosted mode keeps, in the service's words. A database fills them; one suite judges it. */

import type { CopyStore } from './copy.ts'
import type { LeaseStore } from './leases.ts'

/** Whose things a call may see. An end user of null means the whole organization. */
export interface Tenant {
  readonly organizationId: string
  readonly externalUserId: string | null
}

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
}

export type ConnectorStatus = 'active' | 'reauthorization_required' | 'deleting'

/** How the copy of a connector is kept. */
export interface SyncChoice {
  readonly enabled: boolean
  readonly intervalSeconds: number
}

/** One end user's instance of a kind, without its credentials. Times are ISO 8601 in UTC. */
export interface StoredConnector {
  readonly id: string
  readonly organizationId: string
  readonly externalUserId: string
  readonly connectorType: string
  readonly name: string
  readonly authMethod: string
  readonly status: ConnectorStatus
  readonly replicationConfig: Readonly<Record<string, unknown>> | null
  readonly sync: SyncChoice
  readonly createdAt: string
  readonly updatedAt: string
}

/** Credentials as only the sealer can read them. The version counts replacements, so that an old set never overwrites a newer one. */
export interface SealedCredentials {
  readonly sealed: string
  readonly version: number
}

/** A creation that may be sent again: the caller's key, and a hash of what was asked. */
export interface IdempotencyKey {
  readonly key: string
  readonly requestHash: string
}

export type Creation =
  /** Made now, or made before under the same key; the connector is as it was when it was made. */
  | { readonly outcome: 'created' | 'repeated'; readonly connector: StoredConnector }
  /** The name is taken by this connector. */
  | { readonly outcome: 'name taken'; readonly existingId: string }
  /** The key was used before for another request. */
  | { readonly outcome: 'key taken' }

export interface ConnectorFilter {
  readonly externalUserId?: string | undefined
  readonly connectorType?: string | undefined
}

export interface ConnectorPage {
  readonly connectors: readonly StoredConnector[]
  /** The id after which the next page starts; null on the last page. */
  readonly next: string | null
}

/** What may change in a connector. What is left out stays. */
export interface ConnectorChanges {
  readonly name?: string | undefined
  readonly sync?: SyncChoice | undefined
  /** New credentials; whatever the status was, it is `active` afterwards. */
  readonly credentials?: { readonly authMethod: string; readonly sealed: string } | undefined
}

export type Update =
  | { readonly outcome: 'updated'; readonly connector: StoredConnector }
  | { readonly outcome: 'name taken'; readonly existingId: string }
  | { readonly outcome: 'missing' }

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
  /** Adds the client, or replaces its secret. False when the id belongs to another organization. */
  putClient(client: Client, now: string): Promise<boolean>
}

export interface ConnectorStore {
  /**
   * Keeps a new connector with its sealed credentials and, where there is one, the idempotency key: all of it or nothing.
   * Keys of an organization-wide caller and of each end user are told apart, and go when the connector goes.
   */
  create(tenant: Tenant, connector: StoredConnector, sealed: string, key?: IdempotencyKey): Promise<Creation>
  find(tenant: Tenant, id: string): Promise<StoredConnector | null>
  /** The connector together with its credentials, read at one moment. */
  findWithCredentials(
    tenant: Tenant,
    id: string,
  ): Promise<{ readonly connector: StoredConnector; readonly credentials: SealedCredentials } | null>
  /** Connectors by age, at most `limit`, after the given id. */
  list(tenant: Tenant, filter: ConnectorFilter, limit: number, after: string | null): Promise<ConnectorPage>
  update(tenant: Tenant, id: string, changes: ConnectorChanges, now: string): Promise<Update>
  /** Replaces credentials that are still of this version, and raises it by one; false when they are not, or the connector is gone. */
  replaceCredentials(tenant: Tenant, id: string, version: number, sealed: string): Promise<boolean>
  /** Sets the status while the credentials are still of this version, so that an old failure says nothing about new ones. */
  setStatus(tenant: Tenant, id: string, version: number, status: ConnectorStatus, now: string): Promise<boolean>
  /** Removes the connector and all that belongs to it; false when there is none. */
  delete(tenant: Tenant, id: string): Promise<boolean>
}

export interface Store {
  readonly organizations: OrganizationStore
  readonly connectors: ConnectorStore
  readonly copies: CopyStore
  readonly leases: LeaseStore
  /** Returns when the database answers; throws when it does not. */
  ready(): Promise<void>
  /** Ends the connection. Nothing may be asked afterwards. */
  close(): Promise<void>
}
