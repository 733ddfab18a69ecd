/**
 * Work that must not hold or harm this process: another process does it, which is ended by force when it takes too long. SQL can run
 * for ever inside a database's own code, where nothing else stops it.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { unpackError } from '../thread-error.ts'
import type { HelperAnswer } from './serve-helper.ts'

export class TookTooLong extends Error {}
export class TookTooMuch extends Error {}

interface Running {
  readonly process: ChildProcess
  /** Who waits for its next message. */
  waiting: Pick<PromiseWithResolvers<HelperAnswer>, 'resolve' | 'reject'> | null
}

/** Processes are started when there is work for them, and stay for more. */
export class Helper {
  readonly #file: URL
  readonly #idle = new Set<Running>()
  readonly #all = new Set<Running>()
  #closed = false

  /** The name of the file without its ending; it lies beside the one that starts it. */
  constructor(name: string, from: string) {
    this.#file = new URL(`./${name}.${from.endsWith('.ts') ? 'ts' : 'js'}`, from)
  }

  /** Does one job, in at most so many milliseconds, and no longer than somebody waits for it. */
  async run<T>(job: object, limitMs: number, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted()
    if (this.#closed) throw new Error('The store is closed.')
    const [idle] = this.#idle
    const running = idle ?? this.#start()
    this.#idle.delete(running)
    const leave = () => this.#end(running, signal!.reason)
    signal?.addEventListener('abort', leave, { once: true })
    let timer: NodeJS.Timeout | undefined
    try {
      // It says that it is ready before it is given the first job.
      if (idle === undefined) await next(running)
      else hold(running.process)
      timer = setTimeout(() => this.#end(running, new TookTooLong()), limitMs)
      const answered = next(running)
      running.process.send(job)
      const answer = await answered
      if ('tooMuch' in answer) throw new TookTooMuch()
      // Only work keeps this process alive.
      letGo(running.process)
      this.#idle.add(running)
      if ('error' in answer) throw unpackError(answer.error)
      return answer.value as T
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', leave)
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    const ended = [...this.#all].map(({ process }) => new Promise((done) => process.once('exit', done)))
    for (const running of this.#all) {
      hold(running.process)
      this.#end(running, new Error('The store was closed.'))
    }
    await Promise.all(ended)
  }

  #end(running: Running, error: unknown): void {
    running.waiting?.reject(error)
    running.process.kill('SIGKILL')
  }

  #start(): Running {
    const child = fork(this.#file, {
      // It gets nothing of ours: no keys, no addresses, no flags.
      env: { TZ: 'UTC' },
      execArgv: ['--disable-warning=ExperimentalWarning'],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const running: Running = { process: child, waiting: null }
    this.#all.add(running)
    const lost = (error: Error): void => {
      this.#all.delete(running)
      this.#idle.delete(running)
      running.waiting?.reject(error)
    }
    child.on('message', (answer) => running.waiting?.resolve(answer as HelperAnswer))
    child.on('error', lost)
    child.on('exit', () => lost(new Error('A process of the store ended.')))
    return running
  }
}

const next = (running: Running): Promise<HelperAnswer> =>
  new Promise((resolve, reject) => {
    running.waiting = { resolve, reject }
  })

function hold(process: ChildProcess): void {
  process.ref()
  process.channel?.ref()
}

function letGo(process: ChildProcess): void {
  process.unref()
  process.channel?.unref()
}
