/** Tells a person what went wrong, on standard error: one sentence, then each fault on its own line. */
import { styleText } from 'node:util'
import { ConexError } from '../errors.ts'

export function report(error: unknown): void {
  if (!(error instanceof ConexError)) {
    const message = error instanceof Error ? error.message : String(error)
    process.stderr.write(`${paint('red', 'error')} ${message}\n`)
    return
  }
  process.stderr.write(`${paint('red', error.code)} ${error.message}\n`)
  for (const { path, message } of error.issues ?? []) process.stderr.write(`  ${paint('dim', path)} ${message}\n`)
  if (error.retryAfter !== undefined) process.stderr.write(`  repeat after ${error.retryAfter} s\n`)
}

/** Colour where standard error is a terminal that wants it. */
export const paint = (style: Parameters<typeof styleText>[0], text: string): string =>
  styleText(style, text, { stream: process.stderr })
