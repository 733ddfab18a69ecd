/** Copies that were searched before, so that a search can begin while it is still asked which copy it is about. */
import type { CopyKey } from '../copy.ts'
import type { Tenant } from '../tenant.ts'

export interface KnownCopy {
  readonly number: number
  readonly records: number
  readonly records_table: string
}

const mostKnown = 10_000

/** What is known may have changed: each search asks as well, and counts only when it was about the right one. */
export class KnownCopies {
  /** Whoever was not met longest is first. */
  readonly #copies = new Map<string, KnownCopy>()

  get(tenant: Tenant, copy: CopyKey): KnownCopy | undefined {
    return this.#copies.get(nameOf(tenant, copy))
  }

  /** Null forgets it. */
  set(tenant: Tenant, copy: CopyKey, known: KnownCopy | null): void {
    const name = nameOf(tenant, copy)
    this.#copies.delete(name)
    if (known === null) return
    this.#copies.set(name, { number: known.number, records: known.records, records_table: known.records_table })
    if (this.#copies.size > mostKnown) this.#copies.delete(this.#copies.keys().next().value!)
  }
}

// Nobody is told by how long a search takes whether others have such a copy.
const nameOf = ({ organizationId, externalUserId }: Tenant, { connectorId, kind, entity }: CopyKey): string =>
  JSON.stringify([organizationId, externalUserId, connectorId, kind, entity])
