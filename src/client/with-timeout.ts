/** Bounds work by the caller's signal and a timeout. */
import type { FieldChoice } from '../catalog/choose-fields.ts'
import { ConexError } from '../errors.ts'

/** Options of every call. */
export interface CallOptions {
  /** Ends the call and its work upstream. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds for this call, including retries and pages; for a download, up to its first byte. */
  readonly timeout?: number | undefined
}

/** Options of a list or a get: also the record fields to return, as paths with dots. */
export interface ReadOptions extends CallOptions, FieldChoice {}

/**
 * Runs the work under a signal that aborts at the timeout or with the caller's signal. After the work, only the
 * caller's signal can abort.
 */
export async function withTimeout<T>(
  options: CallOptions,
  work: (signal: AbortSignal | undefined) => Promise<T>,
): Promise<T> {
  const { signal, stop } = bounded(options)
  try {
    return await work(signal)
  } finally {
    stop()
  }
}

/** The same for an iteration; the timeout covers all of its items. */
export async function* eachWithTimeout<T>(
  options: CallOptions,
  work: (signal: AbortSignal | undefined) => AsyncGenerator<T, void, undefined>,
): AsyncGenerator<T, void, undefined> {
  const { signal, stop } = bounded(options)
  try {
    yield* work(signal)
  } finally {
    stop()
  }
}

function bounded({ signal, timeout }: CallOptions): { signal: AbortSignal | undefined; stop: () => void } {
  if (timeout === undefined) return { signal, stop: () => {} }
  const timer = new AbortController()
  const late = setTimeout(() => timer.abort(tooLate(timeout)), timeout)
  return {
    signal: signal === undefined ? timer.signal : AbortSignal.any([signal, timer.signal]),
    stop: () => clearTimeout(late),
  }
}

const tooLate = (timeout: number): ConexError =>
  new ConexError(
    'upstream_timeout',
    `There was no answer within ${timeout} ms; repeat the call later, or allow more time.`,
  )

/** Waits for shared work, until this caller aborts. */
export async function unlessAborted<T>(shared: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return shared
  let stop = (): void => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
  })
  try {
    return await Promise.race([shared, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
