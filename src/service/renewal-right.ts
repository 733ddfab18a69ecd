/**
 * The right to renew one connector's credentials, across all nodes: kept beside them in the store, short, and held on to while
 * the work runs. A node that was killed loses it within seconds, and another takes over.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Tenant } from '../store/tenant.ts'
import type { Service } from './service.ts'
import { unsavedKey } from './unsaved.ts'

export interface RenewalRight {
  end(): Promise<void>
}

/** Longer than a node is ever busy with something else in one piece. */
const heldMs = 10_000
const heartbeatMs = 2_500

/** The right, or null while another has it or when the credentials have been replaced since. */
export async function takeRenewal(
  { store, now }: Pick<Service, 'store' | 'now'>,
  tenant: Tenant,
  connectorId: string,
  version: number,
): Promise<RenewalRight | null> {
  const { connectors } = store
  // The process is named for whoever looks into the database to see which node holds on to something.
  const renewer = `${process.pid} ${randomUUID()}`
  const hold = (): Promise<boolean> => {
    const from = now()
    const [at, until] = [from, from + heldMs].map((time) => new Date(time).toISOString())
    return connectors.takeRenewal(tenant, connectorId, version, renewer, at!, until!)
  }
  if (!(await hold())) return null
  const heartbeat = setInterval(() => {
    // A store that does not answer lets the right run out; what is written under it is judged by its version all the same.
    hold().catch(() => {})
  }, heartbeatMs)
  return {
    async end() {
      clearInterval(heartbeat)
      // A right that cannot be given back runs out by itself.
      await connectors.endRenewal(tenant, connectorId, renewer).catch(() => {})
    },
  }
}

/**
 * Waits for a renewal that runs, and takes its place; after a while it is not waited for any more, and undefined is given. Nor is
 * one of this node that has ended but for the store, which keeps its right until that has taken what it brought.
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

/** Twice as long as a node that was killed keeps others waiting. */
const mostLooks = 300

/** How long one who waits lets pass before looking at the store again. Not all at the same moment. */
export const anotherLook = (): Promise<void> => wait(40 + Math.random() * 60)
