/** The bytes of a file on their way: unpacked where its host packs them, and counted where it is known how many there are. */
import { pipeline, type Readable, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'
import { TransportFault } from '../http/transport-fault.ts'

/** What hosts pack files in, although they are asked for as they are. */
export const encodings = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
}
export type Encoding = keyof typeof encodings

/** How a file's bytes come, and how many. */
export interface Framing {
  /** Which part of the file comes; null for the whole. */
  readonly contentRange: string | null
  /** How many bytes the host says it sends; null where it does not. */
  readonly sent: number | null
  /** How many bytes come; null where nothing tells. */
  readonly length: number | null
  /** How many bytes the file has by its record; null where that does not tell. */
  readonly size: number | null
  /** What the bytes are packed in, the outermost last. */
  readonly packed: readonly Encoding[]
}

/** Packed more often than that, it is not meant to be unpacked. */
export const mostEncodings = 3

/** So much may come of unpacking whatever was packed, in bytes; beyond that it may be so many times larger. */
const unpackedAnyway = 64 * 1024 * 1024
const largestGrowth = 200

/** The bytes as they are in the file. They break off with an error, never with an end, when they are fewer or more than told. */
export function fileBytes(body: Readable, { packed, sent, length, size }: Framing): Readable {
  if (packed.length === 0) {
    // The HTTP client counts what the host itself has told.
    if (length === null || sent !== null) return body
    return through(body, [
      counting(
        (count) => count <= length,
        (count) => count === length,
      ),
    ])
  }
  let came = 0
  body.on('data', ({ length }: Buffer) => {
    came += length
  })
  const unpacked = counting(
    (count) => count <= Math.max(unpackedAnyway, came * largestGrowth),
    // A record may tell the packed or the unpacked size.
    (count) => size === null || count === size || came === size,
  )
  const unpack = packed.toReversed().map((encoding) => encodings[encoding]())
  return through(body, [...unpack, unpacked])
}

/** Counts the bytes that pass, and fails where there are more than may be, or where they end with another number than they may. */
function counting(mayBe: (count: number) => boolean, mayEndAt: (count: number) => boolean): Transform {
  let count = 0
  const miscounted = (): TransportFault => new TransportFault('unusable', false, 'it is not as long as it has to be')
  return new Transform({
    transform(chunk: Buffer, _encoding, pass) {
      count += chunk.length
      if (mayBe(count)) pass(null, chunk)
      else pass(miscounted())
    },
    flush: (pass) => pass(mayEndAt(count) ? null : miscounted()),
  })
}

/** Sends the bytes through each of these; what fails ends all of them. */
function through(body: Readable, steps: readonly Transform[]): Readable {
  const last = steps.at(-1)!
  last.on('error', ignore)
  pipeline([body, ...steps], ignore)
  return last
}

const ignore = (): void => {}
