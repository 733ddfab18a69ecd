/** The log of the server: one JSON object per line. */
import { type DestinationStream, type Logger, pino } from 'pino'
import type { LogFields, LogLevel } from '../log.ts'

// No code logs these on purpose; if one slips in, redact it.
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

/** Creates the log. Without a destination, it goes to standard output. */
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

/** How many characters may wait for a blocked standard output; more are dropped. */
const mostKept = 1024 * 1024

/**
 * If nothing can be written, for example on a full disk, the server continues without its log and does not wait for it
 * on exit.
 */
function standardOutput(): DestinationStream {
  const output = pino.destination({ dest: 1, maxLength: mostKept })
  output.on('error', () => {
    output.flushSync = () => {}
  })
  return output
}

/**
 * The loggable fields of a defect: codes and messages of its chain of causes, and where the outermost error was thrown.
 * Never log the error itself: the errors of HTTP clients contain the request, and with it the credentials.
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
