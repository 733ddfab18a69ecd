/** Writes what the index of words is given for a record. */
import type { Json } from '../../search/query.ts'
import { hasParts } from '../../search/word-index.ts'
import { indexedText, longestToken, partToken, unpartedToken, type WordedField, wordToken } from './copy-words.ts'

/** A field, and where its tokens begin. */
interface Field extends WordedField {
  readonly name: string
  readonly word: Buffer
  readonly part: Buffer
  readonly unparted: Buffer
}

/**
 * Writes the tokens of `indexedText` as bytes, in place: nearly all texts are ASCII, and of these making strings takes three
 * times as long. A token that comes twice is written twice, which the index passes over sooner than a set would.
 */
export class WordsWriter {
  readonly #names: readonly string[]
  #copy = Number.NaN
  #fields: readonly Field[] = []
  #bytes = Buffer.allocUnsafe(fewestBytes)
  #length = 0

  constructor(names: readonly string[]) {
    this.#names = names
  }

  /** The tokens of a record as UTF-8, until the next record is written. */
  write(copy: number, data: Readonly<Record<string, Json>>): Buffer {
    if (copy !== this.#copy) this.#begin(copy)
    this.#length = 0
    // One long record is no reason to hold its room for ever.
    if (this.#bytes.length > mostKept) this.#bytes = Buffer.allocUnsafe(fewestBytes)
    for (const field of this.#fields) {
      const value = data[field.name]
      if (typeof value === 'string') {
        if (value !== '') this.#writeText(field, value, true)
      } else if (typeof value === 'object' && value !== null) this.#writeInner(field, value)
    }
    return this.#bytes.subarray(0, this.#length)
  }

  #begin(copy: number): void {
    this.#copy = copy
    this.#fields = this.#names.map((name, place) => {
      const field = { copy, place }
      return {
        ...field,
        name,
        word: Buffer.from(wordToken(field, '')),
        part: Buffer.from(partToken(field, '')),
        unparted: Buffer.from(`${unpartedToken(field)} `),
      }
    })
  }

  #writeInner(field: Field, value: object): void {
    const open: unknown[] = [value]
    while (open.length > 0) {
      const next = open.pop()
      if (typeof next === 'string') this.#writeText(field, next, false)
      else if (Array.isArray(next)) for (const part of next) open.push(part)
      else if (typeof next === 'object' && next !== null) for (const part of Object.values(next)) open.push(part)
    }
  }

  #writeText(field: Field, text: string, withParts: boolean): void {
    const start = this.#length
    if (!this.#writeWords(field.word, text)) {
      this.#length = start
      const indexed = indexedText(field, text, withParts)
      this.#reserve(indexed.length * 3)
      this.#length += this.#bytes.write(indexed, start)
    } else if (withParts) {
      if (hasParts(text)) this.#writeParts(field.part, text)
      else this.#writeAll(field.unparted)
    }
  }

  /** False when the text is not ASCII. */
  #writeWords(prefix: Buffer, text: string): boolean {
    const longest = prefix.length + longestToken + 1
    let bytes = this.#reserve(longest)
    let at = this.#length
    let size = 0
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index)
      if (code >= 0x80) return false
      const folded = foldedCode[code]!
      if (folded === 0) {
        if (size > 0) bytes[at++] = space
        size = 0
      } else {
        if (size === 0) {
          this.#length = at
          bytes = this.#reserve(longest)
          for (let place = 0; place < prefix.length; place++) bytes[at++] = prefix[place]!
        }
        if (size++ < longestToken) bytes[at++] = folded
      }
    }
    if (size > 0) bytes[at++] = space
    this.#length = at
    return true
  }

  /** Every three characters in a row of an ASCII text. */
  #writeParts(prefix: Buffer, text: string): void {
    const bytes = this.#reserve(text.length * (prefix.length + 3 * 3 + 1))
    let at = this.#length
    for (let index = 0; index + 3 <= text.length; index++) {
      for (let place = 0; place < prefix.length; place++) bytes[at++] = prefix[place]!
      for (let place = index; place < index + 3; place++) {
        const code = text.charCodeAt(place)
        const folded = foldedCode[code]!
        if (folded !== 0) bytes[at++] = folded
        else {
          // The private character that stands for it, in UTF-8.
          bytes[at++] = 0xee
          bytes[at++] = 0x80 | (code >> 6)
          bytes[at++] = 0x80 | (code & 0x3f)
        }
      }
      bytes[at++] = space
    }
    this.#length = at
  }

  #writeAll(given: Buffer): void {
    this.#reserve(given.length)
    this.#length += given.copy(this.#bytes, this.#length)
  }

  /** Gives the bytes, with room for so many more. */
  #reserve(more: number): Buffer {
    const wanted = this.#length + more
    if (wanted > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(wanted * 2)
      this.#bytes.copy(larger, 0, 0, this.#length)
      this.#bytes = larger
    }
    return this.#bytes
  }
}

const fewestBytes = 16_384
const mostKept = 1_048_576
const space = 0x20

/** What an ASCII letter or digit is folded to; 0 for what separates words. */
const foldedCode = Uint8Array.from({ length: 0x80 }, (_, code) =>
  /[a-z0-9]/i.test(String.fromCharCode(code)) ? String.fromCharCode(code).toLowerCase().charCodeAt(0) : 0,
)
