/** Patterns of `like`: `%` is any run, `_` one character, `\` takes the next character as it is. */
import { fold } from './fold.ts'

/** A pattern taken apart: between two runs stands a piece, in which null is any one character. All is folded. */
export interface Pattern {
  readonly pieces: readonly (readonly (string | null)[])[]
}

/** Reads a pattern. One that ends in a single backslash means a backslash there. */
export function parsePattern(pattern: string): Pattern {
  const pieces: (string | null)[][] = [[]]
  const characters = [...pattern]
  for (let index = 0; index < characters.length; index++) {
    const character = characters[index]!
    if (character === '%') pieces.push([])
    else if (character === '_') pieces.at(-1)!.push(null)
    else if (character === '\\' && index + 1 < characters.length) pieces.at(-1)!.push(fold(characters[++index]!))
    else pieces.at(-1)!.push(fold(character))
  }
  return { pieces }
}

/** Whether the whole text matches; made once per pattern. No run is tried twice, so that it takes the text times the longest piece at worst. */
export function patternMatcher({ pieces }: Pattern): (text: string) => boolean {
  const first = pieces[0]!
  const last = pieces.at(-1)!
  const middle = pieces.slice(1, -1).filter((piece) => piece.length > 0)
  const least = pieces.reduce((sum, piece) => sum + piece.length, 0)
  const plain = pieces.every((piece) => !piece.includes(null))
  if (plain)
    return plainMatcher(
      first.join(''),
      middle.map((piece) => piece.join('')),
      last.join(''),
      pieces.length === 1,
    )
  return (text) => {
    const characters = [...fold(text)]
    if (characters.length < least) return false
    if (pieces.length === 1) return characters.length === first.length && standsAt(characters, 0, first)
    if (!standsAt(characters, 0, first)) return false
    const end = characters.length - last.length
    if (!standsAt(characters, end, last)) return false
    let at = first.length
    for (const piece of middle) {
      // The earliest place leaves the most room for the pieces after it.
      while (at + piece.length <= end && !standsAt(characters, at, piece)) at++
      if (at + piece.length > end) return false
      at += piece.length
    }
    return at <= end
  }
}

function plainMatcher(
  first: string,
  middle: readonly string[],
  last: string,
  whole: boolean,
): (text: string) => boolean {
  if (whole) return (text) => fold(text) === first
  return (text) => {
    const folded = fold(text)
    if (!folded.startsWith(first) || !folded.endsWith(last)) return false
    const end = folded.length - last.length
    let at = first.length
    for (const piece of middle) {
      const found = folded.indexOf(piece, at)
      if (found < 0 || found + piece.length > end) return false
      at = found + piece.length
    }
    return at <= end
  }
}

function standsAt(characters: readonly string[], at: number, piece: readonly (string | null)[]): boolean {
  for (let index = 0; index < piece.length; index++) {
    const wanted = piece[index]
    if (wanted !== null && characters[at + index] !== wanted) return false
  }
  return true
}
