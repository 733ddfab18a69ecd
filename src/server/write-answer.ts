/** Writes an answer as JSON, a few records at a time, in turns with other work: a large page would hold the event loop. */
import type { Answer } from '../engine/call.ts'
import { stringifyJson } from '../json.ts'
import { takeTurns } from '../turns.ts'

/** How much text becomes bytes at once. */
const pieceLength = 64 * 1024

/** The most records that are written at once, where the ones before were short: one by one takes half as much again. */
const mostAtOnce = 16

/** The text where it is short, for whoever sends it turns it into bytes as well; else the bytes. */
export async function writeAnswer({ result, connector_metadata }: Answer): Promise<string | Buffer> {
  const metadata = stringifyJson(connector_metadata)
  if (!Array.isArray(result)) return `{"result":${stringifyJson(result)},"connector_metadata":${metadata}}`
  const turn = takeTurns()
  const pieces: Buffer[] = []
  let text = '{"result":['
  let separator = ''
  let count = 1
  for (let at = 0; at < result.length; ) {
    const some = result.slice(at, at + count)
    const written = stringifyJson(some)
    text += separator + written.slice(1, -1)
    separator = ','
    at += some.length
    count = written.length * 4 < pieceLength ? Math.min(count * 4, mostAtOnce) : 1
    if (text.length < pieceLength) continue
    pieces.push(Buffer.from(text))
    text = ''
    const others = turn()
    if (others !== undefined) await others
  }
  text += `],"connector_metadata":${metadata}}`
  return pieces.length === 0 ? text : Buffer.concat([...pieces, Buffer.from(text)])
}
