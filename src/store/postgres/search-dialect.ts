/** How PostgreSQL searches: its comparisons, words, JSON and pages. */
import { stringifyJson } from '../../json.ts'
import type { Candidates } from '../../search/candidates.ts'
import { comparisonOf } from '../../search/comparison.ts'
import type { Leaf } from '../../search/evaluate.ts'
import { instantOf } from '../../search/instant.ts'
import { columnName, type Json, type Path } from '../../search/query.ts'
import { requiredJson } from '../../search/required-json.ts'
import { type WordQuestion, type WordWanted, wordQuestion } from '../../search/word-question.ts'
import type { Column, RecordTable } from '../copies/record-table.ts'
import { Bindings } from '../search/bindings.ts'
import { columnMeets, valueTypes } from '../search/columns.ts'
import type {
  FieldsReader,
  Narrowed,
  Page,
  Said,
  SearchDialect,
  SearchedColumn,
  SearchedCopy,
  Work,
} from '../search/dialect.ts'
import { isOfCopy } from '../search/order.ts'
import { tokenQuestion } from '../search/token-question.ts'
import { quoted } from './copy-table.ts'
import { overflowToken, quotedToken, tokenForm } from './copy-words.ts'
import { decodeJson, encodeJson } from './nul-escaping.ts'
import { insideJson } from './search-json.ts'
import { isExact, liked } from './search-text.ts'
import { type FrequentTokens, recordsWith } from './token-selectivity.ts'

export function postgresDialect(table: RecordTable, copy: SearchedCopy, frequent: FrequentTokens): SearchDialect {
  const tokenOf = tokensOf(table, copy)
  /** True of the records with the words, and of those with too many words to be asked. */
  const hasWords = (bind: Bindings, question: WordQuestion): string => {
    const asked = tokenQuestion(question, {
      and: ' & ',
      or: ' | ',
      token: (wanted) => `${quotedToken(tokenOf(wanted))}${wanted.op === 'beginning' ? ':*' : ''}`,
    })
    return `t._words @@ ${bind.add(`(${asked}) | ${quotedToken(overflowToken(copy.number))}`, 'tsquery')}`
  }
  const recordsOf = (question: WordQuestion) => recordsWith(frequent, copy.records, question, tokenOf)
  const valuesOf = ({ column }: SearchedColumn) => frequent.values.get(column.slice(1, -1)) ?? []
  // Parts that are frequent name five times as many records.
  const asking = { shortestBeginning: 1, shareOf: recordsOf }
  const dialect: SearchDialect = {
    table,
    copy,
    weighsLimits: true,
    asking,
    identityIndex: '',
    placeholder: (number, type) => `$${number}::${type}`,
    key: ({ name, type, column }, of = 't') =>
      type === 'string' ? `coalesce(${of}.${quoted(`_key_${name}`)}, ${of}.${column})` : `${of}.${column}`,
    hasValue(column) {
      return `${this.key(column)} is not null`
    },
    // Otherwise it would go past all records along the order to the few that are named.
    sorted: (key) => `greatest(${key})`,
    rows: (bind, rows) =>
      `select * from unnest(${bind.add(
        rows.map(([place]) => place),
        'int8[]',
      )}, ${bind.add(
        rows.map(([, way]) => way),
        'text[]',
      )}, ${bind.add(
        rows.map(([, , next]) => next),
        'text[]',
      )})`,
    oneOf: (bind, key, values, type) => `${key} = any(${bind.add(values, `${type}[]`)})`,
    text(bind, leaf, column) {
      if (leaf.op === 'like') {
        const beginnings = comparisonOf(table, leaf)
        const begun = beginnings === null ? 'true' : columnMeets(dialect, bind, column, beginnings)
        return { sql: `(${begun} and ${asHalf(liked(bind, column, leaf.pattern))})`, exact: isExact(leaf.pattern) }
      }
      if (!('words' in leaf) || leaf.words.length === 0) return { sql: 'false', exact: true }
      const question = wordQuestion(table, leaf, asking)
      return { sql: question === null ? 'true' : hasWords(bind, question), exact: false }
    },
    inside(bind, leaf) {
      if (leaf.op === 'eq' && isPlain(leaf.path, leaf.value))
        return { sql: asHalf(isText(bind, leaf.path, leaf.value)), exact: true }
      if ('words' in leaf && leaf.words.length === 0) return { sql: 'false', exact: true }
      const question = wordQuestion(table, leaf, asking)
      // How many records have frequent words the database knows.
      return { sql: question === null ? asHalf(mayMeet(bind, leaf)) : hasWords(bind, question), exact: false }
    },
    // Reading what the index has of a record takes longer than reading the record's texts.
    told: (leaf, question) => (question.exact || !table.columns.has(columnName(leaf.path)) ? onceMore : null),
    fields: (names) => fieldsReader(table, names),
    page: pageOf(table),
    mayRepeat: (column) => copy.records > quicklySorted && valuesOf(column).length > 0,
    repeats: (bind, column) => dialect.oneOf(bind, dialect.key(column), valuesOf(column), valueTypes[column.type]),
    *narrow(sets, _bounds, limit, inRanges): Work<Narrowed | null> {
      const words = sets.find(({ by }) => by === 'words')
      const others = sets.filter((set) => set !== words)
      const named = words?.by === 'words' ? recordsOf(words.question) : Number.POSITIVE_INFINITY
      let isFew = areFew(named, copy.records, limit)
      if (!isFew && (inRanges ? others.length > 0 : sets.some(({ by }) => by === 'union'))) {
        const bind = new Bindings(dialect.placeholder)
        const where = [isOfCopy(dialect, bind), ...others.map((set) => isIn(set, bind, true))].join(' and ')
        const [row] = yield { sql: `explain (format json) select from ${table.name} as t where ${where}`, bind }
        isFew = areFew((row![0] as Explained)[0].Plan['Plan Rows'], copy.records, limit)
      }
      if (!isFew) return null
      // It takes rare words for more frequent than they are, and would read half of an index beside them.
      const told = named === 0 ? sets.filter((set) => set === words || isNarrow(set)) : sets
      const sql = (bind: Bindings) => told.map((set) => isIn(set, bind)).join(' and ')
      return { sql, exact: false, worded: words !== undefined }
    },
  }

  /** Only the rare ones of words that must all be there: the index would read all entries of the others. */
  function rarest(question: WordQuestion): WordQuestion {
    if (!('of' in question) || question.op === 'or') return question
    const of = question.of.filter((one) => recordsOf(one) === 0)
    return of.length === 0 ? question : { ...question, of }
  }

  /** Whether few records are in a set, as far as the question says: its values, where none is that of a tenth of them. */
  function isNarrow(set: Candidates): boolean {
    if (set.by !== 'field') return false
    const frequent = valuesOf(table.columns.get(set.field)!)
    return set.all.some(
      (leaf) =>
        leaf.op === 'begins' ||
        (leaf.op === 'in' && frequent.length === 0 && leaf.values.every((value) => typeof value === 'string')),
    )
  }

  /**
   * True of the records of a set, said so that the database sees which index has them. When they are only to be counted, rare
   * words are left out, which it would take for one record in a hundred.
   */
  function isIn(set: Candidates, bind: Bindings, counting = false): string {
    if (set.by === 'words')
      return counting && recordsOf(set.question) === 0 ? 'false' : hasWords(bind, rarest(set.question))
    if (set.by === 'field')
      return set.all.map((leaf) => columnMeets(dialect, bind, table.columns.get(set.field)!, leaf)).join(' and ')
    return `(${set.of.map((sets) => sets.map((one) => isIn(one, bind, counting)).join(' and ')).join(' or ')})`
  }
  return dialect
}

/** What the database says of a statement before it runs it. */
type Explained = readonly [{ readonly Plan: { readonly 'Plan Rows': number } }]

/**
 * In this form the database takes a condition for what half of the records meet. Otherwise it thinks that hardly any do, and
 * sorts all that do instead of going along the order: half a second instead of a millisecond, where many do.
 */
const asHalf = (sql: string): string => `coalesce(${sql}, false)`

const onceMore: Said = { sql: 'true', exact: false }

/** Reading a record that words name takes so much longer than going past one along the order. */
const costOfNamed = 3

/** More would take a tenth of a second. */
const mostNamed = 20_000

/** So many records are sorted in a millisecond, whatever they are sorted by. */
const quicklySorted = 1000

/** Whether it is worth beginning at so many records: along the order, one in so many is a hit. */
const areFew = (named: number, records: number, limit: number): boolean =>
  named <= mostNamed && named * named * costOfNamed <= records * limit

function tokensOf({ searchable }: RecordTable, { number }: SearchedCopy): (wanted: WordWanted) => string {
  const places = Object.keys(searchable)
  return ({ op, field, text }) => tokenForm[op]({ copy: number, place: places.indexOf(field) }, text)
}

/** Whether equal values have one JSON text, and the path means the same to the database, which also takes numbers as places in arrays. */
function isPlain(path: Path, value: Json): boolean {
  if (path.slice(1).some((key) => /^-?\d+$/.test(key))) return false
  if (typeof value === 'string') return instantOf(value) === null
  return value === null || typeof value === 'boolean'
}

/** Whether the text of the JSON at the path is that of the value. */
function isText(bind: Bindings, path: Path, value: Json): string {
  const found = `(t._rest #> ${bind.add(path, 'text[]')})::text`
  if (value === null) return `coalesce(${found}, 'null') = 'null'`
  return `${found} = ${bind.add(encodeJson(stringifyJson(value)))}`
}

/** Looking for a part of the text takes a tenth of reading it as JSON. A key alone is in nearly all of them. */
function mayMeet(bind: Bindings, leaf: Leaf): string {
  const required = requiredJson(leaf) ?? []
  const parts = (required.some((part) => part.endsWith('":')) ? [] : required).map((part) => {
    const pattern = `%${encodeJson(part).replace(/[%_\\]/g, '\\$&')}%`
    return `t._rest::text like ${bind.add(pattern)}`
  })
  const inside = insideJson(bind, leaf, 't._rest')
  return `(${[parts.length === 0 ? 'true' : `(${parts.join(' or ')})`, inside ?? 'true'].join(' and ')})`
}

/**
 * Selects fields as they are kept, and writes them here. Plans of statements that wrote them took three times as long, and rows
 * too. The document is JSON already, and goes in as it is.
 */
export function fieldsReader(table: RecordTable, names: readonly string[]): FieldsReader {
  const isWhole = table.nested.length > 0 && table.nested.every((field) => names.includes(field))
  const single = isWhole ? names.filter((field) => !table.nested.includes(field)) : names
  const columns = single.map((field) => table.columns.get(field))
  const keys = single.map((field) => `${JSON.stringify(field)}:`)
  const written = columns.map((column, place) =>
    // A field that the table does not have is null there.
    column === undefined ? `(t._rest -> ${textOf(single[place]!)})::text` : `t.${column.column}`,
  )
  return {
    columns: isWhole ? [...written, 't._rest::text'] : written,
    json(values) {
      const entries = keys.map((key, place) => key + jsonOf(values[place], columns[place]?.type))
      if (!isWhole) return `{${entries.join()}}`
      const rest = decodeJson(values[keys.length] as string)
      return entries.length === 0 ? rest : `{${entries.join()},${rest.slice(1)}`
    },
  }
}

/** A text of the catalog's, never a caller's, in SQL. */
const textOf = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** Whole numbers come as text, and so does what stands in the document. */
function jsonOf(value: unknown, type: Column['type'] | undefined): string {
  if (value === null || value === undefined) return 'null'
  if (type === undefined) return decodeJson(value as string)
  return type === 'string' ? JSON.stringify(value) : String(value)
}

/** Beside the few records that are named, the database sees no other index: it would read half of that first. */
const pageOf =
  ({ name }: RecordTable) =>
  ({ columns, where, filter, order, limit, candidates }: Page): string => {
    const met = candidates === null ? [filter] : [candidates, asHalf(filter)]
    return `select t._id${columns} from ${name} as t where ${[...where, ...met].join(' and ')} order by ${order} limit ${limit}`
  }
