/** How SQLite searches: its comparisons, words, JSON and pages. */
import { stringifyJson } from '../../json.ts'
import { type Leaf, valueAt, valueTestOf } from '../../search/evaluate.ts'
import { instantOf } from '../../search/instant.ts'
import { parsePattern } from '../../search/pattern.ts'
import type { Json, Scalar } from '../../search/query.ts'
import { requiredJson } from '../../search/required-json.ts'
import type { Column } from '../copies/record-table.ts'
import type { Bindings } from '../search/bindings.ts'
import type { Page, Said, SearchDialect, SearchedCopy } from '../search/dialect.ts'
import { type CopyTable, identityIndex, inDocument, textOf } from './copy-table.ts'
import { isTelling, narrowest } from './search-candidates.ts'

export function sqliteDialect(table: CopyTable, copy: SearchedCopy): SearchDialect {
  return {
    table,
    copy,
    // It sorts all 400,000 records that meet a condition for the first hundred, where going along the order takes a hundredth.
    weighsLimits: false,
    asking: { shortestBeginning: 1 },
    identityIndex: identityIndex(table),
    // SQLite looks at values when it plans a statement, and plans it anew for others: 20 µs for one that runs for 3. Behind a
    // sign it does not see them; searches name the indexes to use.
    placeholder: (number) => `+$${number}`,
    key: ({ column, type }, of = 't') =>
      type === 'string' ? `coalesce(${of}.${keyColumn(column)}, ${of}.${column})` : `${of}.${column}`,
    // Of what is calculated SQLite does not take `is not null` for a bound: it would go past half a million nulls.
    hasValue(column) {
      return column.type === 'string' ? `${this.key(column)} >= ''` : `${this.key(column)} is not null`
    },
    sorted: (key) => key,
    rows: (bind, rows) =>
      `select value ->> 0, value ->> 1, value ->> 2 from json_each(${bind.add(stringifyJson(rows))})`,
    oneOf,
    text: textMeets,
    inside: insideMeets,
    mayRepeat: () => true,
    repeats(bind, column, most) {
      const same = `other._copy = t._copy and ${this.key(column, 'other')} = ${this.key(column)}`
      return `exists (select 1 from ${table.name} as other where ${same} limit 1 offset ${bind.add(Math.round(most), 'int8')})`
    },
    told: (_leaf, question) => (isTelling(question) ? { sql: 'true', exact: true } : null),
    // It writes them sooner than they come over one by one.
    fields: (names) => ({ columns: [dataOf(table, names)], json: ([json]) => json as string }),
    page: (page, bind) => pageOf(table, page, bind),
    narrow(sets, { least, most }) {
      return narrowest(this, table, sets, least, most)
    },
  }
}

const keyColumn = (column: string): string => `"_key_${column.slice(1)}`

/** The number of bound values has a limit. Where U+0000 and fractions are not in JSON what they are here, a set is asked. */
function oneOf(
  bind: Bindings,
  key: string,
  values: readonly Scalar[],
  type: 'text' | 'int8' | 'float8' | 'boolean',
): string {
  if (values.length <= 20) return `${key} in (${values.map((value) => bind.add(value, type)).join(', ')})`
  const isSame = type !== 'float8' && !values.some((value) => typeof value === 'string' && value.includes('\0'))
  if (isSame) return `${key} in (select value from json_each(${bind.add(stringifyJson(values))}))`
  const set = new Set<Json>(values)
  return `meets(${bind.test((value) => set.has(value))}, ${key})`
}

/** SQLite itself knows letter case in ASCII alone, and ends texts at NUL: of other texts the language decides. */
function textMeets(bind: Bindings, leaf: Leaf, { column }: { readonly column: string }): Said {
  const text = `t.${column}`
  const check = `meets(${bind.test(valueTestOf(leaf))}, ${text})`
  const isPlain = `length(${text}) = octet_length(${text}) and (octet_length(${text}) <= ${longText} or tick())`
  if (leaf.op === 'like') {
    const pattern = plainPattern(leaf.pattern)
    if (pattern === null) return { sql: check, exact: true }
    const liked = `${text} like ${bind.add(pattern)} escape '\\'`
    return { sql: `(case when ${isPlain} then ${liked} else ${check} end)`, exact: true }
  }
  const words = leaf.op === 'fuzzy' || leaf.op === 'keyword' ? plainWords(leaf) : null
  if (words === null) return { sql: check, exact: true }
  // Between spaces they are words; within other texts they may be parts of words, so that the language decides.
  const some = words.within.map((pattern) => `${text} like ${bind.add(pattern)}`).join(' or ')
  const certain = words.between.map((pattern) => `' ' || ${text} || ' ' like ${bind.add(pattern)}`).join(' or ')
  return {
    sql: `(case when not (${isPlain}) then ${check} when ${some} then (case when ${certain} then 1 else ${check} end) else 0 end)`,
    exact: true,
  }
}

/** A text of more bytes is worth a look at the clock of its own before SQLite compares it with a pattern. */
const longText = 4096

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

/** SQLite takes the field out of the document, in a third of the time that reading all of it here takes. */
function insideMeets(bind: Bindings, leaf: Leaf): Said {
  const among = amongInside(bind, leaf)
  if (among !== null) return { sql: `(${among})`, exact: true }
  const [field, ...keys] = leaf.path
  const test = valueTestOf(leaf)
  const check = `inside_meets(${bind.test((value) => test(valueAt(value, keys)))}, ${inDocument(field)})`
  const parts = requiredJson(leaf)
  if (parts === null) return { sql: check, exact: true }
  // Looking for a part of the text takes a tenth of that again.
  return {
    sql: `((${parts.map((part) => `instr(t._rest, ${bind.add(part)}) > 0`).join(' or ')}) and ${check})`,
    exact: true,
  }
}

/**
 * What equals one of several texts, truth values or null inside an object: JSON writes each in one way only. Null for other conditions,
 * for date-times, of which equal ones are written in several ways, and below keys that are more than a name to a path in SQLite.
 */
function amongInside(bind: Bindings, leaf: Leaf): string | null {
  const values = leaf.op === 'eq' ? [leaf.value] : leaf.op === 'in' ? leaf.values : []
  if (values.length === 0 || !values.every(isWrittenAlike) || !leaf.path.every((key) => /^\w+$/.test(key))) return null
  const found = `coalesce(t._rest -> ${bind.add(`$.${leaf.path.join('.')}`)}, 'null')`
  return oneOf(
    bind,
    found,
    values.map((value) => JSON.stringify(value)),
    'text',
  )
}

const isWrittenAlike = (value: Json): boolean =>
  value === null || typeof value === 'boolean' || (typeof value === 'string' && instantOf(value) === null)

/** The fields as the text of a JSON object. The document is one already, and gets the columns put before what is in it. */
export function dataOf(table: CopyTable, fields: readonly string[]): string {
  const isWhole = table.nested.length > 0 && table.nested.every((field) => fields.includes(field))
  const entries = fields.flatMap((field) => {
    const column = table.columns.get(field)
    if (column !== undefined) return [entryOf(column)]
    // A field that the table does not have is null there.
    return isWhole && table.nested.includes(field) ? [] : [`${textOf(field)}, ${inDocument(field)}`]
  })
  const own = `json_object(${entries.join(', ')})`
  if (!isWhole) return own
  return entries.length === 0 ? 't._rest' : `concat(rtrim(${own}, '}'), ',', ltrim(t._rest, '{'))`
}

function entryOf({ name, type, column }: Column): string {
  if (type === 'boolean')
    return `${textOf(name)}, json(iif(t.${column}, 'true', iif(t.${column} = 0, 'false', 'null')))`
  // SQLite writes 10 as 10.0.
  return `${textOf(name)}, ${type === 'number' ? `json(written_number(t.${column}))` : `t.${column}`}`
}

/** The records are found first and read afterwards, since what is sorted is copied. */
function pageOf(
  table: CopyTable,
  { columns, where, filter, order, limit, candidates, index, window }: Page,
  bind: Bindings,
) {
  const records = (from: string, parts: readonly string[], limit: string) =>
    `select t._record as record from ${table.name} as t ${from} where ${parts.join(' and ')} order by ${order} ${limit}`
  const filtered = `${filter} and ${ticking(bind)}`
  const read = `cross join ${table.name} as t on t._record = found.record`
  if (window !== null)
    return `select t._id${columns} from (${records(`indexed by ${index}`, where, window)}) as found ${read} where ${filtered} limit ${limit}`
  const found =
    candidates === null
      ? records(`indexed by ${index}`, [...where, filtered], `limit ${limit}`)
      : records('not indexed', [`t._record in (${candidates})`, ...where, filtered], `limit ${limit}`)
  return `select t._id${columns} from (${found}) as found ${read}`
}

/** Asks one record in 1,024 whether the search has to end, and more where SQLite compares each with long patterns. */
function ticking({ values }: Bindings): string {
  let compared = 1
  for (const value of values) if (typeof value === 'string' && value.includes('%')) compared += value.length
  const records = 2 ** Math.floor(Math.log2(Math.max(1, Math.min(1024, mostCompared / compared))))
  return `((t._record & ${records - 1}) <> 0 or tick())`
}

/** Records times characters of patterns: with texts of the length above, half a second at worst. */
const mostCompared = 50_000
