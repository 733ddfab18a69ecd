/** Holds a lease for as long as a sync runs. */
import { type Lease, LeaseLost } from '../store/leases.ts'
import type { Store } from '../store/store.ts'

/** When a lease taken now runs out. */
export const until = (now: number, leaseMs: number): string => new Date(now + leaseMs).toISOString()

/** Renews by itself as well, since one page can take as long as the lease. */
export function holdLease(leases: Store['leases'], lease: Lease, leaseMs: number, now: () => number) {
  let renewedAt = now()
  let lost = false
  const renew = async (): Promise<void> => {
    renewedAt = now()
    if (!(await leases.renew(lease, until(now(), leaseMs)))) lost = true
  }
  // The next renewal makes up for one that fails; the next write finds a lease that ran out.
  const timer = setInterval(() => void renew().catch(() => {}), leaseMs / 4).unref()
  return {
    /** To be called between pages: renews the lease in good time, and throws when another has taken it. */
    async check(): Promise<void> {
      if (!lost && now() - renewedAt >= leaseMs / 4) await renew()
      if (lost) throw new LeaseLost(lease.connectorId)
    },
    async release(): Promise<void> {
      clearInterval(timer)
      await leases.release(lease)
    },
  }
}
