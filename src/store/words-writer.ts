/** Writes what an index of words is given for a record. */
import type { Json } from '../search/query.ts'
import { hasParts } from '../search/word-index.ts'

/** A field of a copy. */
export interface WordedField {
  readonly copy: number
  /** Its place among the fields. */
  readonly place: number
}

/** How a database writes the tokens of texts. */
export interface TokenForm {
  /** What stands before and after each token. */
  around(field: WordedField, token: 'word' | 'part'): readonly [before: string, after: string]
  /** What stands in the place of the parts of a text that has none. */
  unparted(field: WordedField): string
  /** An ASCII character in a part; null where only `written` knows. */
  character(character: string): string | null
  /** Longer words are for `written`. */
  readonly longestWord: number
  /** The tokens of any text, also of one that is not ASCII. */
  written(field: WordedField, text: string, withParts: boolean): string
}

interface Field extends WordedField {
  readonly name: string
  readonly word: readonly [before: Buffer, after: Buffer]
  readonly part: readonly [before: Buffer, after: Buffer]
  readonly unparted: Buffer
}

/**
 * Writes tokens as bytes, in place: nearly all texts are ASCII, and of these making strings takes five times as long. A token
 * that comes twice is written twice, which databases pass over sooner than a set would.
 */
export class WordsWriter {
  readonly #form: TokenForm
  readonly #names: readonly string[]
  /** Four bytes for each ASCII character in a part: how many it has, and these. */
  readonly #characters: Uint8Array
  #copy = Number.NaN
  #fields: readonly Field[] = []
  #bytes = Buffer.allocUnsafe(fewestBytes)
  #length = 0

  /** Fields are placed in the order of their names. */
  constructor(form: TokenForm, names: readonly string[]) {
    this.#form = form
    this.#names = names
    this.#characters = new Uint8Array(0x80 * 4)
    for (let code = 0; code < 0x80; code++) {
      const written = Buffer.from(form.character(String.fromCharCode(code).toLowerCase()) ?? '')
      this.#characters.set([written.length, ...written], code * 4)
    }
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
      const around = (token: 'word' | 'part') => {
        const [before, after] = this.#form.around(field, token)
        return [Buffer.from(before), Buffer.from(after)] as const
      }
      const unparted = Buffer.from(this.#form.unparted(field))
      return { ...field, name, word: around('word'), part: around('part'), unparted }
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
    if (this.#writeWords(field, text)) {
      if (!withParts) return
      if (hasParts(text) ? this.#writeParts(field, text) : this.#writeUnparted(field)) return
    }
    this.#length = start
    const written = this.#form.written(field, text, withParts)
    this.#reserve(written.length * 3)
    this.#length += this.#bytes.write(written, start)
  }

  /** False when the text is not ASCII, or has a longer word. */
  #writeWords({ word: [before, after] }: Field, text: string): boolean {
    const { longestWord } = this.#form
    const longest = before.length + longestWord + after.length
    let bytes = this.#reserve(longest)
    let at = this.#length
    let size = 0
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index)
      if (code >= 0x80) return false
      const folded = foldedCode[code]!
      if (folded === 0) {
        if (size > 0) for (let place = 0; place < after.length; place++) bytes[at++] = after[place]!
        size = 0
      } else {
        if (size === 0) {
          this.#length = at
          bytes = this.#reserve(longest)
          for (let place = 0; place < before.length; place++) bytes[at++] = before[place]!
        }
        if (++size > longestWord) return false
        bytes[at++] = folded
      }
    }
    if (size > 0) for (let place = 0; place < after.length; place++) bytes[at++] = after[place]!
    this.#length = at
    return true
  }

  /** Every three characters in a row of an ASCII text; false when it has one that is for `written`. */
  #writeParts({ part: [before, after] }: Field, text: string): boolean {
    const characters = this.#characters
    const bytes = this.#reserve(text.length * (before.length + 3 * 3 + after.length))
    let at = this.#length
    for (let index = 0; index + 3 <= text.length; index++) {
      for (let place = 0; place < before.length; place++) bytes[at++] = before[place]!
      for (let place = index; place < index + 3; place++) {
        const character = text.charCodeAt(place) * 4
        const size = characters[character]!
        if (size === 0) return false
        for (let next = 1; next <= size; next++) bytes[at++] = characters[character + next]!
      }
      for (let place = 0; place < after.length; place++) bytes[at++] = after[place]!
    }
    this.#length = at
    return true
  }

  #writeUnparted({ unparted }: Field): true {
    this.#reserve(unparted.length)
    this.#length += unparted.copy(this.#bytes, this.#length)
    return true
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

/** What an ASCII letter or digit is folded to; 0 for what separates words. */
const foldedCode = Uint8Array.from({ length: 0x80 }, (_, code) =>
  /[a-z0-9]/i.test(String.fromCharCode(code)) ? String.fromCharCode(code).toLowerCase().charCodeAt(0) : 0,
)
