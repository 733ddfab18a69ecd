/**
 * Writes an answer as JSON, in pieces with room for other work between them: a large page would block the event loop.
 */
import { setImmediate } from 'node:timers/promises'
import type { Answer } from '../engine/call/call.ts'
import { stringifyJson } from '../json.ts'

/** The approximate length of a piece; a single record can be longer. */
const pieceLength = 128 * 1024

/** The maximum number of records in one step, if the earlier ones were short: one by one takes half as much again. */
const mostAtOnce = 16

/** The text if it is short; otherwise the bytes, which take less memory while they are sent. */
export async function writeAnswer({ result, connector_metadata }: Answer): Promise<string | Buffer> {
  const metadata = stringifyJson(connector_metadata)
  if (!Array.isArray(result)) return `{"result":${stringifyJson(result)},"connector_metadata":${metadata}}`
  const pieces: Buffer[] = []
  let text = '{"result":['
  let count = 1
  for (let at = 0; at < result.length; ) {
    const some = result.slice(at, at + count)
    const written = stringifyJson(some).slice(1, -1)
    text += at === 0 ? written : `,${written}`
    at += some.length
    count = written.length * 4 < pieceLength ? Math.min(count * 4, mostAtOnce) : 1
    if (text.length < pieceLength) continue
    pieces.push(Buffer.from(text))
    text = ''
    await setImmediate()
  }
  text += `],"connector_metadata":${metadata}}`
  return pieces.length === 0 ? text : Buffer.concat([...pieces, Buffer.from(text)])
}
