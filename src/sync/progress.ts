/** Tells how far a pass has got, as often as somebody may look. */
import type { CopyKey } from '../store/copy.ts'
import type { SyncContext } from './sync-context.ts'

/** Milliseconds from one telling to the next. */
const often = 1000

/** How far a pass has got; kept with every page, so that a pass that was cut goes on counting. */
export interface Reached {
  readonly records: number
  /** How many of them are not of the part that is being read. */
  readonly before: number
  readonly partsDone: number
  /** Null when it is not known. */
  readonly parts: number | null
}

export const nothingYet: Reached = { records: 0, before: 0, partsDone: 0, parts: 0 }

export interface PassProgress {
  reached(): Reached
  /** So many more parts will be read; null when that is not known. */
  expect(parts: number | null): void
  partBegins(): void
  add(records: number): void
  partDone(): void
  /** What the system says that the part holds, where no other comes after the parts that are known. */
  lastPartHolds(records: number | null): void
  /** Writes it down, if that was not done a moment ago. */
  tell(): Promise<void>
}

export function createProgress(run: SyncContext, key: CopyKey, from: Reached): PassProgress {
  let { records, before, partsDone, parts } = from
  let total: number | null = null
  let told = run.now()

  return {
    reached: () => ({ records, before, partsDone, parts }),
    expect(count) {
      parts = parts === null || count === null ? null : parts + count
    },
    partBegins() {
      before = records
    },
    add(count) {
      records += count
    },
    partDone() {
      partsDone++
    },
    lastPartHolds(held) {
      // Earlier parts are read, so that what they hold is known.
      total = held === null || parts === null || partsDone + 1 < parts ? null : before + held
    },
    async tell() {
      if (run.now() - told < often) return
      told = run.now()
      await run.copies.report(run.tenant, key, run.lease, { records, total, partsDone, parts })
    },
  }
}
