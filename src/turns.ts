/** Work that takes long gives other work its turn, so that nothing holds the event loop. */
import { setImmediate } from 'node:timers/promises'

/** How long work may go on before it lets others have their turn, in milliseconds. */
const longest = 4

/**
 * Gives back a function to call between steps of the work: it gives the wait for others where the work has gone on for long.
 * Else undefined, which is not to be awaited: a hundred needless waits cost more than the work on a hundred records. Steps that
 * are shorter than a look at the clock are best looked at several at once.
 */
export function takeTurns(stepsAtOnce = 1): () => Promise<void> | undefined {
  let begun = performance.now()
  let steps = 0
  return () => {
    if (++steps < stepsAtOnce) return undefined
    steps = 0
    if (performance.now() - begun < longest) return undefined
    return setImmediate().then(() => {
      begun = performance.now()
    })
  }
}
