/** A few threads that do jobs, fair between those who give them. */
import { Worker } from 'node:worker_threads'
import { FairQueue } from '../fair-queue.ts'
import type { ThreadAnswer, ThreadData, ThreadJob } from './copy-thread.ts'
import { unpackError } from './thread-error.ts'

interface Job extends ThreadJob {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

interface Thread {
  readonly worker: Worker
  readonly abandoned: Int32Array
  job: Job | null
}

/** Threads are started when there is work for them. Each does one job at a time. */
export class Threads {
  readonly #data: Omit<ThreadData, 'abandoned'>
  readonly #most: number
  readonly #threads = new Set<Thread>()
  readonly #waiting = new FairQueue<Job>()
  #jobs = 0
  #closed = false

  constructor(data: Omit<ThreadData, 'abandoned'>, most: number) {
    this.#data = data
    this.#most = most
  }

  run<T>(giver: string, name: string, args: readonly unknown[], signal?: AbortSignal): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#closed) throw new Error('The store is closed.')
      signal?.throwIfAborted()
      // Fits the shared memory; 0 is nobody's.
      this.#jobs = (this.#jobs % 0x7fff_fffe) + 1
      const gone = () => this.#abandon(giver, job, signal!.reason)
      const job: Job = {
        ...{ id: this.#jobs, name, args },
        resolve(value) {
          signal?.removeEventListener('abort', gone)
          resolve(value as T)
        },
        reject(error) {
          signal?.removeEventListener('abort', gone)
          reject(error)
        },
      }
      signal?.addEventListener('abort', gone, { once: true })
      this.#waiting.add(giver, job)
      this.#dispatch()
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    const ended = new Error('The store was closed.')
    for (let job = this.#waiting.take(); job !== undefined; job = this.#waiting.take()) job.reject(ended)
    await Promise.all(
      [...this.#threads].map(async (thread) => {
        thread.job?.reject(ended)
        if (thread.job !== null) Atomics.store(thread.abandoned, 0, thread.job.id)
        await thread.worker.terminate()
      }),
    )
  }

  #dispatch(): void {
    while (!this.#waiting.isEmpty) {
      const thread = [...this.#threads].find(({ job }) => job === null) ?? this.#start()
      if (thread === null) return
      const job = this.#waiting.take()!
      thread.job = job
      // Only work keeps the process alive, not threads that wait for it.
      thread.worker.ref()
      thread.worker.postMessage({ id: job.id, name: job.name, args: job.args } satisfies ThreadJob)
    }
  }

  #start(): Thread | null {
    if (this.#threads.size >= this.#most) return null
    const abandoned = new Int32Array(new SharedArrayBuffer(4))
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
    const worker = new Worker(new URL(`./copy-thread.${extension}`, import.meta.url), {
      workerData: { ...this.#data, abandoned } satisfies ThreadData,
      ...(this.#data.role === 'write' && { resourceLimits: { maxYoungGenerationSizeMb: youngMb } }),
    })
    const thread: Thread = { worker, abandoned, job: null }
    this.#threads.add(thread)
    worker.on('message', (answer: ThreadAnswer) => this.#answered(thread, answer))
    worker.on('error', (error) => this.#lost(thread, error as Error))
    worker.on('exit', () => this.#lost(thread, new Error('A thread of the store ended.')))
    return thread
  }

  #answered(thread: Thread, answer: ThreadAnswer): void {
    const { job } = thread
    thread.job = null
    // A thread that is being ended has to keep the process alive until it has.
    if (!this.#closed) thread.worker.unref()
    if ('error' in answer) job?.reject(unpackError(answer.error))
    else job?.resolve(answer.value)
    if (!this.#closed) this.#dispatch()
  }

  #lost(thread: Thread, error: Error): void {
    if (!this.#threads.delete(thread)) return
    thread.job?.reject(error)
    if (!this.#closed) this.#dispatch()
  }

  /** The caller has gone: a waiting job is dropped, a running one ends at its next look at the shared memory. */
  #abandon(giver: string, job: Job, reason: Error): void {
    job.reject(reason)
    for (const thread of this.#threads) if (thread.job === job) Atomics.store(thread.abandoned, 0, job.id)
    this.#waiting.remove(giver, job)
  }
}

/**
 * The garbage of a few pages of records, in a writing thread. Unless told so, it would let four times as much gather, for
 * no more speed.
 */
const youngMb = 32
