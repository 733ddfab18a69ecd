/**
 * The memory that answers of systems may take, all calls of a process together. A few KiB of a compressed answer can become many
 * MiB of objects, so that a limit for each alone would let a few calls end the process, and with it all others.
 */
import { getHeapStatistics } from 'node:v8'
import { ConexError } from '../../errors.ts'
import { Semaphore } from '../../semaphore.ts'

/** The memory that the answer of a finished call still takes. */
export interface Held {
  /** Keeps at most so many bytes. */
  shrink(bytes: number): void
  free(): void
}

/** A quarter of what the process may use leaves room for the garbage of work, and for estimates that are too low. */
export const usualAnswerMemory = (): number => Math.floor(getHeapStatistics().heap_size_limit / 4)

/** An answer that has waited so long, in milliseconds, is given up, well before the deadline of its call. */
const patience = 10_000

/** Gives each call its part of so many bytes. */
export function createAnswerMemory(most: number) {
  const objects = new Semaphore(most)
  // As they came, which is outside of the heap.
  let allReceived = 0

  return () => {
    let [held, received] = [0, 0]
    return {
      /** The memory for all. */
      most,
      held: () => held,

      /** Counts bytes that came in; throws where there are too many of all calls together. */
      receive(bytes: number): void {
        if (allReceived + bytes > most) throw tooMany()
        received += bytes
        allReceived += bytes
      },

      /** What came in is not held any more. */
      unpacked(): void {
        allReceived -= received
        received = 0
      },

      /** Waits until there is room for so many bytes of objects; throws where there is none in good time, or never. */
      async take(bytes: number, signal: AbortSignal): Promise<void> {
        if (held + bytes > most) throw tooMuch()
        // A call that holds memory never waits: two such calls could wait for each other.
        if (held > 0) {
          if (objects.free + most < bytes) throw tooMany()
          objects.overdraw(bytes)
        } else if (!objects.takeNow(bytes))
          await objects.take(bytes, AbortSignal.any([signal, AbortSignal.timeout(patience)])).catch(() => {
            throw signal.aborted ? signal.reason : tooMany()
          })
        held += bytes
      },

      shrink(bytes: number): void {
        if (bytes >= held) return
        objects.give(held - bytes)
        held = bytes
      },

      free(): void {
        this.unpacked()
        this.shrink(0)
      },
    }
  }
}

/** What one call holds of it. */
export type Room = ReturnType<ReturnType<typeof createAnswerMemory>>

const tooMany = (): ConexError =>
  new ConexError(
    'rate_limited',
    'The server has no memory for more answers of third-party systems at the moment; repeat the call after the time in retry_after.',
    { retryAfter: 2 },
  )

export const tooMuch = (): ConexError =>
  new ConexError(
    'upstream_invalid_response',
    'The third-party system sent a larger answer than the server has memory for; ask for fewer records at once.',
  )

/** Up to this size a look takes longer than it is worth. */
const light = 4 * 1024

/** What each byte of a JSON text adds to its weight: a value, a container or a field begins at some of them. */
const weights = new Uint8Array(256).fill(2)
for (const [character, weight] of Object.entries({ ',': 66, ':': 34, '{': 130, '[': 130 }))
  weights[character.charCodeAt(0)] = weight

/**
 * About how much memory a JSON text and its values take at the worst, as measured: empty objects take twenty times the bytes
 * of their text, long texts only twice.
 */
export function weightOf(json: Uint8Array): number {
  if (json.length <= light) return json.length * 64
  let weight = 0
  for (let at = 0; at < json.length; at++) weight += weights[json[at]!]!
  return weight
}
