/** How the server dies of a defect: with its trace, and without what errors carry along. */
import { errorFields } from '../server/logger.ts'

/**
 * Node would print an error with all its properties, and those of HTTP clients hold the request with its credentials. Ends the
 * process all the same: nobody knows what state it is in.
 */
export function dieQuietly(): void {
  // A report that Node writes when it is out of memory must not hold the keys.
  process.report.excludeEnv = true
  process.on('uncaughtException', (error) => {
    process.stderr.write(`${JSON.stringify({ level: 'fatal', ...errorFields(error), message: 'crashed' })}\n`)
    process.exit(1)
  })
}
