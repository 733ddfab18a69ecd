/** Which record fields a request asks for: the caller's choice or the default, in the system's own words. */
import type { Selection } from '../../catalog/operation.ts'

/** What a caller selected. */
export interface Selected {
  /** As it was written: a field may have sub-selections and modifiers. */
  readonly parts: readonly string[]
  readonly fields: ReadonlySet<string>
}

/** Reads a caller's selection; undefined when the default fields are asked for. */
export function readSelection(given: unknown): Selected | undefined {
  if (typeof given !== 'string' || given.trim() === '') return undefined
  const parts = split(given)
  return { parts, fields: new Set(parts.map(fieldOf)) }
}

/** The value of the query parameter that selects fields; `without` leaves fields of the default out. */
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
  // Selecting nothing would get whatever the system thinks fit.
  return sent.length === 0 ? select.default[0]! : [...new Set(sent)].join(',')
}

/** Parts at the outermost level: sub-selections such as `creative{id,name}` belong to the field before them. */
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

/** The field that a part selects, without sub-selection and modifiers. */
const fieldOf = (part: string): string => part.split(/[.(){}]/, 1)[0]!.trim()
