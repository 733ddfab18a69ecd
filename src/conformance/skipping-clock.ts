/** Time for tests, which need not wait. */

/** A clock whose waits cost no time: it is put forward by what was asked to be waited. */
export interface SkippingClock {
  now(): number
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>
  advance(milliseconds: number): void
  /** What was waited for, in milliseconds. */
  readonly waits: number[]
}

/** `wall` is the time that goes on by itself, if it does. */
export function skippingClock(wall: () => number = Date.now): SkippingClock {
  let skipped = 0
  const waits: number[] = []
  return {
    waits,
    now: () => wall() + skipped,
    advance: (milliseconds) => {
      skipped += milliseconds
    },
    async sleep(milliseconds, signal) {
      signal.throwIfAborted()
      waits.push(milliseconds)
      skipped += milliseconds
    },
  }
}
