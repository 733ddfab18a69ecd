/** What every step of a sync works with, and every step of one of its passes. */
import type { Connector } from '../catalog/connector.ts'
import type { FieldType } from '../catalog/entity.ts'
import type { Settings, Stream } from '../catalog/stream.ts'
import type { Log } from '../log.ts'
import type { CopyKey, Pass } from '../store/copy.ts'
import type { Lease } from '../store/leases.ts'
import type { CopyStore } from '../store/store.ts'
import type { Tenant } from '../store/tenant.ts'
import type { StreamReader } from './stream-reader.ts'
import type { SyncState } from './sync-state.ts'
import type { Reach } from './time-windows.ts'

export interface SyncContext {
  readonly tenant: Tenant
  readonly connectorId: string
  readonly kind: Connector
  /** Dated records are copied from this day on; null leaves it to the kind. */
  readonly startDate: string | null
  /** The connector's replication_config. */
  readonly settings?: Settings
  readonly copies: CopyStore
  readonly lease: Lease
  readonly reader: StreamReader
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Called between pages: renews the lease in time, and throws if the sync must end there. */
  readonly betweenPages: () => Promise<void>
  readonly log: Log
}

export interface PassContext extends SyncContext {
  readonly entity: string
  readonly stream: Stream
  readonly searchable: Readonly<Record<string, FieldType>>
  readonly copy: CopyKey
  readonly pass: Pass
  readonly last: SyncState
  readonly reach: Reach
  /** The closed parents of the stream, by their ids. */
  readonly closed?: ReadonlySet<string>
}

/** The copy of an entity of the connector that is synced. */
export const copyOf = ({ connectorId, kind }: Pick<SyncContext, 'connectorId' | 'kind'>, entity: string): CopyKey => ({
  connectorId,
  kind: kind.kind,
  entity,
})

/** How many records the copy of an entity has. */
export async function countRecords(
  { copies, tenant, connectorId }: Pick<SyncContext, 'copies' | 'tenant' | 'connectorId'>,
  entity: string,
): Promise<number> {
  const states = await copies.states(tenant, connectorId)
  return states.find((state) => state.entity === entity)?.records ?? 0
}
