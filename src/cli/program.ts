/** The command that this process was started for. */
import { processIo } from './process-io.ts'
import { report } from './report.ts'
import { run } from './run.ts'

const args = process.argv.slice(2)

// A reader that has seen enough, such as head, closes the pipe; that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  report(new Error(`What was found cannot be written to standard output: ${error.message}.`), args, processIo)
  process.exit(1)
})
// Where nobody can read what went wrong, the code still says that something did.
process.stderr.on('error', () => {})

process.exitCode = await run(args, processIo)
