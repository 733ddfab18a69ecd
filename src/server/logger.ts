/** The log of the server: one JSON object per line. */
import { type DestinationStream, type Logger, pino } from 'pino'
import type { LogFields, LogLevel } from '../log.ts'

// Nothing writes these on purpose; whatever slips in all the same is not shown.
const neverShown = [
  'authorization',
  'cookie',
  'credentials',
  'client_secret',
  'access_token',
  'refresh_token',
  'api_token',
  'account_key',
  'access_key',
  'access_key_secret',
  'token',
  'secret',
  'password',
]

/** Makes the log. Without a destination it goes to standard output. */
export function createLogger(level: LogLevel, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: neverShown.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[hidden]' },
  }
  return pino(options, destination ?? standardOutput())
}

/** How many characters wait for a standard output that takes nothing; what is more is lost. */
const mostKept = 1024 * 1024

/** Where nothing can be written, as on a full disk, the server goes on without its log, and ends without waiting for it. */
function standardOutput(): DestinationStream {
  const output = pino.destination({ dest: 1, maxLength: mostKept })
  output.on('error', () => {
    output.flushSync = () => {}
  })
  return output
}

/**
 * What a log may tell of a defect: codes and messages down the chain of causes, and where the outermost was thrown.
 * Never the error itself: those of HTTP clients carry the request, and with it the credentials.
 */
export function errorFields(thrown: unknown): LogFields {
  const chain: { code?: string; message: string }[] = []
  for (let error = thrown; error instanceof Error && chain.length < 5; error = error.cause) {
    const { code } = error as { code?: unknown }
    chain.push({ ...(typeof code === 'string' && { code }), message: error.message })
  }
  const frames = thrown instanceof Error ? (thrown.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line)) : []
  return {
    error: chain.length > 0 ? chain : [{ message: 'something that is not an error was thrown' }],
    at: frames.slice(0, 8).map((line) => line.trim()),
  }
}
