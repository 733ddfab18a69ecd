/**
 * The memory that answers of systems may take, all calls of a process together. A few KiB of a compressed answer can become many
 * MiB of objects, so that a limit for each alone would let a few calls end the process, and with it all others.
 */
import { getHeapStatistics } from 'node:v8'
import { ConexError } from '../../errors.ts'

/** What a call holds of it. */
export interface Held {
  /** From now on it is no more than so many bytes. */
  shrink(bytes: number): void
  free(): void
}

interface Waiting {
  readonly bytes: number
  readonly enter: () => void
}

/** A quarter of what the process may use leaves room for the garbage of work, and for estimates that are too low. */
export const usualAnswerMemory = (): number => Math.floor(getHeapStatistics().heap_size_limit / 4)

/** An answer that has waited so long, in milliseconds, is given up, well before the deadline of its call. */
const patience = 10_000

export class AnswerMemory {
  readonly most: number
  #held = 0
  /** Bytes as they came, which are outside of the heap and have a limit of their own. */
  #received = 0
  readonly #waiting = new Set<Waiting>()

  constructor(most: number) {
    this.most = most
  }

  /** The part of one call. */
  room(): Room {
    let [held, received] = [0, 0]
    const grow = (bytes: number): void => {
      held += bytes
      this.#held += bytes
    }
    const shrink = (bytes: number): void => {
      if (bytes >= held) return
      grow(bytes - held)
      this.#enterNext()
    }
    return {
      receive: (bytes) => {
        if (this.#received + bytes > this.most) throw tooMany()
        received += bytes
        this.#received += bytes
      },
      unpacked: () => {
        this.#received -= received
        received = 0
      },
      take: async (bytes, signal) => {
        if (bytes > this.most) throw tooMuch()
        // A call that holds memory never waits: two such calls could wait for each other.
        if (held > 0) {
          if (held + bytes > this.most) throw tooMuch()
          if (this.#held + bytes > this.most * 2) throw tooMany()
        } else if (this.#waiting.size > 0 || this.#held + bytes > this.most) await this.#waitFor(bytes, signal)
        grow(bytes)
      },
      held: () => held,
      give: (bytes) => shrink(held - bytes),
      most: this.most,
      shrink,
      free() {
        this.unpacked()
        shrink(0)
      },
    }
  }

  /** Waits for so much room, in order. The caller counts the bytes before anything else runs. */
  #waitFor(bytes: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted()
      const end = (): void => {
        clearTimeout(late)
        signal.removeEventListener('abort', gone)
        this.#waiting.delete(waiting)
      }
      const waiting: Waiting = {
        bytes,
        enter: () => {
          end()
          resolve()
        },
      }
      const leave = (reason: unknown): void => {
        end()
        reject(reason)
        this.#enterNext()
      }
      const gone = (): void => leave(signal.reason)
      const late = setTimeout(() => leave(tooMany()), patience)
      signal.addEventListener('abort', gone, { once: true })
      this.#waiting.add(waiting)
    })
  }

  #enterNext(): void {
    let free = this.most - this.#held
    for (const { bytes, enter } of this.#waiting) {
      if (bytes > free) return
      free -= bytes
      enter()
    }
  }
}

export interface Room extends Held {
  /** Counts bytes that came in; throws where there are too many of all calls together. */
  receive(bytes: number): void
  /** What came in is not held any more. */
  unpacked(): void
  /** Waits until there is room for so many bytes of objects; throws where there is none in good time, or never. */
  take(bytes: number, signal: AbortSignal): Promise<void>
  held(): number
  /** Gives so many bytes back. */
  give(bytes: number): void
  /** The memory for all. */
  readonly most: number
}

const tooMany = (): ConexError =>
  new ConexError(
    'rate_limited',
    'The server holds as many answers of third-party systems as it can just now; repeat the call after the time in retry_after.',
    { retryAfter: 2 },
  )

export const tooMuch = (): ConexError =>
  new ConexError(
    'upstream_invalid_response',
    'The third-party system gave an answer of more values than the server has memory for; ask for fewer records at once.',
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
