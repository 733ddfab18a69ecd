/** The port of the rights to sync: one holder per connector, across all nodes. */
import { clocksDifferMs } from '../clocks.ts'
import type { Tenant } from './tenant.ts'

/**
 * The right to write the copy of one connector. The token grows with every taking, so that a holder who slept through
 * the end of its lease is told apart from the one who took it over.
 */
export interface Lease {
  readonly connectorId: string
  readonly token: number
}

/**
 * The furthest that a right may lie ahead where one taken now ends at `until`. What lies further was taken by a clock that was ahead,
 * and would be held for as long as it was: it is void.
 */
export const furthest = (until: string): string => new Date(Date.parse(until) + clocksDifferMs).toISOString()

export interface LeaseStore {
  /**
   * Takes the lease until the given time, unless somebody holds it past `now`, and no further ahead than can be; null then, and for
   * connectors that are not there.
   */
  take(tenant: Tenant, connectorId: string, holder: string, now: string, until: string): Promise<Lease | null>
  /** Holds the lease until a later time; false when another has taken it since. */
  renew(lease: Lease, until: string): Promise<boolean>
  /** Gives the lease back; does nothing when another has taken it since. */
  release(lease: Lease): Promise<void>
  /** Takes the lease from its holder, which can then write nothing more. */
  revoke(tenant: Tenant, connectorId: string): Promise<void>
  /** Who holds the lease past `now`, or null; `until` is when one that was taken now would end. */
  holder(tenant: Tenant, connectorId: string, now: string, until: string): Promise<string | null>
}

/** Thrown by every write under a lease that another has taken since, or whose connector is gone. Nothing was written. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
  readonly connectorId: string
  constructor(connectorId: string) {
    super(`The lease on the copy of connector ${connectorId} was lost, so nothing was written.`)
    this.connectorId = connectorId
  }
}
