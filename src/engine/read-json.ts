/** Reads the JSON of a system's answer. */
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { TooDeep } from '../json.ts'
import { takeTurns } from '../turns.ts'
import { parseInTurns } from './parse-in-turns.ts'
import { TransportFault } from './transport-fault.ts'
import { tooLarge, type WholeAnswer } from './whole-answer.ts'

/** Reads a whole answer as JSON. Throws TransportFault when it is cut, not JSON, or larger or deeper than allowed. */
export async function readJson(answer: WholeAnswer, largest: number): Promise<unknown> {
  return parseAnswer(answer, await readText(answer, largest))
}

/** The same where the text was read already. */
export async function parseAnswer({ headers }: WholeAnswer, text: string): Promise<unknown> {
  try {
    return await parseInTurns(text)
  } catch (error) {
    if (error instanceof TooDeep) throw new TransportFault('unusable', false, 'its JSON nests too deeply')
    const type = mediaTypeOf(headers)
    if (text.trim() === '') throw new TransportFault('unusable', false, `the body was empty (${type})`)
    const looksCut = /json/i.test(type) && /^\s*[[{]/.test(text)
    throw new TransportFault(
      'unusable',
      looksCut,
      looksCut ? 'its JSON stops in the middle' : `it is not JSON (${type})`,
    )
  }
}

const decompressors: Record<string, (input: Uint8Array, options: { maxOutputLength: number }) => Promise<Buffer>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
}

/** The text of a whole answer, decoded where it is compressed. */
export async function readText({ headers, body, fault }: WholeAnswer, largest: number): Promise<string> {
  if (fault !== null) throw fault
  const encoding = String(headers['content-encoding'] ?? 'identity').toLowerCase()
  const bytes = encoding === 'identity' || encoding === '' ? body : await decompressed(body, encoding, largest)
  const decoder = new TextDecoder('utf-8')
  const turn = takeTurns()
  let text = ''
  for (let at = 0; at < bytes.length; at += decodedAtOnce) {
    text += decoder.decode(bytes.subarray(at, at + decodedAtOnce), { stream: true })
    const others = turn()
    if (others !== undefined) await others
  }
  return text + decoder.decode()
}

/** How many bytes are decoded before other work may have its turn. */
const decodedAtOnce = 256 * 1024

async function decompressed(bytes: Uint8Array, encoding: string, largest: number): Promise<Uint8Array> {
  const decompress = decompressors[encoding]
  if (decompress === undefined)
    throw new TransportFault('unusable', false, 'it is encoded in a way that was not asked for')
  try {
    return await decompress(bytes, { maxOutputLength: largest })
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(largest)
    throw new TransportFault('unusable', true, 'its compressed body is broken')
  }
}

/** The media type alone: parameters may hold anything, even an echo of the request. */
export const mediaTypeOf = (headers: WholeAnswer['headers']): string =>
  /^[\w.+-]{1,40}\/[\w.+-]{1,40}(?=\s*(;|$))/.exec(String(headers['content-type'] ?? ''))?.[0] ?? 'no known type'
