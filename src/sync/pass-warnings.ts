/** Warnings about the values of a pass: one per field instead of one per record. */
import type { Warning } from '../engine/warning.ts'

const most = 10

export class PassWarnings {
  readonly #first = new Map<string, { readonly text: string; again: number }>()

  /** Adds the warnings of a page. */
  add(warnings: readonly Warning[]): void {
    for (const { path, message } of warnings) {
      // The place of a record on its page says nothing; the message names the record.
      const field = path.replace(/^\/result\/(\d+\/)?/, '')
      this.#note(field.replaceAll(/\/\d+(?=\/|$)/g, '/*'), `${field} ${message}`)
    }
  }

  lostRecord(): void {
    this.#note('', 'a record without an id, or with one of more than 1,000 bytes, was left out')
  }

  /** A few warnings, each with its number of repeats. */
  all(): readonly string[] {
    return [...this.#first.values()].map(({ text, again }) => text + (again === 0 ? '' : `; met ${again} more times`))
  }

  #note(about: string, text: string): void {
    const known = this.#first.get(about)
    if (known !== undefined) known.again++
    else if (this.#first.size < most) this.#first.set(about, { text, again: 0 })
  }
}
