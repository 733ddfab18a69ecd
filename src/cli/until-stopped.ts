/** Waits for Ctrl-C or a stop from the system. */

/** Resolves at the first SIGINT or SIGTERM. A second one ends the process at once. */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      for (const signal of signals) {
        process.off(signal, stop)
        process.once(signal, () => process.exit(130))
      }
      resolve()
    }
    for (const signal of signals) process.on(signal, stop)
  })
}

const signals = ['SIGINT', 'SIGTERM'] as const
