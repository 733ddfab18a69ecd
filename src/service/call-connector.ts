/** Calls the third-party system for a stored connector, and keeps the status of its credentials. */
import type { CallTarget } from '../engine/call/call.ts'
import { ConexError } from '../errors.ts'
import type { StoredConnector } from '../store/connectors.ts'
import type { SealedCredentials } from '../store/credentials.ts'
import type { Tenant } from '../store/tenant.ts'
import { credentialSource, noteStatus } from './credential-source.ts'
import { kindOfConnector } from './kind-of-connector.ts'
import type { Service } from './service.ts'

/**
 * Runs work with the connector's credentials. If the system rejects them, or accepts them again, their status
 * changes.
 */
export async function callConnector<T>(
  service: Omit<Service, 'syncs'>,
  tenant: Tenant,
  { connector, credentials }: { readonly connector: StoredConnector; readonly credentials: SealedCredentials },
  run: (target: CallTarget) => Promise<T>,
): Promise<T> {
  const kind = kindOfConnector(service, connector)
  const { baseUrls, downloadsAtOnce } = service.settings
  const source = credentialSource(service, tenant, kind, connector, credentials)
  const note = (status: 'active' | 'reauthorization_required') =>
    noteStatus(service, tenant, connector.id, source.version(), status)
  try {
    const result = await run({
      connector: kind,
      baseUrl: baseUrls[kind.kind],
      credentials: source,
      shares: [
        { of: `connector ${connector.id}`, atOnce: downloadsAtOnce.connector },
        { of: `end user ${connector.organizationId} ${connector.externalUserId}`, atOnce: downloadsAtOnce.endUser },
      ],
    })
    if (connector.status === 'reauthorization_required') await note('active')
    return result
  } catch (error) {
    const rejected = error instanceof ConexError && error.code === 'reauthorization_required'
    // A renewal during the call made the connector active again.
    const known = connector.status === 'reauthorization_required' && source.version() === credentials.version
    if (rejected && !known) await note('reauthorization_required')
    throw error
  }
}
