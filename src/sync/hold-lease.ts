/** Holds a lease for as long as a sync runs. */
import { type Lease, LeaseLost, type LeaseStore } from '../store/leases.ts'

/** A node that dies leaves its syncs to the others after this many milliseconds. */
export const leaseMs = 60_000

export interface HeldLease {
  /** To be called between pages: renews the lease in good time, and throws when another has taken it. */
  check(): Promise<void>
  release(): Promise<void>
}

/** Renews by itself as well, since one page can take as long as the lease. */
export function holdLease(leases: LeaseStore, lease: Lease, now: () => number): HeldLease {
  let renewedAt = now()
  let lost = false
  const renew = async (): Promise<void> => {
    renewedAt = now()
    if (!(await leases.renew(lease, until(now())))) lost = true
  }
  // A renewal that fails is made up for by the next one; a lease that ran out is found by the next write.
  const timer = setInterval(() => void renew().catch(() => {}), leaseMs / 4)
  timer.unref()
  return {
    async check() {
      if (!lost && now() - renewedAt >= leaseMs / 4) await renew()
      if (lost) throw new LeaseLost(lease.connectorId)
    },
    async release() {
      clearInterval(timer)
      await leases.release(lease)
    },
  }
}

export const until = (now: number): string => new Date(now + leaseMs).toISOString()
