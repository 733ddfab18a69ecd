/** Collects the complete body of an answer. */
import { ConexError } from '../../errors.ts'
import type { HttpRequest, OpenedAnswer, WholeAnswer } from './messages.ts'
import { TransportFault } from './transport-fault.ts'

/** The answer, up to so many bytes. Throws when the call ends, or where there is no memory for more. */
export async function wholeAnswer(
  { status, headers, body }: OpenedAnswer,
  { largest, room, signal }: Required<Pick<HttpRequest, 'largest'>> & Pick<HttpRequest, 'room' | 'signal'>,
): Promise<WholeAnswer> {
  const chunks: Buffer[] = []
  let size = 0
  let fault: TransportFault | null = null
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > largest) throw tooLarge(largest)
      room?.receive(chunk.length)
      chunks.push(chunk)
    }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof ConexError) throw error
    fault = error instanceof TransportFault ? error : cut()
  }
  return { status, headers, body: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks), fault }
}

/** The fault of an answer that is longer than allowed. */
export const tooLarge = (largest: number): TransportFault =>
  new TransportFault('unusable', false, `it is larger than the ${Math.round(largest / 1024 / 1024)} MiB that are read`)

const cut = (): TransportFault => new TransportFault('unusable', true, 'the connection broke in the middle of it')
