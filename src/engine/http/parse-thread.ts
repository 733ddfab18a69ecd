/** The thread that parses heavy JSON and hands it over in pieces: to take all of it at once would hold the main thread as parsing does. */
import { parentPort } from 'node:worker_threads'
import { ExactNumber, parseJson, TooDeep } from '../../json.ts'

/** One step in putting the value together: a container too large for one piece is opened, filled and closed. */
export type Piece =
  | { readonly open: 'array' | 'object'; readonly key: string }
  /** Elements of the open container: the values of an array, the entries of an object. */
  | { readonly some: readonly unknown[]; readonly hasExact: boolean }
  | { readonly close: true }
  | { readonly failed: 'nests too deeply' | 'is not JSON' }

/** A text to parse: its first piece comes back. Null asks for the next piece; undefined comes after the last. */
export type Order = Uint8Array | null

/** Values that the main thread takes over in two to four milliseconds. */
const largestPiece = 8192

/** The characters of a text that take as long as one more value. */
const charactersOfValue = 256

let pieces: Iterator<Piece, undefined>

parentPort!.on('message', (order: Order) => {
  if (order !== null) pieces = piecesOf(order)
  parentPort!.postMessage(pieces.next().value)
})

function* piecesOf(json: Uint8Array): Generator<Piece, undefined> {
  let value: unknown
  try {
    value = parseJson(new TextDecoder().decode(json))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    yield { failed: error instanceof TooDeep ? 'nests too deeply' : 'is not JSON' }
    return
  }
  yield* elementsOf([value])
}

function* elementsOf(container: object): Generator<Piece, undefined> {
  const isArray = Array.isArray(container)
  let some: unknown[] = []
  let size = 0
  let hasExact = false
  for (const [key, value] of Object.entries(container)) {
    const measured = measure(value)
    if (size + measured.size > largestPiece && some.length > 0) {
      yield { some, hasExact }
      some = []
      size = 0
      hasExact = false
    }
    if (measured.size > largestPiece && typeof value === 'object') {
      yield { open: Array.isArray(value) ? 'array' : 'object', key }
      yield* elementsOf(value as object)
      yield { close: true }
      continue
    }
    const packed = measured.hasExact ? pack(value) : value
    some.push(isArray ? packed : [key, packed])
    size += measured.size
    hasExact ||= measured.hasExact
  }
  if (some.length > 0) yield { some, hasExact }
}

/** How many values it comes to, counted until they are too many for one piece. */
function measure(value: unknown): { size: number; hasExact: boolean } {
  let size = 0
  let hasExact = false
  const count = (part: unknown): void => {
    size++
    if (typeof part === 'string') size += part.length / charactersOfValue
    else if (part instanceof ExactNumber) hasExact = true
    else if (typeof part === 'object' && part !== null)
      for (const inner of Object.values(part)) {
        if (size > largestPiece) return
        count(inner)
      }
  }
  count(value)
  return { size, hasExact }
}

/** Exact numbers as objects of text, which pass between threads and are nothing that JSON could hold. */
function pack(value: unknown): unknown {
  if (value instanceof ExactNumber) return new String(value)
  if (typeof value === 'object' && value !== null)
    for (const [key, part] of Object.entries(value)) (value as Record<string, unknown>)[key] = pack(part)
  return value
}
