/** Reads the audit log of an organization. */
import Type, { type Static } from 'typebox'
import { decodeQuery, invalidRequest } from '../catalog/decode.ts'
import { integer, oneOf, optional } from '../catalog/fields.ts'
import { ConexError } from '../errors.ts'
import { instantOf } from '../search/instant.ts'
import { auditEvents } from '../store/audit.ts'
import type { Tenant } from '../store/tenant.ts'
import type { AuditList } from '../wire.ts'
import { endUserFields, endUserOf } from './aliases.ts'
import { idPattern } from './new-id.ts'
import type { Service } from './service.ts'

const moment = (description: string) =>
  optional(
    Type.String({
      description,
      pattern:
        '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])T([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d(\\.\\d{1,3})?)?(Z|[+-]([01]\\d|2[0-3]):[0-5]\\d)$',
      'x-form': 'a date-time such as 2026-01-31T00:00:00Z',
    }),
  )

export const auditQuery = Type.Object(
  {
    ...endUserFields,
    event: optional(oneOf(auditEvents, 'Only entries of this event.')),
    connector_id: optional(
      Type.String({
        description: 'Only entries about this connector.',
        pattern: idPattern,
        'x-form': 'the id of a connector',
      }),
    ),
    client_id: optional(Type.String({ description: 'Only what this client did.', maxLength: 255 })),
    since: moment('Only entries at or after this time.'),
    until: moment('Only entries before this time.'),
    limit: optional(integer('Entries per page; 100 by default.', { minimum: 1, maximum: 1000 })),
    cursor: optional(Type.String({ description: 'The next_cursor of the previous page.', maxLength: 64 })),
  },
  { additionalProperties: false },
)

export async function listAudit(service: Service, tenant: Tenant, query: unknown): Promise<AuditList> {
  const asked = decodeQuery(auditQuery, query)
  const page = await service.store.audit.list(tenant, filterOf(asked), asked.limit ?? 100, positionOf(asked.cursor))
  return {
    entries: page.entries.map((entry) => ({
      id: String(entry.number),
      event: entry.event,
      at: entry.at,
      client_id: entry.clientId,
      external_user_id: entry.externalUserId,
      connector_id: entry.connectorId,
      details: entry.details,
    })),
    next_cursor: page.next === null ? null : Buffer.from(`audit ${page.next}`).toString('base64url'),
  }
}

function filterOf(asked: Static<typeof auditQuery>) {
  return {
    event: asked.event,
    externalUserId: endUserOf(asked),
    connectorId: asked.connector_id?.toLowerCase(),
    clientId: asked.client_id,
    since: inUtc('since'),
    until: inUtc('until'),
  }

  function inUtc(name: 'since' | 'until'): string | undefined {
    const given = asked[name]
    if (given === undefined) return undefined
    if (instantOf(given) !== null) return new Date(given).toISOString()
    throw invalidRequest([{ path: `/${name}`, message: 'must be a date-time such as 2026-01-31T00:00:00Z' }])
  }
}

function positionOf(cursor: string | undefined): number | null {
  if (cursor === undefined) return null
  const [, number] = /^audit (\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? []
  if (number !== undefined) return Number(number)
  throw new ConexError('invalid_cursor', 'The cursor is not from the audit log; start without one.', {
    issues: [{ path: '/cursor', message: 'is not a next_cursor of the audit log' }],
  })
}
