/** Counts the candidates that indexes name in SQLite, as far as they are worth it. */
import type { Candidates } from '../../search/candidates.ts'
import type { Beginnings } from '../../search/comparison.ts'
import type { WordQuestion } from '../../search/word-question.ts'
import { Bindings } from '../search/bindings.ts'
import { columnMeets, endOf } from '../search/columns.ts'
import type { Narrowed, SearchDialect, Work } from '../search/dialect.ts'
import { isOfCopy } from '../search/order.ts'
import { everyWanted, tokenQuestion } from '../search/token-question.ts'
import type { CopyTable } from './copy-table.ts'
import { isWholeToken, tokenForm } from './copy-words.ts'

interface Counted extends Narrowed {
  readonly records: number
}

/**
 * The smallest of the sets, when it has fewer records than `most`. All are counted up to a number before any is counted further:
 * counting half a million records of one set takes 20 ms, where another has two thousand.
 */
export function* narrowest(
  dialect: SearchDialect,
  table: CopyTable,
  sets: readonly Candidates[],
  least: number,
  most: number,
): Work<Counted | null> {
  // Words take longest to count, which is done once, and only where no field has few.
  const fields = sets.filter(({ by }) => by !== 'words')
  let asked = [...fields, ...sets.filter(({ by }) => by === 'words')]
  for (let far = least === 0 ? fewToRead : least * further; ; far *= further) {
    let best = null as Counted | null
    for (const set of asked) {
      const isWords = set.by === 'words'
      if (best !== null && (best.records <= fewToRead || isWords)) break
      const counted = yield* count(
        dialect,
        table,
        set,
        Math.ceil(Math.min(isWords ? most : far, best?.records ?? most)),
      )
      best = counted ?? best
    }
    if (best !== null || far * 2 >= most) return best
    asked = fields
  }
}

/** Reading so few records takes less than asking for other sets. */
const fewToRead = 400
const further = 8

/** A longer list is sooner asked of each record than of the index. */
const mostListed = 1000

/** Null when there are so many records, or more. */
function* count(dialect: SearchDialect, table: CopyTable, set: Candidates, most: number): Work<Counted | null> {
  if (set.by === 'words') return yield* countWords(dialect, table, set.question, most)
  if (set.by === 'union') return yield* countUnion(dialect, table, set.of, set.exact, most)
  const column = table.columns.get(set.field)!
  if (set.all.some((leaf) => leaf.op === 'in' && leaf.values.length > mostListed)) return null
  const { index } = column
  const begun = set.all.find(({ op }) => op === 'begins') as Beginnings | undefined
  const where = (bind: Bindings) =>
    [
      isOfCopy(dialect, bind),
      ...set.all.filter((leaf) => leaf !== begun).map((leaf) => columnMeets(dialect, bind, column, leaf)),
    ].join(' and ')
  const sql = (bind: Bindings) => {
    const named = `${table.name} as t indexed by ${index}`
    if (begun === undefined) return `select t._record from ${named} where ${where(bind)}`
    // Of a long `or` of ranges SQLite makes none: it would go past all of the index.
    const ranges = bind.add(JSON.stringify(begun.texts.map((text) => [text, endOf(text)])))
    const key = dialect.key(column)
    return `select t._record from json_each(${ranges}) as range cross join ${named}
      where ${where(bind)} and ${key} >= range.value ->> 0 and ${key} < range.value ->> 1`
  }
  const bind = new Bindings(dialect.placeholder)
  const [[records]] = (yield { sql: `select count(*) from (${sql(bind)} limit ${bind.add(most)})`, bind }) as [[number]]
  if (records >= most) return null
  return { records, sql, ...(begun === undefined && { part: { index, where } }), exact: set.exact, worded: false }
}

/** What is found is kept, because asking again would take as long again; so many at most. */
const mostNamed = 100_000

function* countWords(
  dialect: SearchDialect,
  table: CopyTable,
  question: WordQuestion,
  most: number,
): Work<Counted | null> {
  const bind = new Bindings(dialect.placeholder)
  const match = bind.add(matchOf(dialect, table, question))
  const limit = Math.min(most, mostNamed)
  const found = `select rowid from ${table.words} where ${table.words} match ${match} limit ${bind.add(limit)}`
  const [[records, list]] = (yield { sql: `select count(*), json_group_array(rowid) from (${found})`, bind }) as [
    [number, string],
  ]
  if (records >= limit) return null
  return {
    records,
    sql: (bind) => `select value from json_each(${bind.add(list)})`,
    exact: isTelling(question),
    worded: true,
  }
}

function* countUnion(
  dialect: SearchDialect,
  table: CopyTable,
  of: readonly (readonly Candidates[])[],
  exact: boolean,
  most: number,
): Work<Counted | null> {
  const counted: Counted[] = []
  let left = most
  for (const sets of of) {
    const smallest: Counted | null = left > 0 ? yield* narrowest(dialect, table, sets, left, left) : null
    if (smallest === null) return null
    left -= smallest.records
    counted.push(smallest)
  }
  return {
    records: most - left,
    sql: (bind) => counted.map(({ sql }) => `select * from (${sql(bind)})`).join(' union '),
    exact: exact && counted.every((one) => one.exact),
    worded: false,
  }
}

const matchOf = ({ copy }: SearchDialect, { worded }: CopyTable, question: WordQuestion): string =>
  tokenQuestion(question, {
    and: ' AND ',
    or: ' OR ',
    token({ op, field, text }) {
      const token = tokenForm[op]({ copy: copy.number, place: worded.indexOf(field) }, text)
      return `"${token}"${op === 'beginning' ? ' *' : ''}`
    },
  })

/** Whether what has the words meets the condition: each token stands for one word. */
export const isTelling = (question: WordQuestion): boolean =>
  question.exact && everyWanted(question, ({ text }) => isWholeToken(text))
