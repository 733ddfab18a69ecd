/** The credentials of a stored connector, as the engine uses them: opened per call, renewed once for all who wait. */
import type { Credentials, RefreshableStyle } from '../catalog/authorization.ts'
import type { Connector } from '../catalog/connector.ts'
import type { CredentialSource } from '../engine/call.ts'
import { expiryField } from '../engine/renew.ts'
import { ConexError } from '../errors.ts'
import type { SealedCredentials, StoredConnector, Tenant } from '../store/store.ts'
import { noSuchConnector } from './no-such-connector.ts'
import { type Service, timestamp } from './service.ts'

/** Renewing this early keeps a token from running out on its way to the system. */
const renewAheadMs = 120_000

/** A credential source that also remembers which version of the credentials the call used last. */
export interface StoredCredentialSource extends CredentialSource {
  readonly version: () => number
  /** The credentials as they are kept, worn out or not. */
  readonly stored: () => Promise<Credentials>
}

interface Stored {
  readonly credentials: Credentials
  readonly version: number
}

export function credentialSource(
  service: Omit<Service, 'syncs'>,
  tenant: Tenant,
  kind: Connector,
  connector: StoredConnector,
  first: SealedCredentials,
): StoredCredentialSource {
  const style = refreshableStyle(kind, connector.authMethod)
  const baseUrl = service.settings.baseUrls[kind.kind]
  // The first look needs no reading: the connector was read together with its credentials.
  let loaded: SealedCredentials | null = first
  let version = first.version

  async function stored(): Promise<Stored> {
    const found = loaded ?? (await service.store.connectors.findWithCredentials(tenant, connector.id))?.credentials
    loaded = null
    if (found === undefined) throw noSuchConnector()
    version = found.version
    return { credentials: openCredentials(service, connector, found.sealed), version: found.version }
  }

  /** Renews what is stored, unless it differs from what was refused: then another call has done so already. */
  async function renewStored(refused: Credentials): Promise<Stored | null> {
    loaded = null
    const before = await stored()
    if (!same(before.credentials, refused)) return before
    let renewed: Credentials | null
    try {
      renewed = await service.engine.renewCredentials(kind, baseUrl, before.credentials)
    } catch (error) {
      if (error instanceof ConexError && error.code === 'reauthorization_required')
        await service.store.connectors.setStatus(
          tenant,
          connector.id,
          before.version,
          'reauthorization_required',
          timestamp(service),
        )
      throw error
    }
    if (renewed === null) return null
    // Kept before it is used: the system may have forgotten the old refresh token already.
    const sealed = sealCredentials(service, connector, renewed)
    const kept = await service.store.connectors.replaceCredentials(tenant, connector.id, before.version, sealed)
    return kept ? { credentials: renewed, version: before.version + 1 } : stored()
  }

  async function renew(refused: Credentials): Promise<Credentials | null> {
    const renewed = await service.renewals.run(connector.id, () => renewStored(refused))
    if (renewed === null) return null
    // Another call may have done the work; what follows is about the credentials it made, for this call too.
    version = renewed.version
    return renewed.credentials
  }

  return {
    version: () => version,

    stored: async () => (await stored()).credentials,

    async current() {
      const { credentials } = await stored()
      if (style === null) return credentials
      const expiry = Number(credentials[expiryField] ?? Number.POSITIVE_INFINITY)
      const missing = credentials[style.accessToken] === undefined
      if (!missing && expiry - service.now() > renewAheadMs) return credentials
      try {
        return (await renew(credentials)) ?? credentials
      } catch (error) {
        // A token that still has a little time is better than a failure to renew it that may pass.
        const definite = error instanceof ConexError && error.code === 'reauthorization_required'
        if (definite || missing || expiry <= service.now()) throw error
        return credentials
      }
    },

    renew,
  }
}

/** Credentials as they are kept: sealed, and bound to their connector. */
export function sealCredentials(
  { sealer }: Pick<Service, 'sealer'>,
  { organizationId, id }: Pick<StoredConnector, 'organizationId' | 'id'>,
  credentials: Credentials,
): string {
  return sealer.seal(JSON.stringify(credentials), { organizationId, connectorId: id })
}

function openCredentials(
  { sealer }: Pick<Service, 'sealer'>,
  { organizationId, id }: StoredConnector,
  sealed: string,
): Credentials {
  return JSON.parse(sealer.open(sealed, { organizationId, connectorId: id })) as Credentials
}

function refreshableStyle(kind: Connector, authMethod: string): RefreshableStyle | null {
  const authorization = kind.authMethods.find(({ name }) => name === authMethod)?.authorization
  return authorization?.style === 'refreshable' ? authorization : null
}

function same(one: Credentials, other: Credentials): boolean {
  const names = Object.keys(one)
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name])
}
