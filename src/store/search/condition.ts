/**
 * Turns conditions into SQL. Where SQL cannot say a condition exactly, it says one that finds too much, and the records are
 * looked at again: under `not` therefore one that finds too little.
 */
import { type Comparison, comparisonOf } from '../../search/comparison.ts'
import type { Leaf } from '../../search/evaluate.ts'
import { type Condition, columnName } from '../../search/query.ts'
import { type Asking, wordQuestion } from '../../search/word-question.ts'
import type { Bindings } from './bindings.ts'
import { columnMeets } from './columns.ts'
import type { Said, SearchDialect } from './dialect.ts'

/**
 * The condition over one copy. Of records that have the words `asked` for it is not asked again what these say. Null means
 * false.
 */
export function compileCondition(
  dialect: SearchDialect,
  bind: Bindings,
  condition: Condition,
  asked: Asking | null = null,
): Said {
  let exact = true

  function compile(condition: Condition, negated: boolean, asked: Asking | null): string {
    switch (condition.op) {
      case 'and':
        // What reads one column sorts most out before what reads documents: half the time.
        return joined(
          condition.of.toSorted((one, other) => costOf(one) - costOf(other)).map((one) => compile(one, negated, asked)),
          'and',
        )
      case 'or':
        return joined(
          condition.of.map((one) => compile(one, negated, null)),
          'or',
        )
      case 'not':
        return `(not coalesce(${compile(condition.of, !negated, null)}, false))`
      default: {
        const before = bind.values.length
        const said = (asked === null ? null : told(condition, asked)) ?? leaf(condition)
        if (said.exact) return said.sql
        exact = false
        if (!negated) return said.sql
        // A statement must use every value that it is given.
        bind.values.length = before
        return 'false'
      }
    }
  }

  function costOf(one: Condition): number {
    if (!('path' in one)) return 1
    if (!dialect.table.columns.has(columnName(one.path))) return 2
    return 'pattern' in one || 'words' in one ? 1 : 0
  }

  function leaf(leaf: Leaf): Said {
    const column = dialect.table.columns.get(columnName(leaf.path))
    if (column === undefined || (column.type === 'inner' && comparisonOf(dialect.table, leaf) === null))
      return dialect.inside(bind, leaf)
    if (leaf.op === 'like' || leaf.op === 'fuzzy' || leaf.op === 'keyword') return dialect.text(bind, leaf, column)
    return { sql: columnMeets(dialect, bind, column, leaf as Comparison), exact: true }
  }

  function told(leaf: Leaf, asked: Asking): Said | null {
    const question = wordQuestion(dialect.table, leaf, asked)
    return question === null ? null : dialect.told(leaf, question)
  }

  const sql = compile(condition, false, asked)
  return { sql, exact }
}

const joined = (parts: readonly string[], by: 'and' | 'or'): string =>
  parts.length === 0 ? String(by === 'and') : `(${parts.join(` ${by} `)})`
