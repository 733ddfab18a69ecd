/** Writes an answer as JSON, a few records at a time, in turns with other work: a large page would hold the event loop. */
import type { Answer } from '../engine/call/call.ts'
import { stringifyJson } from '../json.ts'
import { LongText } from '../turns.ts'

/** How much is written at once, about: records one by one take half as much again. */
const longAtOnce = 16 * 1024

/** The most records that are written at once, where the ones before were short. */
const mostAtOnce = 16

/** The text where it is short; else the bytes. */
export async function writeAnswer({ result, connector_metadata }: Answer): Promise<string | Buffer> {
  const metadata = stringifyJson(connector_metadata)
  if (!Array.isArray(result)) return `{"result":${stringifyJson(result)},"connector_metadata":${metadata}}`
  const text = new LongText()
  let separator = '{"result":['
  let count = 1
  for (let at = 0; at < result.length; ) {
    const some = result.slice(at, at + count)
    const written = stringifyJson(some)
    const others = text.add(separator + written.slice(1, -1))
    separator = ','
    at += some.length
    count = written.length < longAtOnce ? Math.min(count * 4, mostAtOnce) : 1
    if (others !== undefined) await others
  }
  text.add(`${result.length === 0 ? separator : ''}],"connector_metadata":${metadata}}`)
  return text.written()
}
