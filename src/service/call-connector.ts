/** Calls the third-party system for a stored connector, and keeps what the call tells about its credentials. */
import type { Call } from '../engine/call/call.ts'
import { ConexError } from '../errors.ts'
import type { SealedCredentials, StoredConnector } from '../store/connectors.ts'
import type { Tenant } from '../store/tenant.ts'
import { credentialSource, noteStatus } from './credential-source.ts'
import { kindOfConnector } from './kind-of-connector.ts'
import type { Service } from './service.ts'

/** What a call is made with, whatever it asks for. */
export type Access = Pick<Call, 'connector' | 'baseUrl' | 'credentials' | 'shares'>

/** Runs the work with the connector's credentials. Their rejection, and a success after one, shows in the connector's status. */
export async function callConnector<T>(
  service: Omit<Service, 'syncs'>,
  tenant: Tenant,
  { connector, credentials }: { readonly connector: StoredConnector; readonly credentials: SealedCredentials },
  run: (access: Access) => Promise<T>,
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
    // A renewal on the way here made it active again, whatever it was before.
    const known = connector.status === 'reauthorization_required' && source.version() === credentials.version
    if (rejected && !known) await note('reauthorization_required')
    throw error
  }
}
