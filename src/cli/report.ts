/** Tells a person what went wrong, on standard error: one sentence, then each fault on its own line. */
import { ConexError } from '../errors.ts'
import { manyLines, oneLine } from './terminal/safe-text.ts'
import { paint } from './terminal/screen.ts'

export function report(error: unknown): void {
  if (!(error instanceof ConexError)) {
    const message = error instanceof Error ? error.message : String(error)
    process.stderr.write(`${paint('red', 'error')} ${manyLines(message)}\n`)
    return
  }
  // Part of it may come from a third-party system.
  process.stderr.write(`${paint('red', error.code)} ${oneLine(error.message)}\n`)
  for (const { path, message } of error.issues ?? [])
    process.stderr.write(`  ${paint('dim', oneLine(path))} ${oneLine(message)}\n`)
  if (error.retryAfter !== undefined) process.stderr.write(`  repeat after ${error.retryAfter} s\n`)
}
