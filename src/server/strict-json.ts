/** Reads JSON from callers, and refuses everything that two readers could understand differently. */
import { ConexError } from '../errors.ts'
import { isCountable, mostDigits, parseJson } from '../json.ts'

/**
 * More values serve nobody. A reader that creates objects for them takes many times the memory of their text, and too
 * long.
 */
const mostValues = 32_768

/** Deeper nesting serves nobody, and later recursive readers would exhaust the stack. */
export const deepestNesting = 200

/**
 * The value of a JSON text without repeated keys, `__proto__` keys or endless nesting; otherwise `invalid_json`, with
 * the place and the reason.
 */
export function readStrictJson(bytes: Uint8Array): unknown {
  const text = decodeUtf8(bytes)
  scan(text)
  return parseJson(text, 'as doubles')
}

const decoder = new TextDecoder('utf-8', { fatal: true })

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw new ConexError('invalid_json', 'The body is not valid UTF-8; send JSON in UTF-8.')
  }
}

/** An object or array that is being read: the keys of an object so far, and the step to the current value. */
interface Open {
  readonly isArray: boolean
  /** Null before the first one, because there may be very many empty objects. */
  keys: Set<string> | null
  step: string | number
}

/**
 * What may come next: a value, a value or the end of an array, a key, a key or the end of an object, `:`, `,` or an
 * end, nothing.
 */
type Expected = 'value' | 'first item' | 'key' | 'first key' | 'colon' | 'comma' | 'nothing'

/** One pass over the text, with its own stack, so that no input can exhaust the real one. */
function scan(text: string): void {
  const open: Open[] = []
  // The wider type is written out, because the compiler does not see that the functions below change it.
  let expected = 'value' as Expected
  let at = 0
  let values = 0

  while (at < text.length) {
    const char = text.charCodeAt(at)
    if (char === space || char === lineFeed || char === carriageReturn || char === tab) {
      at++
      continue
    }
    const inner = open.at(-1)
    switch (char) {
      case openBrace:
      case openBracket:
        if (expected !== 'value' && expected !== 'first item') throw unexpected(at)
        if (++values > mostValues) throw tooManyValues()
        if (open.length === deepestNesting) throw refused(`is nested deeper than ${deepestNesting} levels`)
        if (char === openBrace) {
          open.push({ isArray: false, keys: null, step: '' })
          expected = 'first key'
        } else {
          open.push({ isArray: true, keys: null, step: 0 })
          expected = 'first item'
        }
        at++
        continue
      case closeBrace:
        if (inner?.isArray !== false || (expected !== 'first key' && expected !== 'comma')) throw unexpected(at)
        close()
        continue
      case closeBracket:
        if (inner?.isArray !== true || (expected !== 'first item' && expected !== 'comma')) throw unexpected(at)
        close()
        continue
      case comma:
        if (inner === undefined || expected !== 'comma') throw unexpected(at)
        if (++values > mostValues) throw tooManyValues()
        if (inner.isArray) {
          ;(inner.step as number)++
          expected = 'value'
        } else expected = 'key'
        at++
        continue
      case colon:
        if (expected !== 'colon') throw unexpected(at)
        expected = 'value'
        at++
        continue
      case quote: {
        const end = endOfString(text, at)
        if (end === -1) throw unexpected(at, 'contains a text that is not valid JSON,')
        if (expected === 'key' || expected === 'first key') {
          readKey(inner!, text.slice(at, end))
          expected = 'colon'
        } else valueEnds(at)
        at = end
        continue
      }
      default: {
        plainValue.lastIndex = at
        const value = plainValue.exec(text)
        if (value === null) throw unexpected(at)
        if (!isCountable(value[0])) throw refused(`is a number of more than ${mostDigits} digits`)
        if (isTooLarge(value[0])) throw refused('is a number that is too large')
        valueEnds(at)
        at += value[0].length
      }
    }
  }
  if (expected !== 'nothing') throw unexpected(at, 'ends too early,')

  function valueEnds(start: number): void {
    if (expected !== 'value' && expected !== 'first item') throw unexpected(start)
    expected = open.length === 0 ? 'nothing' : 'comma'
  }

  function close(): void {
    open.pop()
    expected = open.length === 0 ? 'nothing' : 'comma'
    at++
  }

  function readKey(object: Open, raw: string): void {
    const key = raw.includes('\\') ? (JSON.parse(raw) as string) : raw.slice(1, -1)
    // Half surrogates become U+FFFD, so two keys that differ only in them are the same key.
    const name = key.toWellFormed()
    object.step = name
    if (name === '__proto__') throw refused('is a key that is not allowed')
    object.keys ??= new Set()
    if (object.keys.has(name)) throw refused('is given twice')
    object.keys.add(name)
  }

  function refused(why: string): ConexError {
    const path = pointer(open)
    return new ConexError('invalid_json', `"${path}" ${why}.`, { issues: [{ path, message: why }] })
  }

  // The message does not repeat the text: it may be a credential.
  function unexpected(position: number, what = 'is not valid JSON'): ConexError {
    let line = 1
    let start = 0
    for (let end = text.indexOf('\n'); end !== -1 && end < position; end = text.indexOf('\n', start)) {
      line++
      start = end + 1
    }
    const column = position - start + 1
    return new ConexError('invalid_json', `The body ${what} at line ${line}, column ${column}.`)
  }
}

const tooManyValues = (): ConexError =>
  new ConexError(
    'payload_too_large',
    `The body contains more than ${mostValues.toLocaleString('en')} values; send fewer.`,
  )

const [space, tab, lineFeed, carriageReturn] = [0x20, 0x09, 0x0a, 0x0d]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]
const [colon, comma, quote, backslash] = [0x3a, 0x2c, 0x22, 0x5c]

const plainValue = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y
/** A whole number can have as many digits as calculations allow; others are doubles. */
const isTooLarge = (written: string): boolean => /^-?[0-9]+[.eE]/.test(written) && !Number.isFinite(Number(written))
const escaped = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

/** The position after the text that starts here; -1 if it is malformed or has no end. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; ) {
    const char = text.charCodeAt(at)
    if (char === quote) return at + 1
    if (char < 0x20) return -1
    if (char === backslash) {
      escaped.lastIndex = at
      if (!escaped.test(text)) return -1
      at = escaped.lastIndex
    } else at++
  }
  return -1
}

/** The JSON Pointer of the current value, shortened if it would be endless. */
function pointer(open: readonly Open[]): string {
  const steps = open.map(({ step }) => {
    const name = String(step).replaceAll('~', '~0').replaceAll('/', '~1')
    return name.length > 80 ? `${name.slice(0, 80)}…` : name
  })
  return `/${steps.length > 20 ? [...steps.slice(0, 20), '…'].join('/') : steps.join('/')}`
}
