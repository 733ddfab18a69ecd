/** Calls the third-party system for a stored connector, and keeps what the call tells about its credentials. */
import type { Call } from '../engine/call.ts'
import { ConexError } from '../errors.ts'
import type { SealedCredentials, StoredConnector, Tenant } from '../store/store.ts'
import { credentialSource } from './credential-source.ts'
import { kindOfConnector } from './kind-of-connector.ts'
import { type Service, timestamp } from './service.ts'

/** Runs the work with the connector's credentials; a rejection of them, and a success after one, shows in its status. */
export async function callConnector<T>(
  service: Omit<Service, 'syncs'>,
  tenant: Tenant,
  { connector, credentials }: { readonly connector: StoredConnector; readonly credentials: SealedCredentials },
  operation: Pick<Call, 'entity' | 'action' | 'params' | 'signal'>,
  run: (call: Call) => Promise<T>,
): Promise<T> {
  const kind = kindOfConnector(service, connector)
  const source = credentialSource(service, tenant, kind, connector, credentials)
  const setStatus = (status: 'active' | 'reauthorization_required') =>
    service.store.connectors.setStatus(tenant, connector.id, source.version(), status, timestamp(service))
  try {
    const result = await run({
      ...operation,
      connector: kind,
      baseUrl: service.settings.baseUrls[kind.kind],
      credentials: source,
    })
    // The answer counts, of which a part may be on its way already; the next call says the same again.
    if (connector.status === 'reauthorization_required')
      await setStatus('active').catch((error: unknown) =>
        service.log.error({ connector_id: connector.id, reason: String(error) }, 'a status could not be written'),
      )
    return result
  } catch (error) {
    const rejected = error instanceof ConexError && error.code === 'reauthorization_required'
    // A renewal on the way here made it active again, whatever it was before.
    const known = connector.status === 'reauthorization_required' && source.version() === credentials.version
    if (rejected && !known) await setStatus('reauthorization_required')
    throw error
  }
}
