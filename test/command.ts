/** The command line for tests: `conex` as a child process. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** The program's own file. */
export const main = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url))

export interface Surroundings {
  /** Settings, and whatever else a command reads from its environment; nothing comes from the test's own but the path. */
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** Another file of the program than the one among the sources. */
  readonly program?: string
  /** What standard input holds; nothing when left out. */
  readonly input?: string
}

export interface Ended {
  readonly code: number | null
  readonly stdout: Buffer
  readonly stderr: string
  /** What was printed, one JSON document a line. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into records of every shape
  records(): any[]
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
    env: { PATH: process.env.PATH, NO_COLOR: '1', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(cwd !== undefined && { cwd }),
  })
  child.stdin.on('error', () => {}).end(input)
  started.add(child)
  child.once('close', () => started.delete(child))
  const stdout: Buffer[] = []
  const stderr: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
  const all = () => Buffer.concat([...stdout, ...stderr]).toString()
  const ended = once(child, 'close').then(([code]): Ended => {
    const out = Buffer.concat(stdout)
    const lines = () => out.toString().split('\n').filter(Boolean)
    return {
      code: code as number | null,
      stdout: out,
      stderr: Buffer.concat(stderr).toString(),
      records: () => lines().map((line) => JSON.parse(line)),
    }
  })
  return {
    child,
    ended,
    async printed(pattern) {
      for (;;) {
        const found = pattern.exec(all())
        if (found !== null) return found
        if (child.exitCode !== null) throw new Error(`It ended without printing ${pattern}:\n${all()}`)
        const heard = new AbortController()
        const { signal } = heard
        const more = [once(child.stdout, 'data', { signal }), once(child.stderr, 'data', { signal }), ended]
        await Promise.race(more).finally(() => heard.abort())
      }
    },
    stop(signal = 'SIGTERM') {
      child.kill(signal)
      return ended
    },
  }
}

/** Runs a command to its end. */
export const conex = (args: readonly string[], surroundings?: Surroundings): Promise<Ended> =>
  startConex(args, surroundings).ended
