/**
 * The entries of a value in an index of words: its words and, for names and titles, every three consecutive
 * characters. A database writes both as its own tokens; `word-question.ts` asks for them.
 */

/** The longest text whose parts are indexed: names and titles, not bodies. */
const longestWithParts = 128

/**
 * Whether the parts of a text are indexed. Identifiers, addresses and times are one word each and have as many parts
 * as a title, but nobody searches for their middles.
 */
export const hasParts = (text: string): boolean => text.length <= longestWithParts && text.includes(' ')

/** Every three consecutive characters of a folded text. */
export function partsOf(folded: string): string[] {
  const parts: string[] = []
  for (let at = 0; ; ) {
    const second = at + width(folded, at)
    const third = second + width(folded, second)
    const end = third + width(folded, third)
    if (end > folded.length || third >= folded.length) return parts
    parts.push(folded.slice(at, end))
    at = second
  }
}

const width = (text: string, at: number): number => ((text.charCodeAt(at) & 0xfc00) === 0xd800 ? 2 : 1)
