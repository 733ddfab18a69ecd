/**
 * The credentials of a stored connector for the engine: opened for each call, and renewed once for all waiting calls.
 */
import type { Credentials, RefreshableStyle } from '../catalog/authorization.ts'
import type { Connector } from '../catalog/connector.ts'
import type { CredentialSource } from '../engine/call/call.ts'
import { expiryField } from '../engine/oauth/authorize.ts'
import { renewAhead, renewalRefused } from '../engine/oauth/renew.ts'
import { ConexError } from '../errors.ts'
import type { ConnectorStatus, StoredConnector } from '../store/connectors.ts'
import type { SealedCredentials } from '../store/credentials.ts'
import type { Tenant } from '../store/tenant.ts'
import { noSuchConnector } from './no-such-connector.ts'
import { anotherLook, type RenewalRight, takeRenewal } from './renewal-right.ts'
import { SealBroken } from './sealing.ts'
import { type Service, timestamp } from './service.ts'
import { unsavedKey } from './unsaved.ts'

/** A credential source that remembers the version of the credentials that the call used last. */
export interface StoredCredentialSource extends CredentialSource {
  readonly version: () => number
  /** The stored credentials, expired or not. */
  readonly stored: () => Promise<Credentials>
}

interface Stored {
  readonly credentials: Credentials
  readonly version: number
  readonly status: ConnectorStatus
}

interface StoredWithCredentials {
  readonly connector: StoredConnector
  readonly credentials: SealedCredentials
}

export function credentialSource(
  service: Omit<Service, 'syncs'>,
  tenant: Tenant,
  kind: Connector,
  connector: StoredConnector,
  first: SealedCredentials,
): StoredCredentialSource {
  const style = refreshableStyle(kind, connector.authMethod)
  const aheadMs = renewAheadOf(kind, connector.authMethod)
  const baseUrl = service.settings.baseUrls[kind.kind]
  // The first look needs no query: the connector was read together with its credentials.
  let loaded: StoredWithCredentials | null = { connector, credentials: first }
  let version = first.version

  async function stored(): Promise<Stored> {
    const found = loaded ?? (await service.store.connectors.findWithCredentials(tenant, connector.id))
    loaded = null
    if (found === null) throw noSuchConnector()
    version = found.credentials.version
    const unsaved = service.unsaved.find(unsavedKey(connector.id, version))
    const sealed = unsaved ?? found.credentials.sealed
    return { credentials: openCredentials(service, connector, sealed), version, status: found.connector.status }
  }

  /**
   * Renews the stored credentials. If they differ from the refused ones, another call or node has already renewed
   * them.
   */
  async function renewStored(refused: Credentials): Promise<Stored | null> {
    let statusAtFirst: ConnectorStatus | undefined
    for (;;) {
      loaded = null
      const before = await stored()
      if (!same(before.credentials, refused)) return before
      // The result of one renewal must be stored before the next one uses it up.
      const unsaved = unsavedKey(connector.id, before.version)
      if (service.unsaved.find(unsaved) !== undefined) {
        await service.unsaved.saved(unsaved)
        continue
      }
      statusAtFirst ??= before.status
      if (before.status !== statusAtFirst && before.status === 'reauthorization_required') throw renewalRefused(kind)
      const right = await takeRenewal(service, tenant, connector.id, before.version)
      if (right === null) {
        await anotherLook()
        continue
      }
      const renewed = await renewUnder(before, right)
      return renewed === 'replaced' ? stored() : renewed
    }
  }

  async function renewUnder(before: Stored, right: RenewalRight): Promise<Stored | 'replaced' | null> {
    let renewed: Credentials | null
    try {
      renewed = await service.engine.renewCredentials(kind, baseUrl, before.credentials)
    } catch (error) {
      const refused = error instanceof ConexError && error.code === 'reauthorization_required'
      service.measures.renewed(kind.kind, refused ? 'refused' : 'failed')
      if (refused) await noteStatus(service, tenant, connector.id, before.version, error.code)
      await right.end()
      throw error
    }
    if (renewed === null) {
      await right.end()
      return null
    }
    service.measures.renewed(kind.kind, 'renewed')
    // Stored before it is used, because the system may already have forgotten the old refresh token. One gap remains:
    // if the process is killed between the system's answer and the store's, the new token is lost.
    const { version } = before
    const sealed = sealCredentials(service, connector, renewed)
    const kept = await service.unsaved.save(
      unsavedKey(connector.id, version),
      sealed,
      () => service.store.connectors.replaceCredentials(tenant, connector.id, version, sealed, timestamp(service)),
      () => right.end(),
    )
    if (kept === false) return 'replaced'
    // No caller waits for a store that does not accept them.
    return { ...before, credentials: renewed, version: kept === null ? version : version + 1 }
  }

  async function renewFrom(refused: Credentials): Promise<Credentials | null> {
    const renewed = await service.renewals.run(connector.id, () => renewStored(refused))
    if (renewed === null) return null
    // Another call may have renewed them; this call continues with the same version.
    version = renewed.version
    return renewed.credentials
  }

  return {
    version: () => version,

    stored: async () => (await stored()).credentials,

    async current() {
      const { credentials } = await stored()
      if (aheadMs === null) return credentials
      const expiry = Number(credentials[expiryField] ?? Number.POSITIVE_INFINITY)
      const missing = style !== null && credentials.access_token === undefined
      if (!missing && expiry - service.now() > aheadMs) return credentials
      try {
        return (await renewFrom(credentials)) ?? credentials
      } catch (error) {
        // A token that is still valid for a moment is better than a transient failure.
        const definite = error instanceof ConexError && error.code === 'reauthorization_required'
        if (definite || missing || expiry <= service.now()) throw error
        return credentials
      }
    },

    // A token that can only be exchanged cannot be renewed after a refusal.
    renew: async (refused) => (style === null ? null : renewFrom(refused)),
  }
}

/**
 * Stores the status of credentials of this version. A failed write is only logged, because the next call writes it
 * again.
 */
export async function noteStatus(
  service: Pick<Service, 'store' | 'now' | 'log'>,
  tenant: Tenant,
  connectorId: string,
  version: number,
  status: ConnectorStatus,
): Promise<void> {
  try {
    await service.store.connectors.setStatus(tenant, connectorId, version, status, timestamp(service))
  } catch (error) {
    service.log.error({ connector_id: connectorId, reason: String(error) }, 'a status could not be written')
  }
}

/** Seals credentials for the store, bound to their connector. */
export function sealCredentials(
  { sealer }: Pick<Service, 'sealer'>,
  { organizationId, id }: Pick<StoredConnector, 'organizationId' | 'id'>,
  credentials: Credentials,
): string {
  return sealer.seal(JSON.stringify(credentials), { organizationId, connectorId: id })
}

/** Opens stored credentials. A missing key is an error only for connectors that were sealed with it. */
export function openCredentials(
  { sealer }: Pick<Service, 'sealer'>,
  { organizationId, id }: Pick<StoredConnector, 'organizationId' | 'id'>,
  sealed: string,
): Credentials {
  try {
    return JSON.parse(sealer.open(sealed, { organizationId, connectorId: id })) as Credentials
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error
    throw new ConexError(
      'internal',
      'The stored credentials of this connector cannot be opened with the keys of this server; its operator must list their key again, or give the connector new credentials.',
      { cause: error },
    )
  }
}

/** How long before their end the credentials of a method are renewed; null if never. */
function renewAheadOf(kind: Connector, authMethod: string): number | null {
  if (refreshableStyle(kind, authMethod) !== null) return renewAhead
  const exchange = kind.authMethods.find(({ name }) => name === authMethod)?.consent?.exchange
  return exchange === undefined ? null : exchange.aheadSeconds * 1000
}

function refreshableStyle(kind: Connector, authMethod: string): RefreshableStyle | null {
  const authorization = kind.authMethods.find(({ name }) => name === authMethod)?.authorization
  return authorization?.style === 'refreshable' ? authorization : null
}

function same(one: Credentials, other: Credentials): boolean {
  const names = Object.keys(one)
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name])
}
