/** What was odd about the values of a pass, told once for each field instead of once for each record. */
import type { Warning } from '../engine/warning.ts'

const most = 10

export interface PassWarnings {
  /** The warnings of a page. */
  add(warnings: readonly Warning[]): void
  lostRecord(): void
  /** At most a few, each with how often it was met again. */
  all(): readonly string[]
}

export function createPassWarnings(): PassWarnings {
  const first = new Map<string, { readonly text: string; again: number }>()
  function note(about: string, text: string): void {
    const known = first.get(about)
    if (known !== undefined) known.again++
    else if (first.size < most) first.set(about, { text, again: 0 })
  }
  return {
    add(warnings) {
      for (const { path, message } of warnings) {
        // Where on its page a record stood tells nobody anything; the message names it.
        const field = path.replace(/^\/result\/(\d+\/)?/, '')
        note(field.replaceAll(/\/\d+(?=\/|$)/g, '/*'), `${field} ${message}`)
      }
    },
    lostRecord: () => note('', 'a record without an id, or with one of more than 1,000 bytes, was left out'),
    all: () => [...first.values()].map(({ text, again }) => (again === 0 ? text : `${text}; met ${again} more times`)),
  }
}
