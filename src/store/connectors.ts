/** The port of connectors and their sealed credentials. */
import type { AuditDetails } from './audit.ts'
import type { GrantBinding } from './consents.ts'
import type { Tenant } from './tenant.ts'

export type ConnectorStatus = 'active' | 'reauthorization_required' | 'deleting'

/** How the copy of a connector is kept. */
export interface SyncChoice {
  readonly enabled: boolean
  readonly intervalSeconds: number
  /** From when on dated records are copied; absent where the kind says it. */
  readonly startDate?: string
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
  /** The grant was taken over by another connector meanwhile. */
  | { readonly outcome: 'grant used' }

export interface ConnectorFilter {
  readonly externalUserId?: string | undefined
  readonly connectorType?: string | undefined
}

export interface ConnectorPage {
  readonly connectors: readonly StoredConnector[]
  /** The id after which the next page starts; null on the last page. */
  readonly next: string | null
}

/** Changes to a connector; absent fields stay as they are. */
export interface ConnectorChanges {
  readonly name?: string | undefined
  /** What it becomes from what it is by then: others may change another part of it at the same time. */
  readonly sync?: ((before: SyncChoice) => SyncChoice) | undefined
  /** New credentials; whatever the status was, it is `active` afterwards. */
  readonly credentials?:
    | { readonly authMethod: string; readonly sealed: string; readonly grant?: GrantBinding | undefined }
    | undefined
}

export type Update =
  | { readonly outcome: 'updated'; readonly connector: StoredConnector; readonly before: StoredConnector }
  | { readonly outcome: 'name taken'; readonly existingId: string }
  | { readonly outcome: 'missing' }
  | { readonly outcome: 'grant used' }

export interface DeletionNote {
  readonly at: string
  readonly details?: AuditDetails
}

export interface ConnectorStore {
  /**
   * Keeps a new connector with its sealed credentials and, where there are any, the idempotency key and the grant that it uses
   * up: all of it or nothing.
   * Keys of an organization-wide caller and of each end user are told apart, and go when the connector goes.
   */
  create(
    tenant: Tenant,
    connector: StoredConnector,
    sealed: string,
    key?: IdempotencyKey,
    grant?: GrantBinding,
  ): Promise<Creation>
  /** What a creation with this key would be told before anything else is looked at; null when the key is new. */
  createdBefore(tenant: Tenant, key: IdempotencyKey): Promise<Creation | null>
  /** The id of the connector that has the name of this one already, or null. */
  nameTaken(tenant: Tenant, connector: StoredConnector): Promise<string | null>
  find(tenant: Tenant, id: string): Promise<StoredConnector | null>
  /** The connector together with its credentials, read at one moment. */
  findWithCredentials(
    tenant: Tenant,
    id: string,
  ): Promise<{ readonly connector: StoredConnector; readonly credentials: SealedCredentials } | null>
  /** Connectors by age, at most `limit`, after the given id. */
  list(tenant: Tenant, filter: ConnectorFilter, limit: number, after: string | null): Promise<ConnectorPage>
  update(tenant: Tenant, id: string, changes: ConnectorChanges, now: string): Promise<Update>
  /**
   * Takes the right to renew credentials of this version until the given time, or holds it until then; false when another
   * has it past `now` (and no further ahead than can be), when the version is another one, or the connector is gone.
   */
  takeRenewal(
    tenant: Tenant,
    id: string,
    version: number,
    renewer: string,
    now: string,
    until: string,
  ): Promise<boolean>
  /** Gives that right back; does nothing when another has taken it since. */
  endRenewal(tenant: Tenant, id: string, renewer: string): Promise<void>
  /**
   * Replaces credentials that are still of this version with renewed ones, raises it by one and ends the right to renew them;
   * false when they are not, or the connector is gone. A connector that had to be reauthorized is active again.
   */
  replaceCredentials(tenant: Tenant, id: string, version: number, sealed: string, now?: string): Promise<boolean>
  /**
   * Sets the status while the credentials are still of this version, so that an old failure says nothing about new ones; false
   * when they are not, or when it is the status already.
   */
  setStatus(tenant: Tenant, id: string, version: number, status: ConnectorStatus, now: string): Promise<boolean>
  /** Removes the connector and all that belongs to it; false when there is none. The note goes into the audit log. */
  delete(tenant: Tenant, id: string, note?: DeletionNote): Promise<boolean>
  /** Removes all connectors, consents and grants of an end user; gives how many connectors there were. */
  deleteEndUser(tenant: Tenant, externalUserId: string, note?: DeletionNote): Promise<number>
}
