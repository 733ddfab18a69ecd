/** Deletes a connector with everything that is kept for it. */
import type { Tenant } from '../store/store.ts'
import { isId } from './new-id.ts'
import { noSuchConnector } from './no-such-connector.ts'
import type { Service } from './service.ts'

export async function deleteConnector(service: Service, tenant: Tenant, id: string): Promise<void> {
  const deleted = isId(id) && (await service.store.connectors.delete(tenant, id.toLowerCase()))
  if (!deleted) throw noSuchConnector()
  // Its lease and its copy are gone already, so that a sync, wherever it runs, can write nothing more.
  await service.syncs.end(id.toLowerCase())
}
