/** Reads `opt_fields`: a comma-separated list of dotted paths with `this.` and `(a|b)` groups, as a tree of names. */

export interface Selection {
  /** Names in the requested order; an empty inner selection means the bare name. */
  readonly names: ReadonlyMap<string, Selection>
}

class Node implements Selection {
  readonly names = new Map<string, Node>()
}

/** Undefined if the parameter is absent or blank. */
export function readOptFields(text: string | undefined): Selection | undefined {
  if (text === undefined || text.trim() === '') return undefined
  const root = new Node()
  for (const term of splitTop(text, ',')) {
    for (const path of expand(term.trim())) {
      let node = root
      for (const name of path.split('.')) {
        if (name === '' || (name === 'this' && node === root)) continue
        let next = node.names.get(name)
        if (next === undefined) {
          next = new Node()
          node.names.set(name, next)
        }
        node = next
      }
    }
  }
  return root
}

/** Splits at a separator outside of parentheses. */
function splitTop(text: string, separator: string): string[] {
  const pieces: string[] = []
  let depth = 0
  let start = 0
  for (let i = 0; i < text.length; i++) {
    const c = text[i]
    if (c === '(') depth += 1
    else if (c === ')') depth -= 1
    else if (c === separator && depth === 0) {
      pieces.push(text.slice(start, i))
      start = i + 1
    }
  }
  pieces.push(text.slice(start))
  return pieces
}

/** `a.(b|c).d` as `a.b.d` and `a.c.d`. */
function expand(term: string): string[] {
  const open = term.indexOf('(')
  if (open < 0) return [term]
  let depth = 0
  let close = open
  for (; close < term.length; close++) {
    if (term[close] === '(') depth += 1
    if (term[close] === ')') depth -= 1
    if (depth === 0) break
  }
  const before = term.slice(0, open)
  const after = term.slice(close + 1)
  return splitTop(term.slice(open + 1, close), '|').flatMap((inner) => expand(`${before}${inner.trim()}${after}`))
}
