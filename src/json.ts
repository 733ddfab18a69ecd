/**
 * JSON without the losses of plain parsing: it keeps every digit of a number, and produces text that every reader
 * accepts.
 */

/** The maximum depth. Deeper text could be read, but not written again. */
export const deepest = 1000

/** The maximum number of digits. Calculating with a million digits takes a second. */
export const mostDigits = 1000

/** Whether a number has at most that many digits. */
export const isCountable = (number: string): boolean => number.length <= mostDigits || countDigits(number) <= mostDigits

const countDigits = (number: string): number => number.replace(/\D/g, '').length

/** Thrown if a text is nested too deeply to be written again. */
export class TooDeep extends SyntaxError {
  override readonly name = 'TooDeep'
  constructor() {
    super(`It nests more than ${deepest} levels deep.`)
  }
}

const halfSurrogate = /\\u[dD][89a-fA-F]/

/**
 * How to read numbers with a fraction or an exponent: exactly, or as the doubles that callers of an interface expect.
 */
export type Decimals = 'as written' | 'as doubles'

/**
 * Parses JSON. Whole numbers past 2^53 become bigints, and half surrogates U+FFFD. Other numbers that JavaScript would
 * not print digit for digit become an ExactNumber, unless doubles are wanted. Most texts have none and are parsed the
 * fast way. In others, these numbers are first marked as texts, and then replaced in the parsed value.
 */
export function parseJson(text: string, decimals: Decimals = 'as written'): unknown {
  const value: unknown = JSON.parse(text)
  const odd = oddNumbers(text, decimals)
  if (odd.length > 0) return restored(JSON.parse(markedText(text, odd)))
  return text.includes('\\u') && halfSurrogate.test(text) ? restored(value) : value
}

/** The positions of the numbers that plain parsing would change. Also checks the depth. */
function oddNumbers(text: string, decimals: Decimals): readonly number[] {
  const places: number[] = []
  let level = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfString(text, at)
    else if (code === openBrace || code === openBracket) {
      if (++level > deepest) throw new TooDeep()
    } else if (code === closeBrace || code === closeBracket) level--
    else if (code === minus || isDigit(code)) {
      const start = at
      let plain = code !== minus || text.charCodeAt(at + 1) !== zero
      for (let next = text.charCodeAt(at + 1); ; next = text.charCodeAt(at + 1)) {
        if (!isDigit(next)) {
          if (next !== point && next !== minus && next !== plus && (next | lowerCase) !== lowerE) break
          plain = false
        }
        at++
      }
      if ((!plain || at - start >= 15) && isOdd(text.slice(start, at + 1), decimals)) places.push(start, at + 1)
    }
  }
  return places
}

function isOdd(written: string, decimals: Decimals): boolean {
  const number = Number(written)
  if (/^-?\d+$/.test(written) && written !== '-0') return !Number.isSafeInteger(number)
  if (decimals === 'as written') return String(number) !== written
  if (!Number.isFinite(number)) throw new SyntaxError('It contains a number that is too large.')
  return false
}

/** The position of the quote that ends a string in well-formed JSON. */
function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); ; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes++
    if (escapes % 2 === 0) return end
  }
}

const [quote, backslash, minus, plus, point, zero, nine] = [34, 92, 45, 43, 46, 48, 57]
const [openBrace, closeBrace, openBracket, closeBracket, lowerE, lowerCase] = [123, 125, 91, 93, 101, 32]
const isDigit = (code: number): boolean => code >= zero && code <= nine

/** Marks a number that became a text. It is random, so no text can contain it. */
const mark = `number ${Math.random()} `

function markedText(text: string, places: readonly number[]): string {
  const parts: string[] = []
  let done = 0
  for (let place = 0; place < places.length; place += 2) {
    const [start, end] = [places[place]!, places[place + 1]!]
    parts.push(text.slice(done, start), `"${mark}${text.slice(start, end)}"`)
    done = end
  }
  return parts.join('') + text.slice(done)
}

/** The value with its marked numbers restored and without half surrogates; changed in place if no key changes. */
function restored(value: unknown): unknown {
  if (typeof value === 'string')
    return value.startsWith(mark) ? numberOf(value.slice(mark.length)) : value.toWellFormed()
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) value[at] = restored(value[at])
    return value
  }
  const fields = value as Record<string, unknown>
  // Each key already exists, so this sets plain data, even under the name of the prototype.
  for (const key of Object.keys(fields)) fields[key] = restored(fields[key])
  return withWellFormedKeys(value)
}

const numberOf = (written: string): bigint | ExactNumber =>
  /^-?\d+$/.test(written) && written !== '-0' && isCountable(written) ? BigInt(written) : new ExactNumber(written)

function withWellFormedKeys(value: object): object {
  const keys = Object.keys(value)
  if (keys.every((key) => key.isWellFormed())) return value
  return Object.fromEntries(keys.map((key) => [key.toWellFormed(), (value as Record<string, unknown>)[key]]))
}

/** Writes JSON; bigints and exact numbers become JSON numbers, digit for digit. */
export function stringifyJson(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return JSON.stringify(value, exactNumbers)
  }
}

/** The same, indented for people. */
export const printJson = (value: unknown): string => JSON.stringify(value, exactNumbers, 2)

const exactNumbers = (_key: string, part: unknown): unknown =>
  typeof part === 'bigint' ? rawJson!(String(part)) : part

/**
 * A number that JavaScript would not print digit for digit: `2.50`, `-0`, `1e400`, 0.1234567890123456789. It calculates
 * and compares as the nearest double; as text and in JSON it is the original.
 */
export class ExactNumber extends Number {
  readonly #written: string

  /** Takes a number as JSON writes it. */
  constructor(written: string) {
    super(written)
    this.#written = written
  }

  override toString(): string {
    return this.#written
  }

  toJSON(): unknown {
    return rawJson === undefined ? this.valueOf() : rawJson(this.#written)
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return this.#written
  }
}

/** Whether a double has exactly this value. */
export function fitsDouble(written: string): boolean {
  if (/^[+-]?[\d.]{1,15}$/.test(written)) return true
  return normalForm(written) === normalForm(String(Number(written)))
}

/**
 * A canonical form, the same for equal numbers: the digits without zeros at either end, and a power of ten. Null if it
 * is not a number.
 */
function normalForm(written: string): string | null {
  const parts = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(written)
  if (parts === null) return null
  const [, sign, whole = '', fraction = '', exponent = '0'] = parts
  const digits = whole + fraction
  let start = 0
  let end = digits.length
  while (digits[start] === '0') start++
  while (end > start && digits[end - 1] === '0') end--
  if (start === end) return '0'
  const power = Number(exponent) - fraction.length + digits.length - end
  return `${sign === '-' ? '-' : ''}${digits.slice(start, end)}e${power}`
}

// Node 22 has this, but the type library does not know it yet.
const { rawJSON: rawJson } = JSON as unknown as { rawJSON?: (text: string) => unknown }
