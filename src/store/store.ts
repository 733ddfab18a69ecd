/** Everything that hosted mode keeps, in the service's words. Each database fills it; one suite judges it. */
import { type AuditStore, auditStore } from './audit.ts'
import { connectorStore } from './connectors.ts'
import { type ConsentStore, consentStore } from './consents.ts'
import type { CopyStore } from './copy.ts'
import { credentialStore } from './credentials.ts'
import type { LeaseStore } from './leases.ts'
import type { LedgerStore } from './ledgers.ts'
import { type OrganizationStore, organizationStore } from './organizations.ts'
import type { ScheduleStore } from './schedule.ts'
import { type SealStore, sealStore } from './seals.ts'
import { first, type Queries } from './sql/steps.ts'
import { db } from './sql/tables.ts'

export interface Store {
  readonly organizations: OrganizationStore
  readonly connectors: ReturnType<typeof connectorStore> & ReturnType<typeof credentialStore>
  readonly consents: ConsentStore
  readonly audit: AuditStore
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

/** All but copies, on the queries of one database. */
export const ordinaryStores = (
  queries: Queries,
): Pick<Store, 'organizations' | 'connectors' | 'consents' | 'audit' | 'seals' | 'ready'> => ({
  organizations: organizationStore(queries),
  connectors: { ...connectorStore(queries), ...credentialStore(queries) },
  consents: consentStore(queries),
  audit: auditStore(queries),
  seals: sealStore(queries),
  async ready() {
    await queries.run(first(db.selectFrom('organizations').select('id').limit(1)))
    return 'ready'
  },
})
