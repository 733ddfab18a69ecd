/** Tells how far a pass has got, as often as somebody may look. */
import type { CopyKey } from '../store/copy.ts'
import type { Run } from './run.ts'

/** Milliseconds from one telling to the next. */
const often = 1000

export interface PassProgress {
  add(records: number): Promise<void>
  partDone(): Promise<void>
  /** So many more parents will be read; null when that is not known. */
  expect(parents: number | null): void
}

/** `done` counts the parts that were read before the pass was cut. */
export function createProgress(run: Run, key: CopyKey, done: number): PassProgress {
  let records = 0
  let partsDone = done
  let parts: number | null = 0
  let told = run.now()

  async function tell(): Promise<void> {
    if (run.now() - told < often) return
    told = run.now()
    await run.copies.report(run.tenant, key, run.lease, { records, total: null, partsDone, parts })
  }

  return {
    async add(count) {
      records += count
      await tell()
    },
    async partDone() {
      partsDone++
      await tell()
    },
    expect(parents) {
      parts = parts === null || parents === null ? null : parts + parents
    },
  }
}
