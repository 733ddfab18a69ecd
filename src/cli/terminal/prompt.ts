/** Asks the person at the terminal. */
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { ConexError } from '../../errors.ts'
import type { Io } from '../io.ts'

/**
 * Whether there is a terminal to ask. The question goes to standard error, because standard output may be redirected.
 */
export const canPrompt = ({ stdin, stderr }: Io): boolean => stdin.isTTY === true && stderr.isTTY === true

/** Asks for a secret without showing it. */
export async function promptSecret(question: string, io: Io): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  // Print the question after echo is off, so that nothing of the answer can show.
  const reader = createInterface({ input: io.stdin, output: silent, terminal: true })
  io.stderr.write(`${question}: `)
  try {
    return await answer(reader, '', io)
  } finally {
    reader.close()
    io.stderr.write('\n')
  }
}

/** Asks for one line. */
export async function promptText(question: string, io: Io): Promise<string> {
  const reader = createInterface({ input: io.stdin, output: io.stderr })
  try {
    return (await answer(reader, `${question}: `, io)).trim()
  } finally {
    reader.close()
  }
}

/** True if the answer begins with a y. */
export async function promptYes(question: string, io: Io): Promise<boolean> {
  const reader = createInterface({ input: io.stdin, output: io.stderr })
  try {
    return /^y/i.test(await answer(reader, `${question} [y/N] `, io))
  } finally {
    reader.close()
  }
}

/** Ctrl-C and the end of input are not an answer; they end the command like a signal. */
function answer(reader: ReturnType<typeof createInterface>, question: string, io: Io): Promise<string> {
  return new Promise((resolve, reject) => {
    reader.once('SIGINT', () => {
      // Restore the terminal before the process exits.
      reader.close()
      io.interrupt()
    })
    reader.once('close', () => reject(new ConexError('invalid_request', 'There was no answer; nothing was done.')))
    reader.question(question).then(resolve, reject)
  })
}
