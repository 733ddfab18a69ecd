/** Reads a small JSON document, such as the metadata of an identity provider: one try, no redirect, bounded in size. */
import type { HeaderFields, Transport } from './messages.ts'
import { readJson } from './read-json.ts'

export interface ReadDocument {
  readonly status: number
  readonly headers: HeaderFields
  /** The document; undefined if the answer is not JSON. */
  readonly value: unknown
}

/** In bytes; such documents have a few thousand. */
const largest = 64 * 1024

export async function readDocument(transport: Transport, url: URL, signal: AbortSignal): Promise<ReadDocument> {
  const headers = { accept: 'application/json' }
  const answer = await transport.send({ method: 'GET', url, headers, signal, largest })
  if (answer.fault !== null) throw answer.fault
  const { status } = answer
  return { status, headers: answer.headers, value: await readJson(answer, largest).catch(() => undefined) }
}
