/** The other side of `helper.ts`: a thread of the process works, and its main thread watches it. */
import { setPriority } from 'node:os'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { packError, type ThreadError } from '../thread-error.ts'

export type HelperAnswer = { readonly value: unknown } | { readonly error: ThreadError } | { readonly tooMuch: true }

/** A process that takes more memory is ended: SQLite, as Node has it, knows no limit of its own. */
const mostBytes = 768 * 1024 * 1024
const lookEveryMs = 10

/** Does jobs, one at a time. `url` is that of the helper's own file. */
export function serveHelper(url: string, work: (job: never) => unknown): void {
  if (isMainThread) watch(url)
  else {
    // All that it needs is loaded by now.
    parentPort!.postMessage({ value: 'ready' } satisfies HelperAnswer)
    parentPort!.on('message', async (job) => {
      try {
        parentPort!.postMessage({ value: await work(job as never) } satisfies HelperAnswer)
      } catch (error) {
        parentPort!.postMessage({ error: packError(error) } satisfies HelperAnswer)
      }
    })
  }
}

function watch(url: string): void {
  setPriority(10)
  const worker = new Worker(new URL(url))
  // A thread inside of SQL can be ended in no other way than with its process.
  const end = () => process.kill(process.pid, 'SIGKILL')
  process.on('message', (job) => worker.postMessage(job))
  process.on('disconnect', end)
  worker.on('message', (answer) => process.send!(answer))
  worker.on('error', (error) => {
    console.error(error)
    end()
  })
  let told = false
  setInterval(() => {
    if (told || process.memoryUsage.rss() < mostBytes) return
    told = true
    process.send!({ tooMuch: true } satisfies HelperAnswer, end)
  }, lookEveryMs)
}
