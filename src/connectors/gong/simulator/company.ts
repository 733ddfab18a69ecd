/** Everything in the simulated company, generated from one seed. */
import { type Activity, createActivity } from './activity.ts'
import { type Contents, createContents } from './call-contents.ts'
import { type Calls, createCalls } from './calls.ts'
import { type Coaching, createCoaching } from './coaching.ts'
import { createPeople, type People } from './people.ts'
import { createReviews, type Reviews } from './reviews.ts'
import type { State } from './state.ts'
import { createTranscripts } from './transcripts.ts'

export interface Company {
  readonly people: People
  readonly calls: Calls
  readonly contents: Contents
  readonly transcript: ReturnType<typeof createTranscripts>
  readonly reviews: Reviews
  readonly activity: Activity
  readonly coaching: Coaching
  readonly state: State
}

export function createCompany(seed: number, scale: number, state: State, now: number): Company {
  const people = createPeople(seed, scale)
  const calls = createCalls(seed, scale, people, state, now)
  return {
    people,
    calls,
    contents: createContents(seed, people, state),
    transcript: createTranscripts(seed),
    reviews: createReviews(seed, calls, people, state),
    activity: createActivity(seed, calls, people),
    coaching: createCoaching(calls, people),
    state,
  }
}
