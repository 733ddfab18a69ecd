/** The ports of everything that hosted mode keeps, in the service's words. A database fills them; one suite judges it. */

import type { AuditDetails, AuditStore } from './audit.ts'
import type { ClientStore } from './clients.ts'
import type { CopyStore } from './copy.ts'
import type { LeaseStore } from './leases.ts'
import type { LedgerStore } from './ledgers.ts'
import type { ScheduleStore } from './schedule.ts'
import type { SealStore } from './seals.ts'

/** Whose things a call may see. An end user of null means the whole organization. */
export interface Tenant {
  readonly organizationId: string
  readonly externalUserId: string | null
  /** The client that acts, for the audit log; left out where Conex acts by itself. */
  readonly clientId?: string
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
  /** When it was revoked; left out of clients that were not. */
  readonly revokedAt?: string
}

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

/** Whose a grant is: what a secret_id has to be used for. */
export interface GrantBinding {
  readonly secretHash: string
  readonly externalUserId: string
  readonly connectorType: string
}

/** What a finished consent gave, sealed until a connector takes it over. */
export interface Grant extends GrantBinding {
  readonly sealed: string
  readonly expiresAt: string
}

/** A consent that a person was sent to give: found by the hash of its state. */
export interface Consent {
  readonly stateHash: string
  readonly externalUserId: string
  readonly connectorType: string
  /** Where the browser goes in the end. */
  readonly redirectUrl: string
  readonly sealed: string
  readonly expiresAt: string
}

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

/** Consents and grants end by themselves; those that have are removed in passing. Times are ISO 8601 in UTC. */
export interface ConsentStore {
  begin(tenant: Tenant, consent: Consent, now: string): Promise<void>
  /**
   * The consent with this state, which works once: of several takers one gets it. Null when there is none, or when it has ended.
   * The browser that brings a state has no token; the state tells whose it is.
   */
  take(stateHash: string, now: string): Promise<(Consent & { readonly organizationId: string }) | null>
  keepGrant(tenant: Tenant, grant: Grant, now: string): Promise<void>
  /** The grant, if it is this organization's, for this end user and kind; `sealed` is null once a connector has taken it over. */
  findGrant(tenant: Tenant, grant: GrantBinding, now: string): Promise<{ readonly sealed: string | null } | null>
  /** Puts renewed credentials into a grant that no connector has taken over yet. */
  renewGrant(tenant: Tenant, grant: GrantBinding, sealed: string): Promise<void>
}

export interface Store {
  readonly organizations: OrganizationStore
  readonly connectors: ConnectorStore
  readonly consents: ConsentStore
  readonly audit: AuditStore
  readonly clients: ClientStore
  readonly seals: SealStore
  readonly copies: CopyStore
  readonly leases: LeaseStore
  readonly ledgers: LedgerStore
  readonly schedule: ScheduleStore
  /** Whether the database answers, and has room to write; throws when it does not answer. */
  ready(): Promise<'ready' | 'full'>
  /** Ends the connection. Nothing may be asked afterwards. */
  close(): Promise<void>
}
