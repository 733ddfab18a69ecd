/** Sends a message to a party that is no system, such as the receiver of a webhook. */
import type { HttpRequest, Transport } from './messages.ts'

/** Returns the status; follows no redirect and reads nothing of the answer. Throws what the transport throws. */
export async function postMessage(transport: Transport, message: Omit<HttpRequest, 'method'>): Promise<number> {
  const { status, body } = await transport.open({ ...message, method: 'POST' }, 0)
  body.destroy()
  return status
}
