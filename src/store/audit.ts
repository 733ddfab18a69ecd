/** The audit log: what was done with an organization's connectors and credentials, and by whom. Only ever added to. */
import { all, change, type Queries, type Steps } from './sql/steps.ts'
import { db, given } from './sql/tables.ts'
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
  'request.sent',
  'consent.begun',
  'consent.given',
  'consent.failed',
  'sign_in_code.created',
  'agent.allowed',
  'agent.ended',
  'end_user.deleted',
  'webhook.created',
  'webhook.changed',
  'webhook.secret_rotated',
  'webhook.deleted',
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

export interface AuditFilter {
  readonly event?: string | undefined
  readonly externalUserId?: string | undefined
  readonly connectorId?: string | undefined
  readonly clientId?: string | undefined
  /** From this time on, and up to this one without it. */
  readonly since?: string | undefined
  readonly until?: string | undefined
}

/** Changes write their own entries, in the transaction that makes the change; what changes nothing is written with `append`. */
export function auditStore(queries: Queries) {
  return {
    append: (tenant: Tenant, entry: AuditEntry) => queries.run(writeAudit(tenant, entry)),

    /**
     * Entries of the organization, newest first, at most `limit`, older than the given number; `next` is the one before which the
     * next page starts, null on the last page.
     */
    async list(tenant: Tenant, filter: AuditFilter, limit: number, before: number | null) {
      const { event, connectorId, clientId, since, until } = filter
      const externalUserId = tenant.externalUserId ?? filter.externalUserId
      const equal = given({ organizationId: tenant.organizationId, externalUserId, event, connectorId, clientId })
      let query = db
        .selectFrom('auditLog')
        .selectAll()
        .where((where) => where.and(equal))
      if (since !== undefined) query = query.where('at', '>=', since)
      if (until !== undefined) query = query.where('at', '<', until)
      if (before !== null) query = query.where('number', '<', before)
      const rows = await queries.run(all(query.orderBy('number', 'desc').limit(limit + 1)))
      const entries = rows.slice(0, limit).map(({ organizationId: _, ...row }) => ({
        ...row,
        number: Number(row.number),
        event: row.event as AuditEvent,
        details: JSON.parse(row.details) as AuditDetails,
      }))
      return { entries, next: rows.length > limit ? entries.at(-1)!.number : null }
    },
  }
}

/** Writes an entry; inside a transaction it stands or falls with it. */
export function* writeAudit(tenant: Tenant, entry: AuditEntry): Steps<void> {
  const { organizationId, clientId = null } = tenant
  const { event, at, externalUserId, connectorId = null } = entry
  const details = JSON.stringify(entry.details ?? {})
  const who = { organizationId, clientId, externalUserId: externalUserId ?? tenant.externalUserId }
  yield* change(db.insertInto('auditLog').values({ ...who, at, event, connectorId, details }))
}
