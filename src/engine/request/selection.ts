/** Which record fields a request asks for: the caller's choice or the default, in the system's own words. */
import type { Operation, Selection } from '../../catalog/operation.ts'
import type { Params } from '../../catalog/rules.ts'

/** The fields that the caller selected; undefined when the default ones were asked for. */
export function askedFields({ select }: Operation, params: Params): ReadonlySet<string> | undefined {
  const chosen = select === undefined ? undefined : chosenText(select, params)
  return chosen === undefined ? undefined : new Set(split(chosen).map(fieldOf))
}

/** The value of the query parameter that selects fields; `without` leaves fields of the default out. */
export function selectionText(select: Selection, params: Params, without?: ReadonlySet<string>): string {
  const chosen = chosenText(select, params)
  const parts = chosen === undefined ? select.default.filter((name) => !without?.has(name)) : split(chosen)
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

function chosenText({ param }: Selection, params: Params): string | undefined {
  const chosen = param === undefined ? undefined : params[param]
  return typeof chosen === 'string' && chosen.trim() !== '' ? chosen : undefined
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
