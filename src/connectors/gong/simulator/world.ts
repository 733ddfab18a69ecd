/** Everything in the simulated company, made from one seed, and what changes on demand have made different. */
import type { Surroundings } from '../../../kit/simulator.ts'
import { createLimits } from './call-limits.ts'
import { createCalls } from './calls.ts'
import { createContents } from './contents.ts'
import { createPeople } from './people.ts'
import { createReviews } from './reviews.ts'
import { createSettings } from './settings.ts'

export type World = ReturnType<typeof createWorld>

export function createWorld({ seed, scale, clock, filesOrigin, callsPerMinute }: Surroundings) {
  const settings = createSettings(callsPerMinute)
  /** Ids of deleted records. */
  const gone = new Set<string>()
  const people = createPeople(seed, scale)
  const calls = createCalls(seed, scale, people, gone, clock.now())
  return {
    settings,
    gone,
    /** Fields that override those of a record, by its id. */
    edits: new Map<string, Readonly<Record<string, unknown>>>(),
    /** Scopes that no credentials have. */
    missingScopes: new Set<string>(),
    people,
    calls,
    contents: createContents(seed, people),
    reviewOf: createReviews(seed, people),
    /** Counts a call; a number refuses it and says after how many seconds to come back. */
    take: createLimits(clock, settings),
    filesOrigin,
    seed,
  }
}
