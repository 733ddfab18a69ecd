/** Work that takes long gives other work its turn, so that nothing holds the event loop. */
import { setImmediate } from 'node:timers/promises'

/** How long work may go on before it lets others have their turn, in milliseconds. */
const longest = 4

/** Gives back a function to call between steps of the work: it waits for others where the work has gone on for long. */
export function takeTurns(): () => Promise<void> | void {
  let begun = performance.now()
  return () => {
    if (performance.now() - begun < longest) return
    return setImmediate().then(() => {
      begun = performance.now()
    })
  }
}
