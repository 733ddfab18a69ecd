/** Chooses where a search begins: at the few records that an index names, or along an order until enough hits are found. */
import { conjuncts } from '../../search/conjuncts.ts'
import type { Condition } from '../../search/query.ts'
import { type Column, type CopyTable, identityIndex } from './copy-table.ts'
import { type Comparison, type Fragment, indexable, joined } from './search-condition.ts'
import type { Landmarks, Surveyed } from './search-landmarks.ts'
import type { SearchStatements } from './search-statements.ts'
import { wordsMatch } from './search-words.ts'

/** Statements that name records, and how many they name together. */
export interface Start {
  readonly select: Fragment
  readonly records: number
  /** All of them meet the condition. */
  readonly exact: boolean
  /** Most of them do, as they have its words. */
  readonly likely: boolean
}

/** How many records are too many for a start: the words of records are dearer to ask than indexes. */
export interface TooMany {
  readonly byIndex: number
  readonly byWords: number
}

/** A condition that every hit meets and that its field's index answers with the hits in the order of their ids. */
export interface Equality {
  readonly column: Column
  readonly condition: Fragment
}

/** The copy to plan for. */
export interface Searched extends Surveyed {
  readonly statements: SearchStatements
  readonly landmarks: Landmarks
  readonly table: CopyTable
}

export class Planner {
  readonly #statements: SearchStatements
  readonly #table: CopyTable
  readonly #searched: Searched
  #spacing = 1

  constructor(searched: Searched) {
    this.#searched = searched
    this.#statements = searched.statements
    this.#table = searched.table
  }

  /** The fewest records among which all hits are, when they are not too many. Being quick leaves out what may take long to say. */
  start(condition: Condition, tooMany: TooMany, quick: boolean): Start | null {
    const found = this.#byIndex(condition, tooMany, quick)
    // Reading so few records takes less than asking for their words.
    if (found !== null && found.records <= fewToRead) return found
    return this.#smaller(
      found,
      this.#byWords(condition, Math.min(tooMany.byWords, found?.records ?? tooMany.byWords), quick),
    )
  }

  /** About how many records there are to each hit, as far as the index of words has shown. */
  get spacing(): number {
    return this.#spacing
  }

  /** Whether being quick leaves out anything here. */
  isSlow(condition: Condition): boolean {
    const ask = (quick: boolean) => wordsMatch(this.#table, this.#searched.copy, condition, quick)?.match
    return ask(true) !== ask(false)
  }

  /** The equality that all hits meet, when there is one. */
  equality(condition: Condition): Equality | null {
    for (const part of conjuncts(condition)) {
      const column = part.op === 'eq' && part.path.length === 1 ? this.#table.columns.get(part.path[0]) : undefined
      if (column === undefined || part.op !== 'eq') continue
      return { column, condition: indexable(column, part) }
    }
    return null
  }

  /** An equality for each of the values of which all hits have one, when there is nothing else to meet. */
  equalities(condition: Condition): Equality[] {
    const column =
      condition.op === 'in' && condition.path.length === 1 ? this.#table.columns.get(condition.path[0]) : undefined
    if (column === undefined || condition.op !== 'in' || condition.values.length > mostMerged) return []
    const { path } = condition
    return condition.values.map((value) => ({ column, condition: indexable(column, { op: 'eq', path, value }) }))
  }

  /** What all hits meet of one column, as its index can use it. */
  bounds(condition: Condition, column: Column): Fragment[] {
    return conjuncts(condition).flatMap((part) => {
      if (!('path' in part) || part.path.length > 1 || part.path[0] !== column.field) return []
      if (part.op === 'eq' ? part.value === null : !isOrdering(part)) return []
      return [indexable(column, part as Comparison)]
    })
  }

  #byIndex(condition: Condition, tooMany: TooMany, quick: boolean): Start | null {
    switch (condition.op) {
      case 'and': {
        // Several bounds of one column are one stretch of its index.
        const groups = Map.groupBy(conjuncts(condition), (part) => (isComparison(part) && this.#columnOf(part)) || part)
        let best: Start | null = null
        for (const [column, parts] of groups) {
          const byIndex: number = best?.records ?? tooMany.byIndex
          const found =
            'index' in column
              ? this.#within(column, parts as Comparison[], byIndex)
              : this.#byIndex(parts[0]!, { ...tooMany, byIndex }, quick)
          best = this.#smaller(best, found)
        }
        return best === null ? null : { ...best, exact: best.exact && groups.size === 1 }
      }
      case 'or':
        return this.#union(
          condition.of.map((part) => () => this.start(part, tooMany, quick)),
          tooMany,
        )
      case 'in':
        return this.#union(
          condition.values
            .slice(0, mostListed + 1)
            .map((value) => () => this.#byIndex({ op: 'eq', path: condition.path, value }, tooMany, quick)),
          condition.values.length > mostListed ? { byIndex: 0, byWords: 0 } : tooMany,
        )
      case 'eq':
      case 'gt':
      case 'gte':
      case 'lt':
      case 'lte': {
        const column = this.#columnOf(condition)
        return column === undefined ? null : this.#within(column, [condition], tooMany.byIndex)
      }
      default:
        return null
    }
  }

  /** What the index of a column names between all of these. */
  #within(column: Column, comparisons: readonly Comparison[], tooMany: number): Start | null {
    const own = { sql: 't._copy = ?', params: [this.#searched.copy] }
    const { sql, params } = joined('and', [own, ...comparisons.map((one) => indexable(column, one))])
    const from = `${this.#table.name} as t indexed by ${column.index}`
    return this.#counted({ sql: `select t._record from ${from} where ${sql}`, params }, tooMany)
  }

  #columnOf({ path }: Comparison): Column | undefined {
    return path.length === 1 ? this.#table.columns.get(path[0]) : undefined
  }

  #byWords(condition: Condition, tooMany: number, quick: boolean): Start | null {
    const question = wordsMatch(this.#table, this.#searched.copy, condition, quick)
    if (question === null || tooMany <= 0) return null
    const { match, exact } = question
    const most = Math.min(Math.ceil(tooMany), mostNamed)
    const asked = `select rowid from ${this.#table.words} where ${this.#table.words} match ?`
    // What was found is kept, because asking again would take as long again.
    let found: readonly number[] = []
    const spacing = this.#recall([match, most], () => {
      found = this.#statements.records(`${asked} limit ?`, [match, most])
      return found.length < most ? undefined : this.#spacingOf(found)
    })
    if (spacing === undefined) return { select: listed(found), records: found.length, exact, likely: true }
    this.#spacing = Math.max(this.#spacing, spacing)
    return tooMany <= mostNamed
      ? null
      : { select: { sql: asked, params: [match] }, records: tooMany - 1, exact, likely: true }
  }

  /** Numbers of records grow as they are written, so that those of a few tell how far apart all of them are. */
  #spacingOf(found: readonly number[]): number {
    const [last] = this.#statements.first(`select max(_record) from ${this.#table.name}`, [])!
    const between = (found.at(-1)! - found[0]! + 1) / found.length
    return (between * this.#searched.records) / (last as number)
  }

  #union(parts: readonly (() => Start | null)[], tooMany: TooMany): Start | null {
    const starts: Start[] = []
    let records = 0
    for (const part of parts) {
      const start = part()
      if (start === null) return null
      records += start.records
      if (records >= tooMany.byIndex) return null
      starts.push(start)
    }
    // More than 500 selects cannot be put together, and so many are no short cut.
    if (starts.length === 0 || starts.length > 100) return null
    return {
      select: {
        sql: starts.map(({ select }) => `select * from (${select.sql})`).join(' union '),
        params: starts.flatMap(({ select }) => select.params),
      },
      records,
      exact: starts.every(({ exact }) => exact),
      likely: starts.every(({ likely }) => likely),
    }
  }

  /** Skipping entries costs half of counting them, and where there are too many that is all; so that it costs a fraction of a millisecond. */
  #counted(select: Fragment, tooMany: number): Start | null {
    if (tooMany <= 0) return null
    const last = Math.ceil(tooMany) - 1
    const more = `${select.sql} limit 1 offset ?`
    const tooManyKnown = this.#recall([select, last], () =>
      this.#statements.first(more, [...select.params, last]) === undefined ? undefined : 1,
    )
    if (tooManyKnown !== undefined) return null
    const [records] = this.#statements.first(`select count(*) from (${select.sql})`, select.params)!
    return { select, records: records as number, exact: true, likely: false }
  }

  #recall = (asked: readonly unknown[], find: () => number | undefined): number | undefined =>
    this.#searched.landmarks.recall(this.#searched, asked, find)

  #smaller(one: Start | null, other: Start | null): Start | null {
    if (one === null || other === null) return one ?? other
    return other.records < one.records ? other : one
  }
}

const mostListed = 100
const fewToRead = 50
/** The most walks to go side by side. */
const mostMerged = 20
/** The most records to hold by number. */
const mostNamed = 20_000

/** Records by their numbers. */
const listed = (records: readonly number[]): Fragment => ({
  sql: 'select value from json_each(?)',
  params: [`[${records.join()}]`],
})

const isComparison = (condition: Condition): condition is Comparison => condition.op === 'eq' || isOrdering(condition)

const isOrdering = ({ op }: Condition): boolean => op === 'gt' || op === 'gte' || op === 'lt' || op === 'lte'

/** The index to walk along for an order that begins with this field, or by id. */
export const orderIndex = (table: CopyTable, column: Column | null): string => column?.index ?? identityIndex(table)
