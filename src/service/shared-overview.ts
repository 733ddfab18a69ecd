/** The overview of the store for metrics: one node reads it for all of them, at most once a minute. */
import type { Overview } from '../store/overview.ts'
import type { Service } from './service.ts'

export interface SharedOverview {
  /** When a node last undertook to read it, in milliseconds since 1970. */
  readonly askedAt: number
  /** When it was read; null if it has not been yet. */
  readonly readAt: number | null
  readonly overview: Overview | null
}

const everyMs = 60_000
const keptMs = 3_600_000
const key = 'overview'

/** Gives the latest overview that a node has read; null before the first. A store that fails is logged, and the last one stays. */
export function shareOverview({ store, now, log }: Pick<Service, 'store' | 'now' | 'log'>) {
  let known: SharedOverview | null = null
  let running: Promise<SharedOverview | null> | null = null
  const isNew = ({ askedAt }: SharedOverview): boolean => Math.abs(now() - askedAt) < everyMs
  const write = (shared: SharedOverview, version: number): Promise<boolean> => {
    const [at, end] = [now(), now() + keptMs].map((moment) => new Date(moment).toISOString())
    return store.ledgers.write(key, JSON.stringify(shared), version, at!, end!)
  }

  async function read(): Promise<SharedOverview | null> {
    const found = await store.ledgers.read(key)
    const version = found?.version ?? 0
    const last = found === null ? null : (JSON.parse(found.ledger) as SharedOverview)
    if (last !== null && isNew(last)) return last
    const askedAt = now()
    // The node that writes this first reads for all.
    if (!(await write({ readAt: null, overview: null, ...last, askedAt }, version))) return last
    const fresh = { askedAt, overview: await store.overview.read(), readAt: now() }
    await write(fresh, version + 1)
    return fresh
  }

  return async (): Promise<SharedOverview | null> => {
    if (known?.overview && isNew(known)) return known
    running ??= read()
      .then((found) => {
        known = found ?? known
        return known
      })
      .catch((error: unknown) => {
        log.warn({ reason: String(error) }, 'the overview for metrics could not be read')
        return known
      })
      .finally(() => {
        running = null
      })
    return running
  }
}
