/** The simulators' clock: the given time plus the time that a test has added. */

export interface Clock {
  /** Milliseconds since 1970 for the simulated systems. */
  now(): number
  /** The time without the added part, as a client's own clock shows it. */
  wall(): number
  advance(ms: number): void
}

export function createClock(wall: () => number = Date.now): Clock {
  let added = 0
  return {
    wall,
    now: () => wall() + added,
    advance: (ms) => {
      added += ms
    },
  }
}
