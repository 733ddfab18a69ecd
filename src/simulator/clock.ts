/** The simulators' clock: the given time plus whatever a test has put it forward. */

export interface Clock {
  /** Milliseconds since 1970 as the simulated systems see it. */
  now(): number
  /** The time without what was added: what a client's own clock says. */
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
