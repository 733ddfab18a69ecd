/** Reads the JSON of a system's answer. */
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { TooDeep } from '../../json.ts'
import { type Room, weightOf } from './answer-memory.ts'
import type { HeaderFields, WholeAnswer } from './messages.ts'
import { parseBytes } from './parse-json.ts'
import { TransportFault } from './transport-fault.ts'
import { tooLarge } from './whole-answer.ts'

/** Where an answer takes its memory, and what ends the call. Answers to which none is given are small by themselves. */
export interface Taking {
  readonly room: Room
  readonly signal: AbortSignal
}

/**
 * Reads a whole answer as JSON. Throws TransportFault when it is cut, not JSON, or larger or deeper than allowed, and what the
 * room throws where there is none.
 */
export async function readJson(answer: WholeAnswer, largest: number, taking?: Taking): Promise<unknown> {
  if (answer.fault !== null) throw answer.fault
  const { json, weight } = await taken(answer, largest, taking)
  try {
    return await parseBytes(json, weight, taking?.signal)
  } catch (error) {
    throw error instanceof SyntaxError ? notJson(json, mediaTypeOf(answer.headers), error) : error
  } finally {
    taking?.room.unpacked()
  }
}

/** A whole answer as it came, and as JSON if it is JSON. Throws the same, but for bodies that are not JSON. */
export async function readBytes(
  answer: WholeAnswer,
  largest: number,
  taking: Taking,
): Promise<{ readonly bytes: Uint8Array; readonly json: unknown }> {
  if (answer.fault !== null) throw answer.fault
  const { json: bytes, weight } = await taken(answer, largest, taking)
  try {
    const isJson = /[/+]json\b/i.test(mediaTypeOf(answer.headers))
    return { bytes, json: isJson ? await parseBytes(bytes, weight, taking.signal) : undefined }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return { bytes, json: undefined }
  } finally {
    taking.room.unpacked()
  }
}

/** The part of a body without JSON that is read for its words. */
const beginningBytes = 16 * 1024

function notJson(bytes: Uint8Array, type: string, error: SyntaxError): TransportFault {
  const beginning = new TextDecoder().decode(bytes.subarray(0, beginningBytes), { stream: true })
  const fault = (isCut: boolean, why: string) => new TransportFault('unusable', isCut, why, beginning)
  if (error instanceof TooDeep) return fault(false, 'its JSON nests too deeply')
  if (beginning.trim() === '') return fault(false, `the body was empty (${type})`)
  const looksCut = /json/i.test(type) && /^\s*[[{]/.test(beginning)
  return looksCut ? fault(true, 'its JSON stops in the middle') : fault(false, `it is not JSON (${type})`)
}

/** Up to how many bytes an answer is unpacked before it is known how many they are. */
const unpackedAtOnce = 256 * 1024

/** How many times its bytes the objects of an answer usually take. */
const usualWeight = 4

/** The JSON, unpacked, once there is memory for what it weighs. */
async function taken(
  answer: WholeAnswer,
  largest: number,
  taking: Taking | undefined,
): Promise<{ json: Uint8Array; weight: number }> {
  // A small answer is unpacked at once; a large one takes its room first, for as much as is usual.
  let json = await unpacked(answer, Math.min(largest, unpackedAtOnce))
  const reserved = json === null && taking ? Math.min(taking.room.most, largest * usualWeight) : 0
  if (reserved > 0) await taking!.room.take(reserved, taking!.signal)
  json ??= await unpacked(answer, largest)
  if (json === null) throw tooLarge(largest)
  const weight = weightOf(json)
  if (weight > reserved) await taking?.room.take(weight - reserved, taking.signal)
  else taking?.room.shrink(taking.room.held() - reserved + weight)
  return { json, weight }
}

const decompressors: Record<string, (input: Uint8Array, options: { maxOutputLength: number }) => Promise<Buffer>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
}

/** The bytes as they were before they were compressed; null where they are more than so many. */
export async function unpacked({ headers, body }: WholeAnswer, most: number): Promise<Uint8Array | null> {
  const encoding = String(headers['content-encoding'] ?? '').toLowerCase()
  if (encoding === '' || encoding === 'identity') return body
  const decompress = decompressors[encoding]
  if (decompress === undefined)
    throw new TransportFault('unusable', false, 'it is encoded in a way that was not requested')
  try {
    return await decompress(body, { maxOutputLength: most })
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') return null
    throw new TransportFault('unusable', true, 'its compressed body is broken')
  }
}

/** The media type alone: parameters may hold anything, even an echo of the request. */
export const mediaTypeOf = (headers: HeaderFields): string =>
  /^[\w.+-]{1,40}\/[\w.+-]{1,40}(?=\s*(;|$))/.exec(String(headers['content-type'] ?? ''))?.[0] ?? 'no known type'
