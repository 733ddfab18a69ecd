/** The port of the audit log: what was done with an organization's connectors and credentials, and by whom. Only ever added to. */
import type { Tenant } from './tenant.ts'

export const auditEvents = [
  'organization.created',
  'client.created',
  'client.rotated',
  'client.revoked',
  'connector.created',
  'connector.changed',
  'connector.deleted',
  'credentials.changed',
  'credentials.refreshed',
  'credentials.refused',
  'operation.run',
  'consent.begun',
  'consent.given',
  'consent.failed',
  'end_user.deleted',
  'access.denied',
  'keys.rotated',
] as const

export type AuditEvent = (typeof auditEvents)[number]

/** Short facts beside an entry; never a secret, nor anything that a third-party system said. */
export type AuditDetails = Readonly<Record<string, string | number | boolean | null>>

/** What happened. Who did it is told by the tenant that the store is called with. */
export interface AuditEntry {
  readonly event: AuditEvent
  /** ISO 8601 in UTC. */
  readonly at: string
  readonly externalUserId?: string | null
  readonly connectorId?: string | null
  readonly details?: AuditDetails
}

/** An entry as it was kept. Numbers grow in the order of writing. */
export interface KeptAuditEntry extends Required<AuditEntry> {
  readonly number: number
  /** The client that acted; null for Conex itself and its command line. */
  readonly clientId: string | null
}

export interface AuditFilter {
  readonly event?: string | undefined
  readonly externalUserId?: string | undefined
  readonly connectorId?: string | undefined
  readonly clientId?: string | undefined
  /** From this time on, and up to this one without it. */
  readonly since?: string | undefined
  readonly until?: string | undefined
}

export interface AuditPage {
  readonly entries: readonly KeptAuditEntry[]
  /** The number before which the next page starts; null on the last page. */
  readonly next: number | null
}

/** Changes write their own entries, in the transaction that makes the change; what changes nothing is written with `append`. */
export interface AuditStore {
  append(tenant: Tenant, entry: AuditEntry): Promise<void>
  /** Entries of the organization, newest first, at most `limit`, older than the given number. */
  list(tenant: Tenant, filter: AuditFilter, limit: number, before: number | null): Promise<AuditPage>
}
