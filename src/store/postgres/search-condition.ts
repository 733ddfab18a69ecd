/**
 * Turns conditions into SQL. Where SQL cannot say a condition exactly, it says one that finds too much, and the records are
 * looked at again: under `not` therefore one that finds too little.
 */
import { stringifyJson } from '../../json.ts'
import type { Leaf } from '../../search/evaluate.ts'
import { instantOf } from '../../search/instant.ts'
import type { Condition, Json, Path } from '../../search/query.ts'
import { requiredJson } from '../../search/quick-test.ts'
import type { Bindings } from './bindings.ts'
import type { Column, CopyTable } from './copy-table.ts'
import { among, compared, equal, isExact, liked, mayHaveWords } from './search-columns.ts'
import { insideJson } from './search-json.ts'
import { allOf, oneOf, type WordShares } from './search-shares.ts'
import { Asker } from './search-words.ts'
import { encodeJson } from './text-code.ts'

/** Which of the records found have to be looked at again: none, those with too many words for the index, or all. */
export type Recheck = 'none' | 'overflowed' | 'all'

/** What a condition has to be true of at least: all that meet it, or nothing else. */
type Side = 'all that meet it' | 'nothing else'

/**
 * What the index of words is asked: whatever it can say; only what it has not said already, of records that it has `named`; or
 * nothing. Reading what it has of a record takes longer than reading the record's texts.
 */
type Words = 'asked' | 'named' | 'read'

/** The copy that conditions are about, with what is known of its words. */
interface Searched {
  readonly table: CopyTable
  readonly copy: { readonly number: number }
  readonly shares: WordShares | null
}

/** Compiles conditions over one copy; `t` stands for its table. */
export class ConditionCompiler {
  recheck: Recheck = 'none'
  readonly #columns: ReadonlyMap<string, Column>
  readonly #bind: Bindings
  readonly #asker: Asker
  readonly #words: Words

  constructor({ table, copy, shares }: Searched, bind: Bindings, words: Words = 'asked') {
    this.#words = words
    this.#columns = table.columns
    this.#bind = bind
    this.#asker = new Asker(table.searchable, copy.number, shares)
  }

  /** True of all records that meet the condition; of which of them `recheck` tells more. Null means false. */
  compile(condition: Condition): string {
    return this.#compile(condition, 'all that meet it', this.#words)
  }

  /**
   * What names few records, as far as the index of words can tell, all that meet the condition among them; null when it
   * cannot. Indexes of columns are left out: of those the database knows better what they name.
   */
  narrow(condition: Condition): string | null {
    switch (condition.op) {
      case 'and': {
        const parts = condition.of.map((part) => this.narrow(part)).filter((part) => part !== null)
        return parts.length === 0 ? null : `(${parts.join(' and ')})`
      }
      case 'or': {
        const { of } = condition
        if (
          !of.some((part) => this.#isWorded(part)) ||
          !of.every((part) => this.#isWorded(part) || this.#isIndexed(part))
        )
          return null
        return `(${of.map((part) => this.narrow(part) ?? this.compile(part)).join(' or ')})`
      }
      default: {
        const question = this.#isWorded(condition) ? this.#asker.ask(condition) : null
        return question === null ? null : this.#has(this.#asker.orOverflowed(question.text))
      }
    }
  }

  /** What part of the records `narrow` names, about; null when it names none, or it is not known, or indexes of columns have a say in it. */
  share(condition: Condition): number | null {
    switch (condition.op) {
      case 'and': {
        const parts = condition.of.map((part) => this.share(part)).filter((part) => part !== null)
        return parts.length === 0 ? null : allOf(parts)
      }
      case 'or': {
        const parts = condition.of.map((part) => this.share(part))
        return parts.length === 0 || parts.includes(null) ? null : oneOf(parts as number[])
      }
      default:
        return this.#isWorded(condition) ? this.#asker.share(condition) : null
    }
  }

  /** Whether words name what meets the condition. */
  #isWorded(condition: Condition): boolean {
    return condition.op !== 'not' && !this.#isIndexed(condition) && this.#asker.ask(condition) !== null
  }

  /** Whether the index of a column names it. */
  #isIndexed(condition: Condition): boolean {
    return (condition.op === 'eq' || condition.op === 'in') && this.#columns.has(condition.path[0])
  }

  #compile(condition: Condition, side: Side, words: Words): string {
    // What words have named meets all of a conjunction that they can say; of other parts they have said nothing.
    const inside = words === 'named' ? 'read' : words
    switch (condition.op) {
      case 'and':
        return joined(
          condition.of.map((part) => this.#compile(part, side, words)),
          'and',
        )
      case 'or':
        return joined(
          condition.of.map((part) => this.#compile(part, side, inside)),
          'or',
        )
      case 'not': {
        const other = side === 'nothing else' ? 'all that meet it' : 'nothing else'
        return `(not coalesce(${this.#compile(condition.of, other, inside)}, false))`
      }
      default: {
        const column = this.#columns.get(condition.path[0])
        return column === undefined
          ? this.#inDocument(condition, side, words)
          : this.#inColumn(column, condition, side, words)
      }
    }
  }

  #inColumn(column: Column, leaf: Leaf, side: Side, words: Words): string {
    switch (leaf.op) {
      case 'eq':
        return equal(this.#bind, column, leaf.value)
      case 'in':
        return among(this.#bind, column, leaf.values)
      case 'gt':
      case 'gte':
      case 'lt':
      case 'lte':
        return compared(this.#bind, column, leaf.op, leaf.value)
      case 'like': {
        if (!isExact(leaf.pattern)) {
          this.recheck = 'all'
          if (side === 'nothing else') return 'false'
        }
        const sql = liked(this.#bind, column, leaf.pattern)
        if (side === 'nothing else') return sql
        const question = words === 'asked' ? this.#asker.ask(leaf) : null
        return question === null ? sql : `(${this.#has(this.#asker.orOverflowed(question.text))} and ${sql})`
      }
      default:
        return this.#byWords(leaf, side, words)
    }
  }

  #inDocument(leaf: Leaf, side: Side, words: Words): string {
    if (leaf.op === 'eq' && isPlain(leaf.path, leaf.value)) {
      const sql = this.#inside(leaf.path, leaf.value)
      const question = side === 'nothing else' || words !== 'asked' ? null : this.#asker.ask(leaf)
      return question === null ? sql : `(${this.#has(this.#asker.orOverflowed(question.text))} and ${sql})`
    }
    return this.#byWords(leaf, side, words)
  }

  /** What the words of a record say about a condition. */
  #byWords(leaf: Leaf, side: Side, words: Words): string {
    if ('words' in leaf && leaf.words.length === 0) return 'false'
    const question = side === 'nothing else' || words !== 'read' ? this.#asker.ask(leaf) : null
    const isSaid = question !== null && words === 'named'
    if (question?.exact) {
      if (this.recheck === 'none') this.recheck = 'overflowed'
      if (isSaid) return 'true'
      return this.#has(side === 'nothing else' ? question.text : this.#asker.orOverflowed(question.text))
    }
    this.recheck = 'all'
    if (side === 'nothing else') return 'false'
    const column = this.#columns.get(leaf.path[0])
    if ((question === null || isSaid) && column !== undefined)
      return 'words' in leaf && column.text !== null ? mayHaveWords(this.#bind, column, leaf) : 'true'
    if (question !== null) return isSaid ? 'true' : this.#has(this.#asker.orOverflowed(question.text))
    // Looking for a part of the text takes a tenth of reading it as JSON. A key alone is in nearly all of them.
    const required = requiredJson(leaf) ?? []
    const parts = (required.some((part) => part.endsWith('":')) ? [] : required).map((part) => {
      const pattern = `%${encodeJson(part).replace(/[%_\\]/g, '\\$&')}%`
      return `t._rest::text like ${this.#bind.add(pattern)}`
    })
    const inside = insideJson(this.#bind, leaf, 't._rest')
    return `(${[parts.length === 0 ? 'true' : `(${parts.join(' or ')})`, inside ?? 'true'].join(' and ')})`
  }

  #has(question: string): string {
    return `t._words @@ ${this.#bind.add(question, 'tsquery')}`
  }

  /** Whether the text of the JSON at the path is that of the value. */
  #inside(path: Path, value: Json): string {
    const found = `(t._rest #> ${this.#bind.add(path, 'text[]')})::text`
    if (value === null) return `coalesce(${found}, 'null') = 'null'`
    return `${found} = ${this.#bind.add(encodeJson(stringifyJson(value)))}`
  }
}

const joined = (parts: readonly string[], by: 'and' | 'or'): string =>
  parts.length === 0 ? String(by === 'and') : `(${parts.join(` ${by} `)})`

/** Whether equal values have one JSON text, and the path means the same to the database, which also takes numbers as places in arrays. */
function isPlain(path: Path, value: Json): boolean {
  if (path.slice(1).some((key) => /^-?\d+$/.test(key))) return false
  if (typeof value === 'string') return instantOf(value) === null
  return value === null || typeof value === 'boolean'
}
