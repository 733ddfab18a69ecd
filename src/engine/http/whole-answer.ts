/**
 * Collects the complete answer to one request. The stream and the abort signal of the HTTP client are made for files:
 * they take up to a quarter of the processor time of requesting a page of a hundred records.
 */
import type { Dispatcher } from 'undici'
import { ConexError } from '../../errors.ts'
import type { HeaderFields, HttpRequest, WholeAnswer } from './messages.ts'
import { TransportFault } from './transport-fault.ts'

/**
 * The answer, up to this many bytes. Rejects with the client's error if no answer began, or with the signal's reason.
 */
export function wholeAnswer(
  client: Dispatcher,
  options: Dispatcher.DispatchOptions,
  { largest, room }: Required<Pick<HttpRequest, 'largest'>> & Pick<HttpRequest, 'room'>,
  signal: AbortSignal,
): Promise<WholeAnswer> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    let status = 0
    let headers: HeaderFields = {}
    const chunks: Buffer[] = []
    let size = 0
    let running: Dispatcher.DispatchController | null = null

    const stop = (): void => {
      reject(signal.reason)
      running?.abort(signal.reason)
    }
    const end = (fault: TransportFault | null): void => {
      signal.removeEventListener('abort', stop)
      resolve({ status, headers, body: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size), fault })
    }
    signal.addEventListener('abort', stop, { once: true })
    client.dispatch(options, {
      onRequestStart(controller) {
        running = controller
        // The caller may have left while the request waited for a connection.
        if (signal.aborted) controller.abort(signal.reason)
      },
      onResponseStart(_controller, code, given) {
        status = code
        headers = given
      },
      onResponseData(controller, chunk) {
        size += chunk.length
        try {
          if (size > largest) throw tooLarge(largest)
          room?.receive(chunk.length)
          chunks.push(chunk)
        } catch (error) {
          controller.abort(error as Error)
        }
      },
      onResponseEnd: () => end(null),
      onResponseError(_controller, error) {
        // A status below 200 is not the answer yet.
        if (status >= 200 && !(error instanceof ConexError)) return end(error instanceof TransportFault ? error : cut())
        signal.removeEventListener('abort', stop)
        reject(error)
      },
    })
  })
}

/** The fault of an answer that is longer than allowed. */
export const tooLarge = (largest: number): TransportFault =>
  new TransportFault('unusable', false, `it is larger than the ${Math.round(largest / 1024 / 1024)} MiB that are read`)

const cut = (): TransportFault => new TransportFault('unusable', true, 'the connection broke in the middle of it')
