/** Parses JSON of any length without holding the main thread: heavy texts are parsed in a thread of their own. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { ExactNumber, parseJson, TooDeep } from '../../json.ts'
import { tooMuch, weightOf } from './answer-memory.ts'
import type { Piece } from './parse-thread.ts'

/** The weight of half a megabyte of usual records, or of 60 KB of empty ones, which take 2 to 15 ms. */
const heaviestParsedHere = 4 * 1024 * 1024

/** How long the thread waits for the next text, in milliseconds. */
const idleMs = 30_000

/** What `parseJson` makes of the text; throws as that does, or the reason of the signal. */
export async function parseBytes(json: Uint8Array, weight = weightOf(json), signal?: AbortSignal): Promise<unknown> {
  return weight > heaviestParsedHere ? parseInThread(json, signal) : parseHere(json)
}

const parseHere = (json: Uint8Array): unknown => parseJson(new TextDecoder().decode(json))

let thread: Worker | null = null
let ending: NodeJS.Timeout | undefined
let last: Promise<unknown> = Promise.resolve()

/** Texts are parsed one after the other: memory and processors have room for one. */
function parseInThread(json: Uint8Array, signal?: AbortSignal): Promise<unknown> {
  const parsed = last.then(async () => {
    signal?.throwIfAborted()
    clearTimeout(ending)
    thread ??= startThread()
    const worker = thread
    worker.ref()
    try {
      return await putTogether(worker, json, signal)
    } catch (error) {
      if (thread !== null) throw error
      if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY') throw tooMuch()
      // A program that was bundled into one file has no file for the thread.
      return parseHere(json)
    } finally {
      // Only work keeps the process alive, not a thread that waits for it.
      worker.unref()
      ending = setTimeout(() => {
        thread = null
        void worker.terminate()
      }, idleMs).unref()
    }
  })
  last = parsed.catch(() => {})
  return parsed
}

function startThread(): Worker {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const worker = new Worker(new URL(`./parse-thread.${extension}`, import.meta.url))
  return worker.once('error', () => {
    thread = null
  })
}

/** Asks for piece after piece, so that other work has its place between them. */
async function putTogether(worker: Worker, json: Uint8Array, signal?: AbortSignal): Promise<unknown> {
  const root: unknown[] = []
  const open: object[] = [root]
  let key: string | null = null
  for (let order: Uint8Array | null = json; ; order = null) {
    worker.postMessage(order)
    const [piece] = (await once(worker, 'message')) as [Piece | undefined]
    signal?.throwIfAborted()
    if (piece === undefined) return root[0]
    if (piece === 'nests too deeply') throw new TooDeep()
    if (piece === 'is not JSON') throw new SyntaxError('It is not JSON.')
    for (const part of piece) {
      const inner = open.at(-1)!
      if (part === undefined) open.pop()
      else if (key === null && !Array.isArray(inner)) key = part as string
      else {
        const isExact = part instanceof String
        add(inner, key!, isExact ? new ExactNumber(String(part)) : part)
        key = null
        if (typeof part === 'object' && part !== null && !isExact) open.push(part)
      }
    }
  }
}

function add(container: object, key: string, value: unknown): void {
  if (Array.isArray(container)) container.push(value)
  else if (key !== '__proto__') (container as Record<string, unknown>)[key] = value
  // Plain data, also under the name of the prototype.
  else Object.defineProperty(container, key, { value, writable: true, enumerable: true, configurable: true })
}
