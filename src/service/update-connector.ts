/** Changes the name, the credentials or the sync of a connector. */
import Type from 'typebox'
import { decode, invalidRequest } from '../catalog/decode.ts'
import { object, optional } from '../catalog/fields.ts'
import type { ConnectorChanges, StoredConnector } from '../store/connectors.ts'
import type { Tenant } from '../store/tenant.ts'
import type { ConnectorRecord } from '../wire.ts'
import { nameText } from './aliases.ts'
import { connectorRecord } from './connector-record.ts'
import { nameTaken } from './create-connector.ts'
import { sealCredentials } from './credential-source.ts'
import { connectorToCall } from './get-connector.ts'
import {
  consentedCredentials,
  flatCredentials,
  type GivenCredentials,
  grantUsed,
  secretIdField,
} from './given-credentials.ts'
import { isCopied, kindOfConnector } from './kind-of-connector.ts'
import { noSuchConnector } from './no-such-connector.ts'
import { type Service, timestamp } from './service.ts'
import { syncChoice, syncField } from './sync-choice.ts'

export const connectorPatch = Type.Object(
  {
    name: optional(nameText('A new name.')),
    credentials: optional(
      object('All fields of one of the auth methods of the connector type; they replace the old ones.'),
    ),
    server_side_oauth_secret_id: secretIdField,
    sync: optional(syncField),
  },
  {
    additionalProperties: false,
    minProperties: 1,
    'x-form': 'an object with a change: name, credentials or sync',
  },
)

/** Changes the connector, and returns it. New credentials make it `active` again. */
export async function updateConnector(
  service: Service,
  tenant: Tenant,
  id: string,
  body: unknown,
): Promise<ConnectorRecord> {
  const asked = decode(connectorPatch, body)
  const { credentials: flat, server_side_oauth_secret_id: secretId, sync } = asked
  if (flat !== undefined && secretId !== undefined)
    throw invalidRequest([
      { path: '/credentials', message: 'are sent twice: send either credentials or server_side_oauth_secret_id' },
    ])
  const { connector } = await connectorToCall(service, tenant, id)
  const kind = kindOfConnector(service, connector)
  const given =
    secretId !== undefined
      ? await consentedCredentials(service, tenant, kind, connector.externalUserId, secretId)
      : flat !== undefined
        ? flatCredentials(kind, flat)
        : undefined
  const changes: ConnectorChanges = {
    name: asked.name,
    sync: sync && ((before) => syncChoice(kind, before, sync)),
    credentials: given && seal(given),
  }
  const updated = await service.store.connectors.update(tenant, connector.id, changes, timestamp(service))
  switch (updated.outcome) {
    case 'updated':
      await followSync(service, tenant, updated.connector, updated.before)
      return connectorRecord(service.catalog, updated.connector)
    case 'name taken':
      throw nameTaken(updated.existingId)
    case 'grant used':
      throw grantUsed()
    case 'missing':
      throw noSuchConnector()
  }

  function seal({ method, credentials, grant }: GivenCredentials): NonNullable<ConnectorChanges['credentials']> {
    return { authMethod: method.name, sealed: sealCredentials(service, connector, credentials), grant }
  }
}

/** Removes a copy that is no longer wanted. Starts a sync if a copy is wanted again, or from another day on. */
async function followSync(
  service: Service,
  tenant: Tenant,
  connector: StoredConnector,
  before: StoredConnector,
): Promise<void> {
  if (!connector.sync.enabled) {
    // Even if sync was off before, because an earlier change may have been interrupted here.
    await service.syncs.end(connector.id)
    // A sync on another node ends with its lease, so it cannot restart the removed copy.
    await service.store.leases.revoke(tenant, connector.id)
    await service.store.copies.remove(tenant, connector.id)
    return
  }
  const otherStart = connector.sync.startDate !== before.sync.startDate
  const again = otherStart || !before.sync.enabled || (before.status !== 'active' && connector.status === 'active')
  if (again && service.settings.syncsByItself && isCopied(service, connector)) await service.syncs.start(connector)
}
