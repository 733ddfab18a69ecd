/** The thread that parses heavy JSON and hands it over in pieces: to take all of it at once would hold the main thread as parsing does. */
import { parentPort } from 'node:worker_threads'
import { ExactNumber, parseJson, TooDeep } from '../../json.ts'

/**
 * Some of the parts of a value, in the order of its text, or why there is no value. A container comes empty; what it holds follows,
 * in an object each value behind its key, and then undefined. An exact number is an object of text, which JSON could not hold.
 */
export type Piece = unknown[] | 'nests too deeply' | 'is not JSON'

/** Parts that the main thread takes over in two to four milliseconds. */
const largestPiece = 8192

/** The characters of a text that take as long as one more part. */
const charactersOfPart = 256

let pieces: Piece[]

/** Takes a text to parse, or null for the next piece; undefined comes after the last. */
parentPort!.on('message', (order: Uint8Array | null) => {
  if (order !== null) pieces = piecesOf(order).reverse()
  parentPort!.postMessage(pieces.pop())
})

function piecesOf(json: Uint8Array): Piece[] {
  const made: unknown[][] = []
  let free = 0
  const put = (part: unknown, size = 1): void => {
    if (free < size) {
      made.push([])
      free = largestPiece
    }
    made.at(-1)!.push(part)
    free -= size
  }
  const putAll = (value: unknown): void => {
    if (typeof value === 'string') put(value, 1 + value.length / charactersOfPart)
    else if (value instanceof ExactNumber) put(new String(value))
    else if (Array.isArray(value)) {
      put([])
      for (const element of value) putAll(element)
      put(undefined)
    } else if (typeof value === 'object' && value !== null) {
      put({})
      for (const entry of Object.entries(value)) entry.forEach(putAll)
      put(undefined)
    } else put(value)
  }
  try {
    putAll(parseJson(new TextDecoder().decode(json)))
    return made
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return [error instanceof TooDeep ? 'nests too deeply' : 'is not JSON']
  }
}
