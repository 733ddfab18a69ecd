/** Reads the `fields` parameter: names with sub-selections in braces and modifiers behind dots. */
import { refuse } from './replies.ts'

export interface Selected {
  readonly name: string
  /** The selection inside braces. */
  readonly inside?: readonly Selected[]
  readonly limit?: number
}

/** Undefined without a request for fields. */
export function readSelection(text: string | undefined): readonly Selected[] | undefined {
  if (text === undefined || text.trim() === '') return undefined
  let at = 0
  const selected = list()
  if (at < text.length) fault()
  return selected

  function list(): Selected[] {
    const found: Selected[] = []
    for (;;) {
      const one = field()
      if (one !== undefined) found.push(one)
      if (text![at] !== ',') return found
      at += 1
    }
  }

  function field(): Selected | undefined {
    const match = /^\s*([A-Za-z0-9_]+)\s*/.exec(text!.slice(at))
    if (match === null) {
      const blank = /^\s*/.exec(text!.slice(at))![0].length
      at += blank
      return undefined
    }
    at += match[0].length
    let limit: number | undefined
    for (let modifier = nextModifier(); modifier !== null; modifier = nextModifier()) {
      if (modifier[1] === 'limit') limit = Number(modifier[2])
      at += modifier[0].length
    }
    let inside: Selected[] | undefined
    if (text![at] === '{') {
      at += 1
      inside = list()
      if (text![at] !== '}') fault()
      at += 1
    }
    return {
      name: match[1]!,
      ...(inside === undefined ? {} : { inside }),
      ...(limit === undefined ? {} : { limit }),
    }
  }

  function nextModifier(): RegExpExecArray | null {
    return /^\.(\w+)\(([^()]*)\)\s*/.exec(text!.slice(at))
  }

  function fault(): never {
    refuse({
      code: 2500,
      message: `Syntax error "Expected end of string instead of "${text![at] ?? ''}"." at character ${at}: ${text}`,
    })
  }
}
