/** Finds one connector. */
import type { StoredConnector } from '../store/connectors.ts'
import type { SealedCredentials } from '../store/credentials.ts'
import type { Tenant } from '../store/tenant.ts'
import type { ConnectorRecord } from '../wire.ts'
import { connectorRecord } from './connector-record.ts'
import { isId } from './new-id.ts'
import { noSuchConnector } from './no-such-connector.ts'
import type { Service } from './service.ts'

export async function getConnector(service: Service, tenant: Tenant, id: string): Promise<ConnectorRecord> {
  const connector = isId(id) ? await service.store.connectors.find(tenant, id.toLowerCase()) : null
  if (connector === null) throw noSuchConnector()
  return connectorRecord(service.catalog, connector)
}

/** The connector and its sealed credentials, for use cases that call the third-party system. */
export async function connectorToCall(
  service: Service,
  tenant: Tenant,
  id: string,
): Promise<{ readonly connector: StoredConnector; readonly credentials: SealedCredentials }> {
  const found = isId(id) ? await service.store.connectors.findWithCredentials(tenant, id.toLowerCase()) : null
  if (found === null) throw noSuchConnector()
  return found
}
