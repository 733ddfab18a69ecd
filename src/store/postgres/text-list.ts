/** A list of texts as PostgreSQL sends arrays in binary: neither side has to escape or look for an end. */
import { encodeText } from './text-code.ts'

export class TextList {
  #bytes: Buffer
  #length = headBytes
  #count = 0
  #hasNull = false

  /** Makes room for about so many bytes. */
  constructor(about = 4096) {
    this.#bytes = Buffer.allocUnsafe(headBytes + about)
  }

  add(text: string | null): void {
    if (text === null) {
      this.#reserve(4)
      this.#length = this.#bytes.writeInt32BE(-1, this.#length)
      this.#hasNull = true
      this.#count++
      return
    }
    const encoded = encodeText(text)
    this.#reserve(4 + encoded.length * 3)
    this.#end(this.#bytes.write(encoded, this.#length + 4))
  }

  /** Adds a text that is encoded already, as UTF-8. */
  addEncoded(text: Buffer): void {
    this.#reserve(4 + text.length)
    this.#end(text.copy(this.#bytes, this.#length + 4))
  }

  /** The list as the value of a statement that takes it as text[]. */
  written(): Buffer {
    // One dimension, whether there are nulls, the type text; how many, counted from 1.
    for (const [place, value] of [1, this.#hasNull ? 1 : 0, textType, this.#count, 1].entries())
      this.#bytes.writeInt32BE(value, place * 4)
    return this.#bytes.subarray(0, this.#length)
  }

  #end(size: number): void {
    this.#length = this.#bytes.writeInt32BE(size, this.#length) + size
    this.#count++
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe((this.#length + more) * 2)
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }
}

const headBytes = 20
const textType = 25
