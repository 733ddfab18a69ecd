/** Holds a lease for as long as a sync runs. */
import { type Lease, LeaseLost, type LeaseStore } from '../store/leases.ts'

export interface HeldLease {
  /** To be called between pages: renews the lease in good time, and throws when another has taken it. */
  check(): Promise<void>
  release(): Promise<void>
}

/** Renews by itself as well, since one page can take as long as the lease. */
export function holdLease(leases: LeaseStore, lease: Lease, leaseMs: number, now: () => number): HeldLease {
  let renewedAt = now()
  let lost = false
  const renew = async (): Promise<void> => {
    renewedAt = now()
    if (!(await leases.renew(lease, until(now(), leaseMs)))) lost = true
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

/** When a lease taken now runs out. */
export const until = (now: number, leaseMs: number): string => new Date(now + leaseMs).toISOString()
