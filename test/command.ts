/** The command line for tests as a process of its own: for servers, for signals and exit codes, and for what a process alone has. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type Ended, Printed } from './printed.ts'

/** Names the program's file in a whole run, which builds it once: it starts in half the time of the sources. */
export const programVariable = 'CONEX_TEST_PROGRAM'

/** The program's own file: the published one in a whole run, and that among the sources where a file is run by itself. */
export const main = process.env[programVariable] ?? fileURLToPath(new URL('../src/cli/main.ts', import.meta.url))

export interface Surroundings {
  /** Settings, and whatever else a command reads from its environment; nothing comes from the test's own but the path and how Node loads. */
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** Another file of the program than its own. */
  readonly program?: string
  /** What standard input holds; nothing when left out. */
  readonly input?: string
}

export interface Running {
  readonly child: ChildProcess
  /** Resolves with the first match in all that was printed on either stream. */
  printed(pattern: RegExp): Promise<RegExpExecArray>
  /** Sends the signal and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<Ended>
  ended: Promise<Ended>
}

const started = new Set<ChildProcess>()

/** Ends what a failed test has left running. */
export function endAll(): void {
  for (const child of started) child.kill('SIGKILL')
}

export function startConex(
  args: readonly string[],
  { env = {}, cwd, input, program = main }: Surroundings = {},
): Running {
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env.PATH, NODE_OPTIONS: process.env.NODE_OPTIONS, NO_COLOR: '1', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(cwd !== undefined && { cwd }),
  })
  child.stdin.on('error', () => {}).end(input)
  started.add(child)
  child.once('close', () => started.delete(child))
  const printed = new Printed()
  child.stdout.on('data', (chunk: Buffer) => printed.add('stdout', chunk))
  child.stderr.on('data', (chunk: Buffer) => printed.add('stderr', chunk))
  const ended = once(child, 'close').then(([code]) => printed.end(code as number | null))
  return {
    child,
    ended,
    printed: (pattern) => printed.first(pattern),
    stop(signal = 'SIGTERM') {
      child.kill(signal)
      return ended
    },
  }
}

/** Runs a command to its end in a process of its own. */
export const conexProcess = (args: readonly string[], surroundings?: Surroundings): Promise<Ended> =>
  startConex(args, surroundings).ended
