/** Tells whether a connector is ready to use, for clients that look at it before they call it. */
import type { Tenant } from '../store/tenant.ts'
import type { Inspection } from '../wire.ts'
import { getConnector } from './get-connector.ts'
import type { Service } from './service.ts'

const warnings: Readonly<Record<string, string>> = {
  reauthorization_required:
    'The third-party system rejects the credentials; send new ones, or let the end user consent again.',
  unavailable: 'The server does not load this connector type; ask its operator.',
  deleting: 'The connector is being deleted.',
}

export async function inspectConnector(service: Service, tenant: Tenant, id: string): Promise<Inspection> {
  const connector = await getConnector(service, tenant, id)
  const { status, connector_type } = connector
  const kind = status === 'unavailable' ? undefined : service.catalog[connector_type]
  return {
    ...connector,
    ready: status === 'active',
    docs_skill_id: connector_type,
    entities: Object.keys(kind?.entities ?? {}),
    warnings: status === 'active' ? [] : [warnings[status]!],
  }
}
