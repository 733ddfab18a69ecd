/** A few threads that do jobs, fair between those who give them. */
import { Worker } from 'node:worker_threads'
import { Semaphore } from '../../semaphore.ts'
import { unpackError } from '../thread-error.ts'
import type { ThreadAnswer, ThreadData, ThreadJob } from './copy-thread.ts'

interface Thread {
  readonly worker: Worker
  /** In shared memory: not 0 when nobody waits for its job any more. */
  readonly abandoned: Int32Array
  job: Pick<PromiseWithResolvers<unknown>, 'resolve' | 'reject'> | null
}

/** Threads are started when there is work for them. Each does one job at a time. */
export class Threads {
  readonly #data: Omit<ThreadData, 'abandoned'>
  readonly #slots: Semaphore
  readonly #threads = new Set<Thread>()
  #closed = false

  constructor(data: Omit<ThreadData, 'abandoned'>, most: number) {
    this.#data = data
    this.#slots = new Semaphore(most)
  }

  /** At the signal the caller is let go at once; its job, if it runs, ends at the next look at the shared memory. */
  run<T>(giver: string, name: string, args: readonly unknown[], signal?: AbortSignal): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const leave = () => reject(signal!.reason)
      signal?.addEventListener('abort', leave, { once: true })
      this.#slots
        .run(giver, () => this.#do(name, args, signal), signal)
        .finally(() => signal?.removeEventListener('abort', leave))
        .then((value) => resolve(value as T), reject)
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.all(
      [...this.#threads].map(async ({ worker, abandoned, job }) => {
        Atomics.store(abandoned, 0, 1)
        job?.reject(new Error('The store was closed.'))
        await worker.terminate()
      }),
    )
  }

  async #do(name: string, args: readonly unknown[], signal: AbortSignal | undefined): Promise<unknown> {
    if (this.#closed) throw new Error('The store is closed.')
    const thread = [...this.#threads].find(({ job }) => job === null) ?? this.#start()
    const { worker, abandoned } = thread
    const abandon = () => Atomics.store(abandoned, 0, 1)
    Atomics.store(abandoned, 0, 0)
    signal?.addEventListener('abort', abandon, { once: true })
    // Only work keeps the process alive, not threads that wait for it.
    worker.ref()
    try {
      worker.postMessage({ name, args } satisfies ThreadJob)
      return await new Promise((resolve, reject) => {
        thread.job = { resolve, reject }
      })
    } finally {
      thread.job = null
      signal?.removeEventListener('abort', abandon)
      // A thread that is ending must keep the process alive until it has ended.
      if (!this.#closed) worker.unref()
    }
  }

  #start(): Thread {
    const abandoned = new Int32Array(new SharedArrayBuffer(4))
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
    const worker = new Worker(new URL(`./copy-thread.${extension}`, import.meta.url), {
      workerData: { ...this.#data, abandoned } satisfies ThreadData,
      ...(this.#data.role === 'write' && { resourceLimits: { maxYoungGenerationSizeMb: youngMb } }),
    })
    const thread: Thread = { worker, abandoned, job: null }
    const lost = (error: unknown): void => {
      this.#threads.delete(thread)
      thread.job?.reject(error)
    }
    worker.on('message', (answer: ThreadAnswer) => {
      if ('error' in answer) thread.job?.reject(unpackError(answer.error))
      else thread.job?.resolve(answer.value)
    })
    worker.on('error', lost)
    worker.on('exit', () => lost(new Error('A thread of the store ended.')))
    this.#threads.add(thread)
    return thread
  }
}

/**
 * The garbage of a few pages of records, in a writing thread. Unless told so, it would let four times as much gather, for
 * no more speed.
 */
const youngMb = 32
