/** Makes external text safe to print: a third-party record must not control the terminal. */

/** Control sequences of terminals (escape, CSI and similar), and characters that change the direction of writing. */
const unsafe = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029\ufeff]/gu

/** One line of plain text: spaces instead of line breaks and tabs, and U+FFFD for every other control character. */
export const oneLine = (text: string): string =>
  text.replaceAll(/[\t\n\r\u2028\u2029]+/g, ' ').replaceAll(unsafe, '\ufffd')

/** Plain text that keeps its lines. */
export const manyLines = (text: string): string => text.split('\n').map(oneLine).join('\n')

/** The same JSON, with every such character written as `\uXXXX`. */
export const safeJson = (json: string): string =>
  json.replaceAll(unsafe, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
