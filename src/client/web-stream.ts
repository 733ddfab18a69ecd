/** Converts a Node stream to a web stream, which browsers and Node both read. */
import type { Readable } from 'node:stream'

/**
 * Reads no faster than its consumer. Cancelling it destroys the Node stream. Node's own conversion can close twice,
 * which throws.
 */
export function webStream(from: Readable): ReadableStream<Uint8Array<ArrayBuffer>> {
  const chunks = from[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value as Uint8Array<ArrayBuffer>)
    },
    cancel: () => void from.destroy(),
  })
}
