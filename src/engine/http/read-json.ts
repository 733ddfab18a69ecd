/** Reads the JSON of a system's answer. */
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { TooDeep } from '../../json.ts'
import { takeTurns } from '../../turns.ts'
import { type Room, weightOf } from './answer-memory.ts'
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

/**
 * The text of a whole answer, decoded where it is compressed; throws what the room throws where there is none. Answers to which none
 * is given are small by themselves.
 */
export async function readText(
  answer: WholeAnswer,
  largest: number,
  taking?: { readonly room: Room; readonly signal: AbortSignal },
): Promise<string> {
  if (answer.fault !== null) throw answer.fault
  if (taking === undefined) return decoded((await unpacked(answer, largest)) ?? tooMuch(largest))
  const { room, signal } = taking
  // What is small is unpacked at once; what is large takes its room first, for as much as is usual.
  let bytes = await unpacked(answer, Math.min(largest, unpackedAtOnce))
  let reserved = 0
  if (bytes === null) {
    reserved = Math.min(room.most, largest * usualWeight)
    await room.take(reserved, signal)
    bytes = await unpacked(answer, largest)
  }
  const weight = bytes === null ? 0 : await weightOf(bytes)
  if (weight > reserved) await room.take(weight - reserved, signal)
  else room.give(reserved - weight)
  const text = await decoded(bytes ?? tooMuch(largest))
  room.unpacked()
  return text
}

/** Up to how many bytes an answer is unpacked before it is known how many they are. */
const unpackedAtOnce = 256 * 1024

/** How many times its bytes the objects of an answer usually take. */
const usualWeight = 4

/** The bytes as they were before they were compressed; null where they are more than so many. */
async function unpacked({ headers, body }: WholeAnswer, most: number): Promise<Uint8Array | null> {
  const encoding = String(headers['content-encoding'] ?? 'identity').toLowerCase()
  return encoding === 'identity' || encoding === '' ? body : decompressed(body, encoding, most)
}

const tooMuch = (largest: number): never => {
  throw tooLarge(largest)
}

async function decoded(bytes: Uint8Array): Promise<string> {
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

async function decompressed(bytes: Uint8Array, encoding: string, most: number): Promise<Uint8Array | null> {
  const decompress = decompressors[encoding]
  if (decompress === undefined)
    throw new TransportFault('unusable', false, 'it is encoded in a way that was not asked for')
  try {
    return await decompress(bytes, { maxOutputLength: most })
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') return null
    throw new TransportFault('unusable', true, 'its compressed body is broken')
  }
}

/** The media type alone: parameters may hold anything, even an echo of the request. */
export const mediaTypeOf = (headers: WholeAnswer['headers']): string =>
  /^[\w.+-]{1,40}\/[\w.+-]{1,40}(?=\s*(;|$))/.exec(String(headers['content-type'] ?? ''))?.[0] ?? 'no known type'
