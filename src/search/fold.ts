/** The one way in which letter case is ignored, and the one way in which texts fall into words. */

// Filled as characters come up; 0 is "not looked up yet". Two bytes for each character of the first plane.
const known = new Uint16Array(0x1_00_00)

/**
 * A text with every letter in one case, for all of Unicode. Each character becomes exactly one character, so that `_` in a
 * pattern means one, and no letter depends on its neighbours: a final ς is a σ like the others, and ß stays ß.
 */
export function fold(text: string): string {
  if (onlyAscii.test(text)) return text.toLowerCase()
  return text.replaceAll(mayChange, (part) => (part.charCodeAt(0) < 0x80 ? part.toLowerCase() : foldCharacter(part)))
}

const onlyAscii = /^[\x00-\x7f]*$/
const mayChange = /[A-Z]+|[^\x00-\x7f]/gu

function foldCharacter(character: string): string {
  if (character.length > 1) return computeFold(character)
  const code = character.charCodeAt(0)
  known[code] ||= computeFold(character).charCodeAt(0)
  return String.fromCharCode(known[code]!)
}

/** Up and then down brings together what only one of the two would leave apart: ς and σ, ſ and s, µ and μ. */
function computeFold(character: string): string {
  const folded = one(one(character, 'toUpperCase'), 'toLowerCase')
  // U+0345 is a mark whose capital is a letter: folding it would make words out of what separates them.
  return letter.test(folded) && !letter.test(character) ? character : folded
}

const letter = /\p{L}/u

/** The character in the other case, where that is one character of the same plane. */
function one(character: string, turn: 'toUpperCase' | 'toLowerCase'): string {
  const turned = character[turn]()
  return turned.length === character.length ? turned : character
}

/** The words of a text, folded: runs of letters and digits; everything else separates. */
export function words(text: string): string[] {
  return text.match(run)?.map(fold) ?? []
}

const run = /[\p{L}\p{N}]+/gu
