/** Asks whoever sits at the terminal. */
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { ConexError } from '../../errors.ts'
import type { Io } from '../io.ts'

/** Whether there is somebody to ask: the question goes to standard error, so that standard output may lead elsewhere. */
export const canAsk = ({ stdin, stderr }: Io): boolean => stdin.isTTY === true && stderr.isTTY === true

/** A secret, which does not show while it is typed. */
export async function askSecret(question: string, io: Io): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  // From here on the terminal shows nothing of what is typed, so that the question comes after it.
  const reader = createInterface({ input: io.stdin, output: silent, terminal: true })
  io.stderr.write(`${question}: `)
  try {
    return await answer(reader, '', io)
  } finally {
    reader.close()
    io.stderr.write('\n')
  }
}

/** True when the answer begins with a y. */
export async function askYes(question: string, io: Io): Promise<boolean> {
  const reader = createInterface({ input: io.stdin, output: io.stderr })
  try {
    return /^y/i.test(await answer(reader, `${question} [y/N] `, io))
  } finally {
    reader.close()
  }
}

/** Ctrl-C and the end of input are no answer; they end the command as a signal does. */
function answer(reader: ReturnType<typeof createInterface>, question: string, io: Io): Promise<string> {
  return new Promise((resolve, reject) => {
    reader.once('SIGINT', () => {
      // The terminal has to be as it was before the process may end.
      reader.close()
      io.interrupt()
    })
    reader.once('close', () => reject(new ConexError('invalid_request', 'There was no answer; nothing was done.')))
    reader.question(question).then(resolve, reject)
  })
}
