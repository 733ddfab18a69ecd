/**
 * The right to renew one connector's credentials, across all nodes. The store keeps it beside them. It expires soon,
 * and is extended while the renewal runs: if a node is killed, another takes over within seconds.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Tenant } from '../store/tenant.ts'
import type { Service } from './service.ts'
import { unsavedKey } from './unsaved.ts'

export interface RenewalRight {
  end(): Promise<void>
}

/** Longer than anything blocks the event loop of a node. */
const heldMs = 10_000
const heartbeatMs = 2_500

/** The right; null while another holds it, or if the credentials were replaced since. */
export async function takeRenewal(
  { store, now }: Pick<Service, 'store' | 'now'>,
  tenant: Tenant,
  connectorId: string,
  version: number,
): Promise<RenewalRight | null> {
  const { connectors } = store
  // The process id tells an operator who looks into the database which node holds the right.
  const renewer = `${process.pid} ${randomUUID()}`
  const hold = (): Promise<boolean> => {
    const from = now()
    const [at, until] = [from, from + heldMs].map((time) => new Date(time).toISOString())
    return connectors.takeRenewal(tenant, connectorId, version, renewer, at!, until!)
  }
  if (!(await hold())) return null
  const heartbeat = setInterval(() => {
    // Without an answer from the store, the right expires; the version still guards every write under it.
    hold().catch(() => {})
  }, heartbeatMs)
  return {
    async end() {
      clearInterval(heartbeat)
      // A right that cannot be released expires by itself.
      await connectors.endRenewal(tenant, connectorId, renewer).catch(() => {})
    },
  }
}

/**
 * Waits for a running renewal, and then takes the right; undefined if that takes too long. Does not wait for a
 * renewal of this node that only waits for the store, and holds the right until its result is written.
 */
export async function whileNobodyRenews(
  service: Pick<Service, 'store' | 'now' | 'unsaved'>,
  tenant: Tenant,
  connectorId: string,
): Promise<RenewalRight | undefined> {
  for (let look = 0; look < mostLooks; look++) {
    const found = await service.store.connectors.findWithCredentials(tenant, connectorId)
    if (found === null) return undefined
    if (service.unsaved.find(unsavedKey(connectorId, found.credentials.version)) !== undefined) return undefined
    const right = await takeRenewal(service, tenant, connectorId, found.credentials.version)
    if (right !== null) return right
    await anotherLook()
  }
  return undefined
}

/** Twice as long as a killed node can hold the right. */
const mostLooks = 300

/** Waits a random time before another look at the store, so that not all callers look at the same moment. */
export const anotherLook = (): Promise<void> => wait(40 + Math.random() * 60)
