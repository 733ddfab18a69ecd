/** Prints an error to standard error: one sentence, and a line for each fault that the sentence does not name. */
import { ConexError } from '../errors.ts'
import type { Io } from './io.ts'
import { flagAt, nameFlags } from './name-flags.ts'
import { manyLines, oneLine } from './terminal/safe-text.ts'
import { paintFor } from './terminal/screen.ts'

/** `args` are the words of the command, so that the error can name its flags. */
export function reportError(error: unknown, args: readonly string[], { stderr }: Pick<Io, 'stderr'>): void {
  const paint = paintFor(stderr)
  if (!(error instanceof ConexError)) {
    const message = error instanceof Error ? error.message : String(error)
    stderr.write(`${paint('red', 'error')} ${manyLines(message)}\n`)
    return
  }
  const issues = error.issues ?? []
  const told = issues.map(({ path, message }) => `${flagAt(path, args)} ${nameFlags(message, args)}`)
  let sentence = error.message
  for (const [place, { path, message }] of issues.entries())
    for (const named of [path, `"${path.slice(1)}"`, path.split('/').slice(2).join('/')])
      if (named !== '') sentence = sentence.replace(`${named} ${message}`, () => told[place]!)
  sentence = nameFlags(sentence, args)
  // Parts of it may come from a third-party system.
  stderr.write(`${paint('red', error.code)} ${oneLine(sentence)}\n`)
  for (const [place, one] of told.entries()) {
    // A fault may be printed without its place. Entities and actions are arguments, not flags, and the sentence names
    // them.
    const { message } = issues[place]!
    const isTold = /^\/(entity|action) /.test(one) || sentence.includes(one) || error.message.includes(message)
    if (!isTold) stderr.write(`  ${oneLine(one)}\n`)
  }
  if (error.existingId !== undefined) stderr.write(`  it is ${oneLine(error.existingId)}\n`)
  if (error.retryAfter !== undefined) stderr.write(`  repeat after ${error.retryAfter} s\n`)
}
