/** The audit log. */
import type { AuditEntry, AuditEvent, AuditStore, KeptAuditEntry } from '../audit.ts'
import type { Tenant } from '../tenant.ts'
import { all, change, type Queries, type Steps } from './steps.ts'
import { db, type Row } from './tables.ts'

export function auditStore(queries: Queries): AuditStore {
  return {
    append: (tenant, entry) => queries.run(writeAudit(tenant, entry)),

    async list(tenant, filter, limit, before) {
      let query = db.selectFrom('audit_log').selectAll().where('organization_id', '=', tenant.organizationId)
      const externalUserId = tenant.externalUserId ?? filter.externalUserId
      if (externalUserId !== undefined) query = query.where('external_user_id', '=', externalUserId)
      if (filter.event !== undefined) query = query.where('event', '=', filter.event)
      if (filter.connectorId !== undefined) query = query.where('connector_id', '=', filter.connectorId)
      if (filter.clientId !== undefined) query = query.where('client_id', '=', filter.clientId)
      if (filter.since !== undefined) query = query.where('at', '>=', filter.since)
      if (filter.until !== undefined) query = query.where('at', '<', filter.until)
      if (before !== null) query = query.where('number', '<', before)
      const rows = await queries.run(all(query.orderBy('number', 'desc').limit(limit + 1)))
      const entries = rows.slice(0, limit).map(entryOf)
      return { entries, next: rows.length > limit ? entries.at(-1)!.number : null }
    },
  }
}

/** Writes an entry; inside a transaction it stands or falls with it. */
export function* writeAudit(tenant: Tenant, entry: AuditEntry): Steps<void> {
  yield* change(
    db.insertInto('audit_log').values({
      organization_id: tenant.organizationId,
      at: entry.at,
      event: entry.event,
      client_id: tenant.clientId ?? null,
      external_user_id: entry.externalUserId ?? tenant.externalUserId,
      connector_id: entry.connectorId ?? null,
      details: JSON.stringify(entry.details ?? {}),
    }),
  )
}

function entryOf(row: Row<'audit_log'>): KeptAuditEntry {
  return {
    number: Number(row.number),
    event: row.event as AuditEvent,
    at: row.at,
    clientId: row.client_id,
    externalUserId: row.external_user_id,
    connectorId: row.connector_id,
    details: JSON.parse(row.details),
  }
}
