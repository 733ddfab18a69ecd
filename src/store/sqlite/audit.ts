/** The audit log in SQLite. */
import type { Selectable } from 'kysely'
import type { AuditEntry, AuditEvent, AuditStore, KeptAuditEntry } from '../audit.ts'
import type { Tenant } from '../store.ts'
import { db, type Queries } from './database.ts'
import type { Tables } from './tables.ts'

export function auditStore(queries: Queries): AuditStore {
  return {
    async append(tenant, entry) {
      writeAudit(queries, tenant, entry)
    },

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
      const rows = queries.all(query.orderBy('number', 'desc').limit(limit + 1))
      const entries = rows.slice(0, limit).map(entryOf)
      return { entries, next: rows.length > limit ? entries.at(-1)!.number : null }
    },
  }
}

/** Writes an entry; inside a transaction it stands or falls with it. */
export function writeAudit(queries: Queries, tenant: Tenant, entry: AuditEntry): void {
  queries.run(
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

function entryOf(row: Selectable<Tables['audit_log']>): KeptAuditEntry {
  return {
    number: row.number,
    event: row.event as AuditEvent,
    at: row.at,
    clientId: row.client_id,
    externalUserId: row.external_user_id,
    connectorId: row.connector_id,
    details: JSON.parse(row.details),
  }
}
