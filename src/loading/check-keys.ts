/** Finds fields that a source declares twice in one object. The program that reads it silently keeps only the last. */
import { ConexError } from '../errors.ts'

/** Comments, texts, templates up to the first value in them, words, white space, and all else sign by sign. */
const tokens =
  /(\/\*[\s\S]*?\*\/|\/\/.*)|('(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*")|(`(?:\\[\s\S]|\$(?!\{)|[^`\\$])*(?:`|\$\{))|([\p{L}\p{N}_$]+)|(\s+)|([\s\S])/gu

/** After these, a slash begins a regular expression. */
const beforeExpression = /^[=(,:[{!&|?;+*%~^<>-]$|^(return|typeof|case|in|of|void|delete|await)$/
const expression = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\//y
/** The rest of a template behind a value in it. */
const templateRest = /(?:\\[\s\S]|\$(?!\{)|[^`\\$])*(?:`|\$\{)/y

interface Bracket {
  readonly sign: string
  /** The fields that were declared in it so far. */
  readonly fields: Set<string>
}

/** Throws one sentence for the first field that an object declares twice. */
export function checkKeys(source: string, file: string): void {
  const open: Bracket[] = []
  const begin = (sign: string) => open.push({ sign, fields: new Set() })
  let before = ''
  /** A word or text directly behind the `{` or a `,` of an object: a field, if `:`, `,` or `}` follows. */
  let field: string | null = null
  tokens.lastIndex = 0
  for (let match = tokens.exec(source); match !== null; match = tokens.exec(source)) {
    const [token, comment, quoted, template, word, space] = match
    if (comment !== undefined) continue
    if (space !== undefined) {
      // `a < b` compares, and `List<A, B>` has brackets.
      if (/[\p{L}\p{N}_$]/u.test(before.at(-1) ?? '')) before += ' '
      continue
    }
    if (field !== null && /^[:,}]$/.test(token)) {
      const { fields } = open.at(-1)!
      if (fields.has(field)) {
        const line = source.slice(0, match.index).split('\n').length
        throw new ConexError(
          'invalid_request',
          `${file}:${line} declares "${field}" twice in one object, so that the first is lost; rename one.`,
        )
      }
      fields.add(field)
    }
    const isFirst = /^[{,]$/.test(before) && open.at(-1)?.sign === '{'
    field = isFirst && (word ?? quoted) !== undefined ? (word ?? token.slice(1, -1)) : null
    if (token === '/' && beforeExpression.test(before.trim())) tokens.lastIndex = after(expression, match.index)
    else if (template?.endsWith('{')) begin('`')
    else if (/^[{([]$/.test(token) || (token === '<' && /[\p{L}\p{N}_$]$/u.test(before))) begin(token)
    else if (token === '>' && before !== '=' && open.at(-1)?.sign === '<') open.pop()
    else if (/^[)\]}]$/.test(token)) {
      while (open.at(-1)?.sign === '<') open.pop()
      if (open.pop()?.sign === '`') {
        tokens.lastIndex = after(templateRest, tokens.lastIndex)
        if (source[tokens.lastIndex - 1] === '{') begin('`')
      }
    }
    before = token
  }

  function after(part: RegExp, at: number): number {
    part.lastIndex = at
    return part.test(source) ? part.lastIndex : at + 1
  }
}
