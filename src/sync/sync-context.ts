/** What every part of a sync works with. */
import type { Connector } from '../catalog/connector.ts'
import type { Log } from '../log.ts'
import type { CopyKey, CopyStore } from '../store/copy.ts'
import type { Lease } from '../store/leases.ts'
import type { Tenant } from '../store/tenant.ts'
import type { StreamReader } from './stream-reader.ts'

export interface SyncContext {
  readonly tenant: Tenant
  readonly connectorId: string
  readonly kind: Connector
  /** Dated records are copied from this day on; null leaves it to the kind. */
  readonly startDate: string | null
  readonly copies: CopyStore
  readonly lease: Lease
  readonly reader: StreamReader
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Called between pages: renews the lease in time, and throws when the sync has to end there. */
  readonly betweenPages: () => Promise<void>
  readonly log: Log
}

export const keyOf = ({ connectorId, kind }: SyncContext, entity: string): CopyKey => ({
  connectorId,
  kind: kind.kind,
  entity,
})
