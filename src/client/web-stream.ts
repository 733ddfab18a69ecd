/** Gives the bytes of a Node stream as a web stream, which browsers and Node read alike. */
import type { Readable } from 'node:stream'

/** Reads on as fast as it is read from. Cancelling it destroys the Node stream. Node's own conversion may close twice, and throws then. */
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
