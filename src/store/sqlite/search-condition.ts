/** Turns conditions into SQL. Every fragment is 0 or 1, never null, and every value of the caller is bound. */
import { type Leaf, valueAt } from '../../search/evaluate.ts'
import { instantOf } from '../../search/instant.ts'
import { longestSortKey, sortKey, textKey } from '../../search/order.ts'
import { parsePattern } from '../../search/pattern.ts'
import type { Condition, Json, Scalar } from '../../search/query.ts'
import { quickTestOf, requiredJson } from '../../search/quick-test.ts'
import { type Column, type CopyTable, inDocument } from './copy-table.ts'
import { numberComparison } from './search-number.ts'
import { longText } from './search-ticking.ts'

export type Bound = string | number | bigint | null

/** Part of a statement, with its values in the order of its question marks. */
export interface Fragment {
  readonly sql: string
  readonly params: readonly Bound[]
}

/** What SQL cannot say, and asks for by its place in the list: `meets(place, value)`. */
export type Check = (value: Json) => boolean

/** Compiles conditions over one table; what SQL cannot say is added to `checks`. `t` stands for the table. */
export class ConditionCompiler {
  readonly #columns: ReadonlyMap<string, Column>
  readonly #checks: Check[]
  readonly #likely: boolean
  /** How many characters the patterns have together with which SQLite compares each record. */
  patternLength = 0

  /** Of records that most likely meet the condition, none is worth ruling out by less than the condition itself. */
  constructor(table: CopyTable, checks: Check[], likely = false) {
    this.#columns = table.columns
    this.#checks = checks
    this.#likely = likely
  }

  compile(condition: Condition): Fragment {
    switch (condition.op) {
      case 'and':
      case 'or': {
        if (condition.of.length === 0) return condition.op === 'and' ? always : never
        return joined(
          condition.op,
          condition.of.map((part) => this.compile(part)),
        )
      }
      case 'not': {
        const { sql, params } = this.compile(condition.of)
        return { sql: `(not ${sql})`, params }
      }
      default:
        return this.#leaf(condition)
    }
  }

  #leaf(leaf: Leaf): Fragment {
    const column = this.#columns.get(leaf.path[0])
    if (column === undefined) return equalInside(leaf) ?? this.#checkInside(leaf)
    switch (leaf.op) {
      case 'eq':
        return equal(column, leaf.value)
      case 'in':
        // Past a few hundred a set in memory is faster, and the number of bound values has a limit.
        if (leaf.values.length > mostListed) return this.#check(leaf, column)
        return joined(
          'or',
          leaf.values.map((value) => equal(column, value)),
        )
      case 'gt':
      case 'gte':
      case 'lt':
      case 'lte':
        return compared(column, leaf.op, leaf.value)
      default:
        return this.#checkText(leaf, column)
    }
  }

  /** SQLite itself knows letter case in ASCII alone, and ends texts at NUL: of other texts the check decides. */
  #checkText(leaf: Leaf, column: Column): Fragment {
    const check = this.#check(leaf, column)
    const text = `t.${column.column}`
    const isPlain = `length(${text}) = octet_length(${text}) and (octet_length(${text}) <= ${longText} or tick())`
    const liked = `${text} like ? escape '\\'`
    if (leaf.op === 'like') {
      const pattern = plainPattern(leaf.pattern)
      if (pattern === null) return check
      this.patternLength += pattern.length
      return { sql: `(case when ${isPlain} then ${liked} else ${check.sql} end)`, params: [pattern] }
    }
    const words = leaf.op === 'fuzzy' || leaf.op === 'keyword' ? plainWords(leaf) : null
    if (words === null) return check
    // Between spaces they are words; within other texts they may be parts of words, so that the check decides.
    this.patternLength += [...words.within, ...words.between].join('').length
    const some = words.within.map(() => `${text} like ?`).join(' or ')
    const certain = words.between.map(() => `' ' || ${text} || ' ' like ?`).join(' or ')
    return {
      sql: `(case when not (${isPlain}) then ${check.sql} when ${some} then (case when ${certain} then 1 else ${check.sql} end) else 0 end)`,
      params: [...words.within, ...words.between],
    }
  }

  #check(leaf: Leaf, { column }: Column): Fragment {
    return { sql: `meets(${this.#checks.push(quickTestOf(leaf)) - 1}, t.${column})`, params: [] }
  }

  /** A check of what stands in the document. SQLite takes the field out of it, in a third of the time that reading all of it takes. */
  #checkInside(leaf: Leaf): Fragment {
    const [field, ...keys] = leaf.path
    const test = quickTestOf(leaf)
    const place = this.#checks.push((value) => test(valueAt(value, keys))) - 1
    const check = `document_meets(${place}, ${inDocument(field)})`
    const parts = this.#likely ? null : requiredJson(leaf)
    if (parts === null) return { sql: check, params: [] }
    // Looking for a part takes a tenth of that again.
    const some = parts.map(() => 'instr(t._rest, ?) > 0').join(' or ')
    return { sql: `((${some}) and ${check})`, params: parts }
  }
}

const mostListed = 200

/** More runs, or longer ones, may take SQLite long. */
const mostRuns = 4
const longestPattern = 200

const isAscii = (text: string): boolean => /^[\x01-\x7f]*$/.test(text)
const escaped = (text: string): string => text.replace(/[%_\\]/g, '\\$&')

/** The pattern as SQLite reads it, or null when it means something else there. */
function plainPattern(pattern: string): string | null {
  const { pieces } = parsePattern(pattern)
  const written = pieces.map((piece) =>
    piece.map((character) => (character === null ? '_' : escaped(character))).join(''),
  )
  const text = written.join('%')
  return pieces.length <= mostRuns && text.length <= longestPattern && isAscii(text) ? text : null
}

/** Patterns of which texts with the words match one, and patterns for texts with spaces around them; null when SQLite cannot say. */
function plainWords({ op, words }: Extract<Leaf, { readonly words: readonly string[] }>) {
  if (words.length === 0 || words.length >= mostRuns || !words.every(isAscii)) return null
  if (words.some((word) => word.length > longestPattern)) return null
  if (op === 'fuzzy') return { within: [`%${words.join('%')}%`], between: [`% ${words.join('% ')}%`] }
  return { within: words.map((word) => `%${word}%`), between: words.map((word) => `% ${word} %`) }
}

export const always: Fragment = { sql: '1', params: [] }
export const never: Fragment = { sql: '0', params: [] }

export function joined(operator: 'and' | 'or', parts: readonly Fragment[]): Fragment {
  if (parts.length === 0) return operator === 'and' ? always : never
  return {
    sql: `(${parts.map(({ sql }) => sql).join(` ${operator} `)})`,
    params: parts.flatMap(({ params }) => params),
  }
}

/** The expression that the index of the column is over. */
export const keyOf = (column: Column): string => {
  if (column.keyColumn === null) return `t.${column.column}`
  return `coalesce(t.${column.keyColumn}, t.${column.column})`
}

/**
 * What equals a text or a truth value inside an object: JSON writes each in one way only. Null for other conditions, for
 * date-times, of which equal ones are written in several ways, and below keys that are more than a name to a path in SQLite.
 */
function equalInside(leaf: Leaf): Fragment | null {
  if (leaf.op !== 'eq' || leaf.path.length === 1 || !leaf.path.every((key) => /^\w+$/.test(key))) return null
  const { value, path } = leaf
  if (typeof value !== 'boolean' && (typeof value !== 'string' || instantOf(value) !== null)) return null
  return { sql: '(t._rest -> ? is ?)', params: [`$.${path.join('.')}`, JSON.stringify(value)] }
}

/** Null is not more, less or equal to anything, and `not` of that is true. */
const twoValued = (sql: string): string => `ifnull(${sql}, 0)`

function equal(column: Column, value: Json): Fragment {
  if (value === null) return { sql: `(t.${column.column} is null)`, params: [] }
  if (typeof value === 'boolean') return { sql: `(t.${column.column} is ?)`, params: [value ? 1 : 0] }
  // What another text sorts as is an instant, or longer.
  if (typeof value === 'string' && isShort(value) && instantOf(value) === null)
    return { sql: `(t.${column.column} is ?)`, params: [value] }
  const { sql, params } = equalOrNull(column, value as Scalar)
  return { sql: twoValued(sql), params }
}

function equalOrNull(column: Column, value: Scalar): Fragment {
  if (typeof value === 'boolean') return { sql: `t.${column.column} = ?`, params: [value ? 1 : 0] }
  if (typeof value !== 'string') return numberComparison(`t.${column.column}`, 'eq', value)
  if (isShort(value)) return { sql: `${keyOf(column)} = ?`, params: [textKey(value)] }
  return { sql: `(${keyOf(column)} = ? and t.${column.column} = ?)`, params: [sortKey(value), value] }
}

export type Comparison = Extract<Condition, { readonly op: 'eq' | 'gt' | 'gte' | 'lt' | 'lte' }>

/** A comparison as the column's index can use it. Where the field is null it may be null, so that it is nothing to negate. */
export function indexable(column: Column, comparison: Comparison): Fragment {
  if (comparison.op !== 'eq') return comparedOrNull(column, comparison.op, comparison.value)
  if (comparison.value === null) return { sql: `${keyOf(column)} is null`, params: [] }
  return equalOrNull(column, comparison.value as Scalar)
}

const symbols = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

function compared(column: Column, op: 'gt' | 'gte' | 'lt' | 'lte', value: Scalar): Fragment {
  const { sql, params } = comparedOrNull(column, op, value)
  return { sql: twoValued(sql), params }
}

function comparedOrNull(column: Column, op: 'gt' | 'gte' | 'lt' | 'lte', value: Scalar): Fragment {
  if (typeof value === 'boolean') return { sql: `t.${column.column} ${symbols[op]} ?`, params: [value ? 1 : 0] }
  if (typeof value !== 'string') return numberComparison(`t.${column.column}`, op, value)
  const own = keyOf(column)
  if (isShort(value)) return { sql: `${own} ${symbols[op]} ?`, params: [textKey(value)] }
  // The key holds the beginning alone; where that is the same, the whole text decides.
  const wider = op === 'gt' || op === 'gte' ? '>=' : '<='
  const strict = wider[0]
  const beginning = sortKey(value)
  return {
    sql: `(${own} ${wider} ? and (${own} ${strict} ? or t.${column.column} ${symbols[op]} ?))`,
    params: [beginning, beginning, value],
  }
}

/** Of a shorter text the key is all of it, so that comparing keys is comparing texts. */
function isShort(text: string): boolean {
  if (text.length < longestSortKey) return true
  return text.length < longestSortKey * 2 && [...textKey(text)].length < longestSortKey
}
