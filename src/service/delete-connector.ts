/** Deletes connectors with everything that is stored for them, and revokes their grants. */
import type { RevocationOutcome } from '../engine/oauth/revoke.ts'
import type { StoredConnector } from '../store/connectors.ts'
import type { SealedCredentials } from '../store/credentials.ts'
import type { Tenant } from '../store/tenant.ts'
import type { DeletedEndUser } from '../wire.ts'
import { openCredentials } from './credential-source.ts'
import { isId } from './new-id.ts'
import { noSuchConnector } from './no-such-connector.ts'
import { whileNobodyRenews } from './renewal-right.ts'
import { type Service, timestamp } from './service.ts'
import { unsavedKey } from './unsaved.ts'

interface Found {
  readonly connector: StoredConnector
  readonly credentials: SealedCredentials
}

/** Deletes a connector, and returns the outcome for its grant. */
export async function deleteConnector(service: Service, tenant: Tenant, id: string): Promise<RevocationOutcome> {
  const grant = isId(id) ? await revokeAndDelete(service, tenant, id.toLowerCase()) : null
  if (grant === null) throw noSuchConnector()
  return grant
}

/** The same; null if there is no such connector. */
async function revokeAndDelete(service: Service, tenant: Tenant, id: string): Promise<RevocationOutcome | null> {
  const { connectors } = service.store
  // A concurrent renewal would replace the token that is being revoked.
  const right = await whileNobodyRenews(service, tenant, id)
  try {
    const found = await connectors.findWithCredentials(tenant, id)
    if (found === null) return null
    // A running sync would meet the revoked grant, and report refused credentials.
    await service.syncs.end(id)
    // Before the row is deleted: afterwards nothing is left to revoke with. After a crash in between, the connector
    // can be deleted again.
    const grant = await revoke(service, found)
    const deleted = await connectors.delete(tenant, id, { at: timestamp(service), details: { grant } })
    forget(service, found.connector)
    // The lease and the copy are deleted with the row, so a sync that started meanwhile, on any node, can write
    // nothing more.
    await service.syncs.end(id)
    return deleted ? grant : null
  } finally {
    await right?.end()
  }
}

/** Deletes everything that is stored for an end user: connectors, unfinished consents and unused grants. */
export async function deleteEndUser(service: Service, tenant: Tenant, externalUserId: string): Promise<DeletedEndUser> {
  const { connectors } = service.store
  const owner = { organizationId: tenant.organizationId, externalUserId }
  // All together, because a queued sync would start when a running one ends.
  await service.syncs.endAllOf(owner)
  const grants = { revoked: 0, failed: 0, unsupported: 0 }
  let deleted = 0
  for (let after: string | null = null; ; ) {
    const page = await connectors.list(tenant, { externalUserId }, pageSize, after)
    for (const { id } of page.connectors) {
      const grant = await revokeAndDelete(service, tenant, id)
      if (grant === null) continue
      grants[grant] += 1
      deleted += 1
    }
    after = page.next
    if (after === null) break
  }
  const details = { connectors: deleted, ...grants }
  // Connectors that were created meanwhile are deleted too, without a revocation.
  const late = await connectors.deleteEndUser(tenant, externalUserId, { at: timestamp(service), details })
  await service.syncs.endAllOf(owner)
  return { external_user_id: externalUserId, connectors_deleted: deleted + late, grants }
}

const pageSize = 100

async function revoke(service: Service, { connector, credentials }: Found): Promise<RevocationOutcome> {
  const kind = service.catalog[connector.connectorType]
  if (kind === undefined) return 'unsupported'
  try {
    const unsaved = service.unsaved.find(unsavedKey(connector.id, credentials.version))
    const opened = openCredentials(service, connector, unsaved ?? credentials.sealed)
    return await service.engine.revokeGrant(kind, service.settings.baseUrls[kind.kind], opened)
  } catch (error) {
    service.log.warn({ connector_id: connector.id, reason: (error as Error).message }, 'a grant could not be revoked')
    return 'failed'
  }
}

function forget({ sealer }: Service, { organizationId, id }: StoredConnector): void {
  sealer.forget({ organizationId, connectorId: id })
}
