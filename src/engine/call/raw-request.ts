/** Sends a request that no operation describes, and returns the answer as it came. */
import type { RawRequest } from '../../catalog/raw-request.ts'
import { readBytes } from '../http/read-json.ts'
import { TransportFault } from '../http/transport-fault.ts'
import type { CallContext } from './call-context.ts'
import { sendReading } from './send-with-retries.ts'

/** The status of an answer, its media type as the system gave it, and its bytes. */
export interface RawAnswer {
  readonly status: number
  readonly type: string
  readonly body: Uint8Array
}

export function requestRaw(context: CallContext, { query = {}, ...request }: RawRequest): Promise<RawAnswer> {
  const texts = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]))
  return sendReading(context, { ...request, query: texts }, async (answer, { settings, room, signal }) => {
    const { status, headers, body } = answer
    const type = String(headers['content-type'] ?? 'application/octet-stream')
    try {
      const { bytes, json } = await readBytes(answer, settings.largestAnswer, { room, signal })
      return { value: { status, type, body: bytes }, json, broken: null }
    } catch (error) {
      if (error instanceof TransportFault) return { value: { status, type, body }, json: undefined, broken: error }
      throw error
    }
  })
}
