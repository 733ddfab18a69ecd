/** Waits for Ctrl-C or a stop from the system. */
import { signalCodes } from './interruption.ts'

/** Resolves at the first SIGINT or SIGTERM. A second one ends the process at once, with the code that shells give it. */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      for (const signal of signals) {
        process.off(signal, stop)
        process.once(signal, () => process.exit(signalCodes[signal]))
      }
      resolve()
    }
    for (const signal of signals) process.on(signal, stop)
  })
}

const signals = ['SIGINT', 'SIGTERM'] as const
