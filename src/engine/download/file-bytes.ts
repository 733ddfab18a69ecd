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

/** How a file's bytes come, and how many. */
export interface Framing {
  /** The expected number of bytes, if Conex must count them. */
  readonly counted: number | undefined
  /** How many bytes the file has by its record. */
  readonly size: number | undefined
  /** What the bytes are packed in, the outermost last. */
  readonly packed: readonly (keyof typeof encodings)[]
}

/** So much may come of unpacking whatever was packed, in bytes; beyond that it may be so many times larger. */
const unpackedAnyway = 64 * 1024 * 1024
const largestGrowth = 200

/** The bytes as they are in the file. They break off with an error, never with an end, when they are fewer or more than told. */
export function fileBytes(body: Readable, { packed, counted, size }: Framing): Readable {
  if (counted !== undefined)
    return through(body, [counting((count, isEnd) => (isEnd ? count === counted : count <= counted))])
  if (packed.length === 0) return body
  let came = 0
  body.on('data', (chunk: Buffer) => {
    came += chunk.length
  })
  return through(body, [
    ...packed.toReversed().map((encoding) => encodings[encoding]()),
    counting((count, isEnd) =>
      // A record may tell the packed or the unpacked size.
      isEnd
        ? size === undefined || count === size || came === size
        : count <= Math.max(unpackedAnyway, came * largestGrowth),
    ),
  ])
}

/** Counts the bytes that pass, and fails where there may not be so many, or they may not end there. */
function counting(isRight: (count: number, isEnd: boolean) => boolean): Transform {
  let count = 0
  const fault = (isEnd: boolean): TransportFault | null =>
    isRight(count, isEnd) ? null : new TransportFault('unusable', false, 'it does not have the expected length')
  return new Transform({
    transform(chunk: Buffer, _encoding, pass) {
      count += chunk.length
      pass(fault(false), chunk)
    },
    flush: (pass) => pass(fault(true)),
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
