/** Time for tests, which need not wait. */

/** A clock whose waits cost no time: it is put forward by what was asked to be waited. */
export interface SkippingClock {
  now(): number
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>
  advance(milliseconds: number): void
  /** What was waited for, in milliseconds. */
  readonly waits: number[]
}

/** The same for all clocks of a process, so that a token of one server is as old for another. */
const early = Date.now() % 3_600_000

/**
 * Time that began with an hour when the process did, so that no account's day ends, and nothing that a system counts or
 * signs by the day changes, while a test compares.
 */
export const fromTheHour = (): number => Date.now() - early

/** `wall` is the time that goes on by itself, if it does. */
export function skippingClock(wall = fromTheHour): SkippingClock {
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
