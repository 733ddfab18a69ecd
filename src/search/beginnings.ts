/** How texts may begin that match a pattern: every way to write its first characters, which an index of plain texts can look up. */
import { parsePattern } from './pattern.ts'

/** Few texts have so long a beginning in common, and the index has no longer keys than some hundred characters. */
const longestBeginning = 40

/** The ways to write each of the first characters. */
export type Beginning = readonly (readonly string[])[]

/**
 * Each text that matches the pattern compares as one that begins so. Null where the pattern says nothing of its beginning, or
 * a date-time could match it, which compares as the instant and not as it is written.
 */
export function beginningOf(pattern: string): Beginning | null {
  const [first] = parsePattern(pattern).pieces
  // Other characters have too many forms: a letter with a mark may be one character or two.
  const end = first!.findIndex((character) => character === null || character < ' ' || character > '~')
  const known = end < 0 ? first! : first!.slice(0, end)
  if (known.length === 0 || mayBeginInstant.test(known.join(''))) return null
  return known.slice(0, longestBeginning).map((character) => waysToWrite(character!))
}

/** More ranges of an index would take longer than they save. */
const mostWritten = 48

/** All ways to write the first of the characters, as many of them as have few ways. */
export function waysToBegin(beginning: Beginning): readonly string[] {
  // A character of beyond ASCII is rare enough to end a beginning of its own.
  let [written, rare] = [[''], [] as string[]]
  for (const ways of beginning) {
    const longer = (plain: boolean) =>
      written.flatMap((before) => ways.filter((way) => way <= '~' === plain).map((way) => before + way))
    const [next, ended] = [longer(true), longer(false)]
    if (next.length + rare.length + ended.length > mostWritten) break
    written = next
    rare = [...rare, ...ended]
  }
  return [...written, ...rare]
}

const mayBeginInstant = /^\d{1,4}$|^\d{4}-/

/** Every character that folds to this one of ASCII. */
export const waysToWrite = (folded: string): readonly string[] => [
  ...new Set([folded, folded.toUpperCase(), ...(beyondAscii[folded] ?? [])]),
]

/** The long s, the dotless i, and what Unicode has a second time. */
const beyondAscii: Readonly<Record<string, readonly string[]>> = {
  i: ['\u0131'],
  k: ['\u212a'],
  s: ['\u017f'],
  '`': ['\u1fef'],
  ';': ['\u037e'],
}
