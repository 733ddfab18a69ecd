/** Patterns of `like`: `%` is any run, `_` one character, and `\` makes the next character literal. */
import { finder } from './find-text.ts'
import { fold } from './fold.ts'

/** A part of a pattern between two runs, in which null is any one character. Everything is folded. */
export type Piece = readonly (string | null)[]

/** A pattern, divided at its runs. */
export interface Pattern {
  readonly pieces: readonly Piece[]
}

/** Parses a pattern. A single backslash at the end means a backslash. */
export function parsePattern(pattern: string): Pattern {
  const pieces: (string | null)[][] = [[]]
  // Folded as a whole, because characters may compose with the next ones.
  let literal = ''
  const endLiteral = () => {
    for (const character of fold(literal)) pieces.at(-1)!.push(character)
    literal = ''
  }
  const characters = [...pattern]
  for (let index = 0; index < characters.length; index++) {
    const character = characters[index]!
    if (character === '%' || character === '_') {
      endLiteral()
      if (character === '%') pieces.push([])
      else pieces.at(-1)!.push(null)
    } else if (character === '\\' && index + 1 < characters.length) literal += characters[++index]!
    else literal += character
  }
  endLiteral()
  return { pieces }
}

/** The maximum length of a piece with `_`: it takes a step for each character of a text and each 32 of its own. */
export const longestOpenPiece = 1000

/** The fault of a pattern, or null. */
export function patternFault(pattern: string): string | null {
  if (!mayHaveLongPiece(pattern)) return null
  const { middle } = partsOf(parsePattern(pattern))
  return middle.some((piece) => isOpen(piece) && piece.length > longestOpenPiece)
    ? `has more than ${longestOpenPiece} characters between two %, and _ among them`
    : null
}

/** A quick check: few patterns can have a piece that is too long, and dividing a long pattern takes long. */
const mayHaveLongPiece = (pattern: string): boolean =>
  pattern.length > longestOpenPiece &&
  pattern.includes('_') &&
  pattern
    .replace(/\\./gsu, 'x')
    .split('%')
    .some(({ length }) => length > longestOpenPiece)

/** Whether the whole text matches; created once per pattern. No run is tried twice. */
export function patternMatcher(pattern: Pattern): (text: string) => boolean {
  const { first, middle, last, least } = partsOf(pattern)
  const isWhole = pattern.pieces.length === 1
  if (!pattern.pieces.some(isOpen))
    return plainMatcher(
      first.join(''),
      middle.map((piece) => piece.join('')),
      last.join(''),
      isWhole,
    )
  const begins = startingWith(first)
  const ends = startingWith(last)
  const finds = middle.map(pieceFinder)
  return (text) => {
    const characters = codePoints(fold(text))
    if (characters.length < least || (isWhole && characters.length > least)) return false
    const end = characters.length - last.length
    if (!begins(characters, 0) || (!isWhole && !ends(characters, end))) return false
    let at = first.length
    for (const find of finds) {
      // The earliest place leaves the most room for the later pieces.
      at = find(characters, at, end)
      if (at < 0) return false
    }
    return true
  }
}

function partsOf({ pieces }: Pattern) {
  return {
    first: pieces[0]!,
    middle: pieces.slice(1, -1).filter((piece) => piece.length > 0),
    last: pieces.at(-1)!,
    least: pieces.reduce((sum, piece) => sum + piece.length, 0),
  }
}

const isOpen = (piece: Piece): boolean => piece.includes(null)

function plainMatcher(
  first: string,
  middle: readonly string[],
  last: string,
  whole: boolean,
): (text: string) => boolean {
  if (whole) return (text) => fold(text) === first
  const finds = middle.map((piece) => ({ find: finder(piece), length: piece.length }))
  return (text) => {
    const folded = fold(text)
    if (!folded.startsWith(first) || !folded.endsWith(last)) return false
    const end = folded.length - last.length
    let at = first.length
    for (const { find, length } of finds) {
      const found = find(folded, at)
      if (found < 0 || found + length > end) return false
      at = found + length
    }
    return at <= end
  }
}

/** A text as numbers, one for each character. */
function codePoints(text: string): Uint32Array {
  const points = new Uint32Array(text.length)
  let count = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    const point = (unit & 0xf800) === 0xd800 ? text.codePointAt(at)! : unit
    points[count++] = point
    if (point > 0xffff) at++
  }
  return count === text.length ? points : points.subarray(0, count)
}

function startingWith(piece: Piece): (characters: Uint32Array, at: number) => boolean {
  const wanted = piece.map((character) => character?.codePointAt(0) ?? null)
  return (characters, at) => wanted.every((point, index) => point === null || characters[at + index] === point)
}

/**
 * Returns the end of the first match of a middle piece, or -1. Every bit stands for one character of the piece, and
 * is set while all earlier ones match (Shift-And), so no text makes it try again.
 */
function pieceFinder(piece: Piece): (characters: Uint32Array, from: number, end: number) => number {
  const wanted = piece.map((character) => character?.codePointAt(0) ?? null)
  const size = (piece.length + 31) >> 5
  const bitsOf = (character: number | null): Int32Array => {
    const bits = new Int32Array(size)
    for (const [index, point] of wanted.entries())
      if (point === null || point === character) bits[index >> 5]! |= 1 << (index & 31)
    return bits
  }
  const known = new Map([...new Set(wanted)].map((point) => [point, bitsOf(point)]))
  const others = bitsOf(null)
  const [start] = wanted
  const done = 1 << ((piece.length - 1) & 31)
  const met = new Int32Array(size)
  return (characters, from, end) => {
    met.fill(0)
    let any = 0
    for (let at = from; at < end; at++) {
      const character = characters[at]!
      // Most characters begin no match.
      if (any === 0 && start !== null && start !== character) continue
      const bits = known.get(character) ?? others
      let carried = 1
      any = 0
      for (let word = 0; word < size; word++) {
        const before = met[word]!
        any |= met[word] = ((before << 1) | carried) & bits[word]!
        carried = before >>> 31
      }
      if ((met[size - 1]! & done) !== 0) return at + 1
    }
    return -1
  }
}
