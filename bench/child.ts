/** Programs under measurement run in processes of their own, and say with one JSON line when they are ready. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

export interface Child<T> {
  readonly ready: T
  readonly process: ChildProcess
  /** Milliseconds from the start of the process to its line. */
  readonly startedIn: number
  stop(): Promise<void>
}

/** Starts one of the programs beside this file and waits for its line. */
export function startChild<T>(
  program: string,
  argument: unknown = {},
  env: Readonly<Record<string, string>> = {},
): Promise<Child<T>> {
  return startScript(new URL(`./programs/${program}.ts`, import.meta.url).pathname, [JSON.stringify(argument)], env)
}

/** Starts a script and waits for its first line on standard output. */
export async function startScript<T>(
  script: string,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Child<T>> {
  const start = performance.now()
  const child = spawn(process.execPath, [script, ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  })
  const lines = createInterface({ input: child.stdout! })
  const line = await Promise.race([
    once(lines, 'line').then(([text]) => String(text)),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`${script} ended with ${code} before it was ready`))),
  ])
  const startedIn = performance.now() - start
  return {
    ready: JSON.parse(line) as T,
    process: child,
    startedIn,
    async stop() {
      child.kill('SIGTERM')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}
