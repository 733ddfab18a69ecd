/**
 * The form in which words and patterns compare texts: one spelling of each character, one letter case, and the words
 * in it.
 */

// Filled as characters occur; 0 means "not looked up yet". Two bytes for each character of the first plane.
const known = new Uint16Array(0x1_00_00)

/**
 * A text with its characters composed (NFC) and every letter in one case, for all of Unicode: é is the same as one
 * character and as two. No letter depends on its neighbours: a final ς is a σ like the others, and ß stays ß.
 */
export function fold(text: string): string {
  if (onlyAscii.test(text)) return text.toLowerCase()
  if (!mayCompose.test(text)) return oneCase(text)
  // Letters in the other case may compose where these do not: there is a ǰ, but no capital of it.
  return compose(oneCase(compose(text)))
}

const onlyAscii = /^[\x00-\x7f]*$/
/** Marks, which compose, begin here. */
const mayCompose = /[^\0-\u02ff]/

/** Ordering marks takes time by the square of their number, so each mark of a very long row counts alone. */
function compose(text: string): string {
  if (text.length < 1000 || !manyMarks.test(text)) return text.normalize('NFC')
  return text
    .split(behindManyMarks)
    .map((part) => part.normalize('NFC'))
    .join('')
}

const manyMarks = /\p{M}{30}/u
const behindManyMarks = /(?<=\p{M}{30})/u

const oneCase = (text: string): string =>
  text.replaceAll(mayChange, (part) => (part.charCodeAt(0) < 0x80 ? part.toLowerCase() : foldCharacter(part)))

const mayChange = /[A-Z]+|[^\x00-\x7f]/gu

function foldCharacter(character: string): string {
  if (character.length > 1) return computeFold(character)
  const code = character.charCodeAt(0)
  known[code] ||= computeFold(character).charCodeAt(0)
  return String.fromCharCode(known[code]!)
}

/** Up and then down unites characters that one of the two would keep apart: ς and σ, ſ and s, µ and μ. */
function computeFold(character: string): string {
  const folded = one(one(character, 'toUpperCase'), 'toLowerCase')
  // U+0345 is a mark whose capital is a letter: folding it would create a word.
  return letter.test(folded) && !letter.test(character) ? character : folded
}

const letter = /\p{L}/u

/** The character in the other case, if that is one character of the same plane. */
function one(character: string, turn: 'toUpperCase' | 'toLowerCase'): string {
  const turned = character[turn]()
  return turned.length === character.length ? turned : character
}

/** The words of a text, folded: runs of letters, digits and their marks; everything else separates words. */
export function words(text: string): string[] {
  const folded = fold(text)
  return folded.match(onlyAscii.test(folded) ? asciiRun : wordRun) ?? []
}

/** The words of a search: marks alone are not words. */
export const askedWords = (text: string): string[] => words(text).filter((word) => letterOrDigit.test(word))

/** A word of a folded text. */
export const wordRun = /[\p{L}\p{N}\p{M}]+/gu
const asciiRun = /[a-z0-9]+/g
const letterOrDigit = /[\p{L}\p{N}]/u
