/** Work that takes long gives other work its turn, so that nothing holds the event loop. */
import { setImmediate } from 'node:timers/promises'

/** How long work may go on before it lets others have their turn, in milliseconds. */
const longest = 4

/**
 * Gives back a function to call between steps of the work: it gives the wait for others where the work has gone on for long.
 * Else undefined, which is not to be awaited: a hundred needless waits cost more than the work on a hundred records.
 */
export function takeTurns(): () => Promise<void> | undefined {
  let begun = performance.now()
  return () => {
    if (performance.now() - begun < longest) return undefined
    return setImmediate().then(() => {
      begun = performance.now()
    })
  }
}
