/** A store with connectors whose copies the suites fill. */
import { parseQuery } from '../search/parse-query.ts'
import type { Condition, Json, Query } from '../search/query.ts'
import { passOver, sweep } from './copies/sweeps.ts'
import { type CopyKey, type Found, hitsIn, type Pass, type ReadRecord, type Sweep, type Written } from './copy.ts'
import type { Lease } from './leases.ts'
import type { Store } from './store.ts'
import type { Tenant } from './tenant.ts'

export const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString()

const organizationId = '01900000-0000-7000-8000-00000000c0de'

export class CopyFixture {
  readonly store: Store
  readonly tenant: Tenant = { organizationId, externalUserId: null }
  readonly #ids: () => string

  private constructor(store: Store, ids: () => string) {
    this.store = store
    this.#ids = ids
  }

  static async open(open: () => Promise<Store>): Promise<CopyFixture> {
    const store = await open()
    const client = { id: 'copy-client', organizationId, secretHash: 'hash' }
    await store.organizations.createFirst({ id: organizationId, name: 'copies', createdAt: at(0) }, client)
    let made = 0
    const start = Date.now().toString(16).padStart(12, '0')
    return new CopyFixture(
      store,
      () => `${start.slice(0, 8)}-${start.slice(8)}-7000-8000-${String(++made).padStart(12, '0')}`,
    )
  }

  close(): Promise<void> {
    return this.store.close()
  }

  async connector(externalUserId = 'ann', id = this.#ids()): Promise<string> {
    const made = await this.store.connectors.create(
      this.tenant,
      {
        id,
        organizationId,
        externalUserId,
        connectorType: 'sample-kind',
        name: id,
        authMethod: 'token',
        status: 'active',
        replicationConfig: null,
        sync: { enabled: true, intervalSeconds: 3600 },
        createdAt: at(0),
        updatedAt: at(0),
      },
      'sealed',
    )
    if (made.outcome !== 'created') throw new Error(made.outcome)
    return id
  }

  /** The copy of an entity of a connector, of a new one unless said otherwise. */
  async copy(entity = 'things', connectorId?: string): Promise<Copy> {
    const id = connectorId ?? (await this.connector())
    const lease = await this.store.leases.take(this.tenant, id, 'suite', at(0), at(60))
    if (lease === null) throw new Error('The lease is taken.')
    return new Copy(this.store, this.tenant, { connectorId: id, kind: 'sample-kind', entity }, lease)
  }
}

/** One copy and the lease to write it. */
export class Copy {
  readonly store: Store
  readonly tenant: Tenant
  readonly key: CopyKey
  readonly lease: Lease

  constructor(store: Store, tenant: Tenant, key: CopyKey, lease: Lease) {
    this.store = store
    this.tenant = tenant
    this.key = key
    this.lease = lease
  }

  begin(full = true, now = at(1)): Promise<Pass> {
    return this.store.copies.begin(this.tenant, this.key, this.lease, full, now)
  }

  commit(records: readonly ReadRecord[], gone: readonly string[] = []): Promise<Written> {
    return this.store.copies.commit(this.tenant, this.key, this.lease, { records, gone })
  }

  /** Writes where the pass goes on, and no records unless there are some. */
  remember(checkpoint: Json, records: readonly ReadRecord[] = []): Promise<Written> {
    return this.store.copies.commit(this.tenant, this.key, this.lease, { records, checkpoint })
  }

  sweep(evenMost?: boolean): Promise<Sweep> {
    return sweep(this.store.copies, this.tenant, this.key, this.lease, evenMost)
  }

  passOver(within: Condition): Promise<void> {
    return passOver(this.store.copies, this.tenant, this.key, this.lease, within)
  }

  finish(now = at(2)): Promise<void> {
    return this.store.copies.finish(this.tenant, this.key, this.lease, null, now)
  }

  search(query: Query, signal?: AbortSignal): Promise<Found> {
    return this.store.copies.search(this.tenant, this.key, query, signal)
  }

  /** The ids of all records that a search finds, in order. */
  async ids(store = this.store): Promise<readonly string[]> {
    const ids: string[] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const query = parseQuery({}, { query: {}, ...(cursor !== undefined && { cursor }) })
      const found: Found = await store.copies.search(this.tenant, this.key, query)
      ids.push(...hitsIn(found).map(({ id }) => id))
      cursor = found.nextCursor
    }
    return ids.sort()
  }
}
