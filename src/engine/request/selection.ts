/** The record fields of a request, by the caller's choice or by default, in the system's own names. */
import type { Selection } from '../../catalog/operation.ts'

/** The caller's selection. */
export interface Selected {
  /** As written: a field can have sub-selections and modifiers. */
  readonly parts: readonly string[]
  readonly fields: ReadonlySet<string>
}

/** Reads a caller's selection; undefined for the default fields. */
export function readSelection(given: unknown): Selected | undefined {
  if (typeof given !== 'string' || given.trim() === '') return undefined
  const parts = split(given)
  return { parts, fields: new Set(parts.map(fieldOf)) }
}

/** The value of the query parameter that selects fields; `without` leaves out some default fields. */
export function selectionText(select: Selection, selected?: Selected, without?: ReadonlySet<string>): string {
  const parts = selected?.parts ?? select.default.filter((name) => !without?.has(name))
  const names = select.names ?? {}
  const sent = parts
    .map((part) => {
      const field = fieldOf(part)
      if (!Object.hasOwn(names, field)) return part
      const name = names[field]!
      return name === null ? null : name + part.slice(field.length)
    })
    .filter((part) => part !== null)
  // An empty selection would get whatever the system chooses.
  return sent.length === 0 ? select.default[0]! : [...new Set(sent)].join(',')
}

/** Splits at the outermost level: sub-selections such as `creative{id,name}` belong to the field before them. */
function split(text: string): string[] {
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (let index = 0; index <= text.length; index++) {
    const letter = text[index]
    if (letter === '{' || letter === '(') depth++
    else if (letter === '}' || letter === ')') depth = Math.max(0, depth - 1)
    else if (letter === undefined || (letter === ',' && depth === 0)) {
      parts.push(text.slice(start, index).trim())
      start = index + 1
    }
  }
  return [...new Set(parts.filter((part) => part !== ''))]
}

/** The field of a part, without sub-selection and modifiers. */
const fieldOf = (part: string): string => part.split(/[.(){}]/, 1)[0]!.trim()
