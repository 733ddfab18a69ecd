/** Seals all credentials again with the first key, while servers run on the same database. */
import { SealBroken } from './sealing.ts'
import type { Service } from './service.ts'

export interface KeyRotation {
  /** Rows that were sealed again. */
  readonly resealed: number
  /** Rows whose key is not listed, or that were tampered with; they stay as they are. */
  readonly unreadable: readonly { readonly place: string; readonly id: string; readonly reason: string }[]
  /** Rows that are still sealed with another key, including unreadable ones. */
  readonly left: number
}

export interface RotationProgress {
  readonly done: number
  readonly total: number
}

const batch = 200

/**
 * Can be interrupted and started again at any time, because finished rows no longer show up. A row is replaced only
 * if it has not changed since it was read, so credentials that were renewed meanwhile are never lost. A server that
 * still seals with an older key leaves such rows behind, and `left` counts them.
 */
export async function rotateKeys(
  { store, sealer }: Pick<Service, 'store' | 'sealer'>,
  onProgress: (progress: RotationProgress) => void = () => {},
): Promise<KeyRotation> {
  const total = await store.seals.countOthers(sealer.keyId)
  const unreadable: KeyRotation['unreadable'][number][] = []
  const organizations = new Map<string, number>()
  let resealed = 0
  let done = 0
  for (let rows = await next(null); rows.length > 0; rows = await next(rows.at(-1)!)) {
    for (const row of rows) {
      const { place, id, organizationId } = row
      const binding = { organizationId, connectorId: place === 'connector' ? id : `${place} ${id}` }
      try {
        const sealed = sealer.seal(sealer.open(row.sealed, binding), binding)
        if (await store.seals.reseal(row, sealed)) {
          resealed += 1
          organizations.set(organizationId, (organizations.get(organizationId) ?? 0) + 1)
        }
      } catch (error) {
        if (!(error instanceof SealBroken)) throw error
        unreadable.push({ place, id, reason: error.message })
      } finally {
        sealer.forget(binding)
      }
      done += 1
    }
    onProgress({ done, total: Math.max(total, done) })
    // Lets a server on the same database write.
    await new Promise((resolve) => setImmediate(resolve))
  }
  const at = new Date().toISOString()
  for (const [organizationId, rows] of organizations)
    await store.audit.append(
      { organizationId, externalUserId: null },
      { event: 'keys.rotated', at, details: { key_id: sealer.keyId, rows } },
    )
  return { resealed, unreadable, left: await store.seals.countOthers(sealer.keyId) }

  function next(after: Parameters<typeof store.seals.others>[2]) {
    return store.seals.others(sealer.keyId, batch, after)
  }
}
