/** Lists the connectors that a tenant may see. */
import Type from 'typebox'
import { decodeQuery, invalidRequest } from '../catalog/decode.ts'
import { integer, optional, text } from '../catalog/fields.ts'
import { ConexError } from '../errors.ts'
import type { Tenant } from '../store/tenant.ts'
import type { ConnectorList } from '../wire.ts'
import { endUserFields, endUserOf, kindFields, kindOf } from './aliases.ts'
import { connectorRecord } from './connector-record.ts'
import { isId } from './new-id.ts'
import type { Service } from './service.ts'

const mostConnectors = 1000

/** Query parameters. */
export const connectorQuery = Type.Object(
  {
    ...endUserFields,
    ...kindFields,
    limit: optional(
      integer('The maximum number of connectors; 100 by default.', { minimum: 1, maximum: mostConnectors }),
    ),
    cursor: optional(text('The next_cursor of the previous answer.', { minLength: 1 })),
  },
  { additionalProperties: false },
)

/**
 * The connectors, oldest first. A scoped token finds no connector of another end user, as if that user had none, so
 * it cannot learn which end users exist.
 */
export async function listConnectors(service: Service, tenant: Tenant, query: unknown): Promise<ConnectorList> {
  return list(service, tenant, query, 100)
}

/** The connectors of one end user, for clients that look them up by kind. */
export async function connectorsForUser(service: Service, tenant: Tenant, query: unknown): Promise<ConnectorList> {
  const externalUserId = endUserOf(decodeQuery(connectorQuery, query)) ?? tenant.externalUserId
  if (externalUserId === null) throw invalidRequest([{ path: '/external_user_id', message: 'is required' }])
  return list(service, tenant, { ...(query as object), external_user_id: externalUserId }, mostConnectors)
}

async function list(service: Service, tenant: Tenant, query: unknown, usual: number): Promise<ConnectorList> {
  const asked = decodeQuery(connectorQuery, query)
  const filter = { externalUserId: endUserOf(asked), connectorType: kindOf(service.catalog, asked)?.kind }
  const page = await service.store.connectors.list(tenant, filter, asked.limit ?? usual, positionOf(asked.cursor))
  return {
    connectors: page.connectors.map((connector) => connectorRecord(service.catalog, connector)),
    next_cursor: page.next === null ? null : Buffer.from(page.next).toString('base64url'),
    data: page.connectors.map(({ id, name, connectorType, createdAt, updatedAt }) => ({
      id,
      name,
      summarized_source_template: { name: connectorType },
      created_at: createdAt,
      updated_at: updatedAt,
    })),
  }
}

function positionOf(cursor: string | undefined): string | null {
  if (cursor === undefined) return null
  const id = Buffer.from(cursor, 'base64url').toString('latin1')
  if (isId(id)) return id
  throw new ConexError('invalid_cursor', 'The cursor is not from a list of connectors; start without one.', {
    issues: [{ path: '/cursor', message: 'is not a next_cursor of this list' }],
  })
}
