/** Every port of the ordinary tables, on the queries of one database. */
import type { Store } from '../store.ts'
import { auditStore } from './audit.ts'
import { clientStore } from './clients.ts'
import { connectorStore } from './connectors.ts'
import { consentStore } from './consents.ts'
import { organizationStore } from './organizations.ts'
import { sealStore } from './seals.ts'
import { first, type Queries } from './steps.ts'
import { db } from './tables.ts'

export type OrdinaryStores = Pick<
  Store,
  'organizations' | 'connectors' | 'consents' | 'audit' | 'clients' | 'seals' | 'ready'
>

export function ordinaryStores(queries: Queries): OrdinaryStores {
  return {
    organizations: organizationStore(queries),
    connectors: connectorStore(queries),
    consents: consentStore(queries),
    audit: auditStore(queries),
    clients: clientStore(queries),
    seals: sealStore(queries),
    async ready() {
      await queries.run(first(db.selectFrom('organizations').select('id').limit(1)))
      return 'ready'
    },
  }
}
