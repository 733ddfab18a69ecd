/** Everything that hosted mode keeps, in the service's words. Each database fills it; one suite judges it. */
import type { SqlDialect } from '../catalog/sql-dialects.ts'
import { agentGrantStore } from './agent-grants.ts'
import { auditStore } from './audit.ts'
import { connectorStore } from './connectors.ts'
import { consentStore } from './consents.ts'
import { copyPasses } from './copies/passes.ts'
import type { CopyContext } from './copies/record-tables.ts'
import { copySweeps } from './copies/sweeps.ts'
import { copyTables } from './copies/tables.ts'
import type { SearchCopy } from './copy.ts'
import { credentialStore } from './credentials.ts'
import { eventStore } from './events.ts'
import { leaseStore } from './leases.ts'
import { ledgerStore } from './ledgers.ts'
import { organizationStore } from './organizations.ts'
import { overviewStore } from './overview.ts'
import { scheduleStore } from './schedule.ts'
import { sealStore } from './seals.ts'
import { first, type Queries } from './sql/steps.ts'
import { db } from './sql/tables.ts'
import type { SelectFromCopies } from './statements/statement.ts'
import { webhookStore } from './webhooks.ts'

export interface Store extends OrdinaryStores, Bookkeeping {
  readonly copies: CopyStore
  /** Whether the database answers, and has room to write; throws when it does not answer. */
  ready(): Promise<'ready' | 'full'>
  /** Ends the connection. Nothing may be asked afterwards. */
  close(): Promise<void>
}

export type CopyStore = Bookkeeping['copies'] & {
  readonly search: SearchCopy
  readonly select: SelectFromCopies
  /** That of statements. */
  readonly dialect: SqlDialect
}

type OrdinaryStores = ReturnType<typeof ordinaryStores>

/** What stands in the ordinary tables, on the queries of one database. */
export const ordinaryStores = (queries: Queries) => ({
  organizations: organizationStore(queries),
  connectors: { ...connectorStore(queries), ...credentialStore(queries) },
  consents: consentStore(queries),
  agentGrants: agentGrantStore(queries),
  audit: auditStore(queries),
  events: eventStore(queries),
  webhooks: webhookStore(queries),
  seals: sealStore(queries),
  async ready(): Promise<'ready' | 'full'> {
    await queries.run(first(db.selectFrom('organizations').select('id').limit(1)))
    return 'ready'
  },
})

export type Bookkeeping = ReturnType<typeof bookkeeping>

/** The books of copies, and what syncs need besides. */
export const bookkeeping = (context: CopyContext) => ({
  copies: { ...copyPasses(context), ...copySweeps(context), ...copyTables(context) },
  leases: leaseStore(context.queries),
  ledgers: ledgerStore(context.queries),
  overview: overviewStore(context.queries, context.tables),
  schedule: scheduleStore(context.queries, context.tables),
})
