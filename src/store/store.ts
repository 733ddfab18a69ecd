/** The ports of everything that hosted mode keeps, in the service's words. A database fills them; one suite judges it. */
import type { AuditStore } from './audit.ts'
import type { ClientStore } from './clients.ts'
import type { ConnectorStore } from './connectors.ts'
import type { ConsentStore } from './consents.ts'
import type { CopyStore } from './copy.ts'
import type { LeaseStore } from './leases.ts'
import type { LedgerStore } from './ledgers.ts'
import type { OrganizationStore } from './organizations.ts'
import type { ScheduleStore } from './schedule.ts'
import type { SealStore } from './seals.ts'

export interface Store {
  readonly organizations: OrganizationStore
  readonly connectors: ConnectorStore
  readonly consents: ConsentStore
  readonly audit: AuditStore
  readonly clients: ClientStore
  readonly seals: SealStore
  readonly copies: CopyStore
  readonly leases: LeaseStore
  readonly ledgers: LedgerStore
  readonly schedule: ScheduleStore
  /** Whether the database answers, and has room to write; throws when it does not answer. */
  ready(): Promise<'ready' | 'full'>
  /** Ends the connection. Nothing may be asked afterwards. */
  close(): Promise<void>
}
