/** The real process as the environment of a command. */
import { environment } from '../environment.ts'
import { Interrupted, type Io } from './io.ts'

/** Signals that end a command, with their conventional exit codes. */
const signalCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const

const stop = new AbortController()
let listening = false

export const processIo: Io = {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  folder: process.cwd(),
  env: environment,

  /** The first signal aborts. A second one exits at once. */
  interruption() {
    if (listening) return stop.signal
    listening = true
    for (const [signal, code] of Object.entries(signalCodes))
      process.on(signal, () => {
        if (stop.signal.aborted) process.exit(code)
        stop.abort(new Interrupted(code))
      })
    return stop.signal
  },

  /** A second signal exits at once, with its conventional code. */
  untilStopped() {
    const signals = ['SIGINT', 'SIGTERM'] as const
    return new Promise((resolve) => {
      const stopped = (): void => {
        for (const signal of signals) {
          process.off(signal, stopped)
          process.once(signal, () => process.exit(signalCodes[signal]))
        }
        resolve()
      }
      for (const signal of signals) process.on(signal, stopped)
    })
  },

  interrupt() {
    process.kill(process.pid, 'SIGINT')
  },
}
