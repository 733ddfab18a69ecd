/** Text from elsewhere, made safe to show: a record of a third-party system must not move the cursor of whoever reads it. */

/** What terminals take for commands (escape, CSI and their like), and what turns the direction of writing. */
const unsafe = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029\ufeff]/gu

/** One line of plain text: spaces for line breaks and tabs, U+FFFD for every other control character. */
export const oneLine = (text: string): string =>
  text.replaceAll(/[\t\n\r\u2028\u2029]+/g, ' ').replaceAll(unsafe, '\ufffd')

/** Plain text that keeps its lines. */
export const manyLines = (text: string): string => text.split('\n').map(oneLine).join('\n')

/** JSON that means the same, with every such character written as `\uXXXX`. */
export const safeJson = (json: string): string =>
  json.replaceAll(unsafe, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
