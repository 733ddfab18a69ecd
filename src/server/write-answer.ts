/** Writes an answer as JSON, record by record, in turns with other work: a large page would hold the event loop. */
import type { Answer } from '../engine/call.ts'
import { stringifyJson } from '../json.ts'
import { takeTurns } from '../turns.ts'

/** How much text becomes bytes at once. */
const pieceLength = 64 * 1024

export async function writeAnswer({ result, connector_metadata }: Answer): Promise<Buffer> {
  const metadata = stringifyJson(connector_metadata)
  if (!Array.isArray(result)) return Buffer.from(`{"result":${stringifyJson(result)},"connector_metadata":${metadata}}`)
  const turn = takeTurns()
  const pieces: Buffer[] = []
  let text = '{"result":['
  let separator = ''
  for (const record of result) {
    text += separator + stringifyJson(record)
    separator = ','
    if (text.length < pieceLength) continue
    pieces.push(Buffer.from(text))
    text = ''
    await turn()
  }
  pieces.push(Buffer.from(`${text}],"connector_metadata":${metadata}}`))
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces)
}
