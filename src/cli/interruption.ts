/** Ctrl-C, for commands that read: the call ends, what was printed is whole lines, and the code says what ended it. */

/** What ends a command from outside, and the exit code that shells give it. */
export const signalCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const

const stop = new AbortController()
let code: number | null = null
let listening = false

/** Aborts at the first of these signals. A second one ends the process at once. */
export function interruption(): AbortSignal {
  if (listening) return stop.signal
  listening = true
  for (const [signal, itsCode] of Object.entries(signalCodes))
    process.on(signal, () => {
      if (code !== null) process.exit(itsCode)
      code = itsCode
      stop.abort(new Error('interrupted'))
    })
  return stop.signal
}

/** The exit code of an interrupted command; null when nothing interrupted it. */
export const interruptedCode = (): number | null => code
