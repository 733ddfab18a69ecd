/** The state of a consent: a secret that goes through the system's page and back, and may be tied to one browser. */
import { hashOf, newSecret } from './one-time-secret.ts'

/** Begins every state that only one browser may bring back; no other state has a dot. */
const tied = 'link.'

/** A new state, for this browser alone if there is one. */
export const newState = (browser: string | undefined): string => (browser === undefined ? '' : tied) + newSecret()

/** The hash that finds the consent. Another browser than the one that the state is tied to makes another hash. */
export const hashOfState = (state: string, browser: string | undefined): string =>
  hashOf(state.startsWith(tied) ? `${state} ${browser ?? ''}` : state)
