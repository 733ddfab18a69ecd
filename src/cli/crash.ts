/** How the server exits after a defect: with a stack trace, but without the properties of the error. */
import { errorFields } from '../server/logger.ts'

/**
 * Node would print all properties of the error, and errors of HTTP clients contain the request with its credentials.
 * The process exits in any case, because its state is unknown.
 */
export function dieQuietly(): void {
  // The report that Node writes when it runs out of memory must not contain the keys.
  process.report.excludeEnv = true
  process.on('uncaughtException', (error) => {
    process.stderr.write(`${JSON.stringify({ level: 'fatal', ...errorFields(error), message: 'crashed' })}\n`)
    process.exit(1)
  })
}
