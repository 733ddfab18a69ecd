/** Reads the `fields` parameter: names with sub-selections in braces and modifiers behind dots. */
import { refuse } from './replies.ts'

export interface Selected {
  readonly name: string
  /** The selection inside braces. */
  readonly inside?: readonly Selected[]
  readonly limit?: number
}

/** A JSON body may give the names as a list. */
export function readSelection(given: unknown): readonly Selected[] {
  const text = Array.isArray(given) ? given.join(',') : String(given)
  let at = 0

  /** Goes past what the pattern finds at this place. */
  function take(pattern: RegExp): RegExpExecArray | null {
    const found = pattern.exec(text.slice(at))
    at += found?.[0].length ?? 0
    return found
  }

  function list(): Selected[] {
    const found: Selected[] = []
    do {
      const name = take(/^\s*(\w+)\s*/)?.[1]
      if (name === undefined) take(/^\s+/)
      else found.push(field(name))
    } while (take(/^,/) !== null)
    return found
  }

  function field(name: string): Selected {
    const modifiers = take(/^(?:\.\w+\([^()]*\)\s*)*/)?.[0] ?? ''
    const limit = /\.limit\(([^()]*)\)/.exec(modifiers)?.[1]
    const hasInside = take(/^\{/) !== null
    const inside = hasInside ? list() : undefined
    if (hasInside && take(/^\}\s*/) === null) fault()
    return { name, ...(inside && { inside }), ...(limit !== undefined && { limit: Number(limit) }) }
  }

  function fault(): never {
    const message = `Syntax error "Expected end of string instead of "${text[at] ?? ''}"." at character ${at}: ${text}`
    return refuse({ code: 2500, message })
  }

  const selected = list()
  return at < text.length ? fault() : selected
}
