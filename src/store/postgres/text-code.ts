/**
 * PostgreSQL cannot keep U+0000. In every text that goes there U+0000 and U+0001 become two characters each, so that all
 * texts come back as they were, equal ones stay equal, and the order by code point is the same.
 */

const zero = '\x01\x01'
const one = '\x01\x02'

export const encodeText = (text: string): string =>
  rare.test(text) ? text.replace(/[\0\x01]/g, (character) => (character === '\0' ? zero : one)) : text

export const decodeText = (text: string): string =>
  text.includes('\x01') ? text.replace(/\x01[\x01\x02]/g, (code) => (code === zero ? '\0' : '\x01')) : text

const rare = /[\0\x01]/

/** The same for JSON as text, where both are escapes; a backslash before a backslash begins none. */
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
