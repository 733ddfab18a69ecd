/** Runs the command of this process. */
import { processIo } from './process-io.ts'
import { reportError } from './report-error.ts'
import { run } from './run.ts'

const args = process.argv.slice(2)

// A reader that needs no more, such as head, closes the pipe; that is not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  reportError(new Error(`The result cannot be written to standard output: ${error.message}.`), args, processIo)
  process.exit(1)
})
// If the error cannot be printed, the exit code still reports it.
process.stderr.on('error', () => {})

process.exitCode = await run(args, processIo)
