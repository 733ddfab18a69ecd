/** The command line for tests, in their own process: what a command prints, how it ends, and what a person types into it. */
import { PassThrough, Writable } from 'node:stream'
import { Interrupted, type Io } from '../src/cli/io.ts'
import { run } from '../src/cli/run.ts'
import { type Ended, Printed } from './printed.ts'

export interface Given {
  /** All that the command sees of an environment. */
  readonly env?: Readonly<Record<string, string>>
  /** Where it runs. */
  readonly folder?: string
  /** What standard input holds; nothing when left out. */
  readonly input?: string
  /** Makes the three streams a terminal. What is typed waits until the terminal shows the text before it. */
  readonly terminal?: { readonly columns?: number; readonly typing?: readonly Typing[] }
}

export interface Typing {
  readonly after: RegExp
  readonly keys: string
}

export interface Begun {
  /** Resolves with the first match in all that was printed on either stream. */
  printed(pattern: RegExp): Promise<RegExpExecArray>
  readonly ended: Promise<Ended>
  /** What Ctrl-C does. */
  interrupt(): void
}

export function beginConex(
  args: readonly string[],
  { env = {}, folder = import.meta.dirname, input = '', terminal }: Given = {},
): Begun {
  const printed = new Printed()
  const isTTY = terminal !== undefined
  const screen = (stream: 'stdout' | 'stderr') =>
    Object.assign(
      new Writable({
        write(chunk, _encoding, done) {
          printed.add(stream, chunk)
          done()
        },
      }),
      { isTTY, columns: terminal?.columns ?? 80 },
    )
  const stdin = Object.assign(new PassThrough(), { isTTY })
  if (isTTY) void typed(stdin, printed, terminal.typing ?? [])
  else stdin.end(input)
  const stop = new AbortController()
  const io: Io = {
    stdin,
    stdout: screen('stdout'),
    stderr: screen('stderr'),
    folder,
    env: { NO_COLOR: '1', ...env },
    interruption: () => stop.signal,
    untilStopped: () => new Promise((resolve) => stop.signal.addEventListener('abort', () => resolve())),
    interrupt: () => stop.abort(new Interrupted(130)),
  }
  const ended = run(args, io).then((code) => printed.end(code))
  return { printed: (pattern) => printed.first(pattern), ended, interrupt: () => io.interrupt() }
}

/** Runs a command to its end. */
export const conex = (args: readonly string[], given?: Given): Promise<Ended> => beginConex(args, given).ended

async function typed(stdin: Writable, printed: Printed, typing: readonly Typing[]): Promise<void> {
  for (const { after, keys } of typing) {
    await printed.first(after)
    stdin.write(keys)
  }
}
