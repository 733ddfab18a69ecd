/**
 * Parses JSON of any length without holding the event loop: the document is cut at commas into pieces that are parsed one
 * by one, and containers that are longer than a piece are put together from theirs.
 */
import { type Decimals, deepest, parseJson, TooDeep } from '../../json.ts'
import { takeTurns } from '../../turns.ts'

/** The length of a piece, which takes less than half a millisecond, or one and a half where numbers need care. */
const pieceLength = 64 * 1024

/** A text of up to this length is parsed at once, for cutting costs half as much again. */
const parsedAtOnce = 4 * pieceLength

/** A container that the reading is inside of. */
interface Level {
  readonly isArray: boolean
  /** Where its inside begins. */
  readonly start: number
  /** Behind its last comma. */
  element: number
  /** Its elements so far, once it turned out to be longer than a piece. */
  made: unknown[] | Record<string, unknown> | null
  /** Its key, where it is in an object. */
  key: string | null
  /** Up to where its inside is in `made`. */
  done: number
  /** Whether what stands before `done` is an element, which a comma has to follow. */
  closed: boolean
}

/** The same as `parseJson`, in turns with other work where the text is long. */
export async function parseInTurns(text: string, decimals?: Decimals, piece = pieceLength): Promise<unknown> {
  return text.length <= parsedAtOnce && piece === pieceLength
    ? parseJson(text, decimals)
    : parsePieces(text, decimals, piece)
}

async function parsePieces(text: string, decimals: Decimals | undefined, piece: number): Promise<unknown> {
  const turn = takeTurns()
  const levels: Level[] = []
  /** How many of the levels are put together from pieces: always the outermost ones. */
  let opened = 0
  let root: unknown
  let rooted = false
  let due = piece

  for (let at = 0; at < text.length; at++) {
    const letter = text.charCodeAt(at)
    if (letter === quote) at = endOfString(text, at)
    else if (letter === comma) {
      const level = levels.at(-1) ?? broken()
      if (level.made !== null) step(level, at)
      level.element = at + 1
    } else if (letter === openArray || letter === openObject) {
      if (levels.length === 0 && (rooted || !isBlank(text, 0, at))) broken()
      if (levels.length === deepest) throw new TooDeep()
      const start = at + 1
      levels.push({
        isArray: letter === openArray,
        start,
        element: start,
        made: null,
        key: null,
        done: start,
        closed: false,
      })
    } else if (letter === closeArray || letter === closeObject) {
      const level = levels.pop() ?? broken()
      if (level.isArray !== (letter === closeArray)) broken()
      if (level.made !== null) close(level, at)
      if (levels.length === 0) {
        rooted = true
        root = level.made
        if (!isBlank(text, at + 1, text.length)) broken()
      }
    }
    if (at >= due) {
      due = at + piece
      openLong(at)
      const others = turn()
      if (others !== undefined) await others
    }
  }
  if (levels.length > 0) broken()
  return root ?? parseJson(text, decimals)

  /** Takes what is complete out of the text, and opens the containers that hold more than a piece of the rest. */
  function openLong(at: number): void {
    for (;;) {
      const level = levels[opened - 1]
      if (level !== undefined && level.element > level.done) {
        append(level, level.done, level.element - 1)
        level.done = level.element
      }
      const inner = levels[opened]
      if (inner === undefined || at - inner.start < piece) return
      if (level !== undefined) {
        if (level.closed) broken()
        if (level.isArray) {
          if (!isBlank(text, level.done, inner.start - 1)) broken()
        } else inner.key = keyBefore(level.done, inner.start - 1)
      }
      inner.made = inner.isArray ? [] : {}
      opened++
    }
  }

  /** A comma in an opened container. */
  function step(level: Level, at: number): void {
    if (!level.closed) return
    if (!isBlank(text, level.done, at)) broken()
    level.closed = false
    level.done = at + 1
  }

  /** The end of an opened container, which becomes an element of the one around it. */
  function close(level: Level, at: number): void {
    const blank = isBlank(text, level.done, at)
    if (level.closed ? !blank : blank && level.done > level.start) broken()
    if (!blank) append(level, level.done, at)
    opened--
    const outer = levels.at(-1)
    if (outer === undefined) return
    add(outer, level.key, level.made)
    outer.done = at + 1
    outer.closed = true
  }

  function append(level: Level, from: number, to: number): void {
    if (isBlank(text, from, to)) broken()
    const inside = text.slice(from, to)
    if (level.isArray) for (const element of parseJson(`[${inside}]`, decimals) as unknown[]) add(level, null, element)
    else for (const [key, value] of Object.entries(parseJson(`{${inside}}`, decimals) as object)) add(level, key, value)
  }

  function keyBefore(from: number, to: number): string {
    const [key, ...more] = Object.keys(parseJson(`{${text.slice(from, to)}0}`) as object)
    return key === undefined || more.length > 0 ? broken() : key
  }
}

function add({ made }: Level, key: string | null, value: unknown): void {
  if (Array.isArray(made)) made.push(value)
  // Plain data, also under the name of the prototype.
  else Object.defineProperty(made, key!, { value, writable: true, enumerable: true, configurable: true })
}

const [quote, backslash, comma, openArray, closeArray, openObject, closeObject] = [34, 92, 44, 91, 93, 123, 125]

/** The place of the quote that ends the string which begins at a place. */
function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes++
    if (escapes % 2 === 0) return end
  }
  return broken()
}

function isBlank(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (!blanks.has(text.charCodeAt(at))) return false
  return true
}

const blanks = new Set([9, 10, 13, 32])

function broken(): never {
  throw new SyntaxError('It is not JSON.')
}
