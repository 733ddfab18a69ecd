/**
 * PostgreSQL cannot store U+0000. In stored texts, U+0000 and U+0001 become two characters each. The way back restores every
 * text, equal texts stay equal, and the order by code point stays the same.
 */

const zero = '\x01\x01'
const one = '\x01\x02'

export const encodeText = (text: string): string =>
  rare.test(text) ? text.replace(/[\0\x01]/g, (character) => (character === '\0' ? zero : one)) : text

export const decodeText = (text: string): string =>
  text.includes('\x01') ? text.replace(/\x01[\x01\x02]/g, (code) => (code === zero ? '\0' : '\x01')) : text

const rare = /[\0\x01]/

/** The same for JSON text, where both are escapes; an escaped backslash does not start one. */
export const encodeJson = (json: string): string =>
  json.includes('\\u000')
    ? json.replace(/\\(?:u000([01])|.)/g, (all, digit?: string) =>
        digit === undefined ? all : `\\u0001\\u000${digit === '0' ? 1 : 2}`,
      )
    : json

export const decodeJson = (json: string): string =>
  json.includes('\\u0001')
    ? json.replace(/\\(?:u0001\\u000([12])|.)/g, (all, digit?: string) =>
        digit === undefined ? all : `\\u000${digit === '1' ? 0 : 1}`,
      )
    : json
