/**
 * How many of the records have a word. The database knows it of the most frequent ones of each table, takes all others for
 * thousands, and would go past all records along an order to find ten of them: 4 seconds instead of 2 milliseconds.
 */
import type { WordQuestion } from '../../search/word-question.ts'
import type { RecordTable } from '../copies/record-table.ts'
import type { Database } from './database.ts'

const askedAgainMs = 60_000

/** Fewer records of one value are sorted sooner than their fields tell where to look along another order. */
const largePart = 0.1

interface Frequent {
  /** The part of the rows of the table that has each token. */
  readonly tokens: ReadonlyMap<string, number>
  /** The values of each field that a large part of the rows has. */
  readonly values: ReadonlyMap<string, readonly string[]>
  readonly rows: number
}

export class TokenSelectivity {
  readonly #database: Database
  readonly #tables = new Map<string, { since: number; frequent: Promise<Frequent> }>()

  constructor(database: Database) {
    this.#database = database
  }

  /**
   * The frequent tokens of a table, asked for once in a while rather than by every search for its own. A table that was filled
   * a moment ago is analyzed, which the database itself does minutes later; no search waits for that.
   */
  frequent(table: RecordTable): Promise<Frequent> {
    const known = this.#tables.get(table.name)
    if (known !== undefined && performance.now() - known.since < askedAgainMs) return known.frequent
    const frequent = this.#ask(table)
    // The next search asks again if this one fails.
    frequent.catch(() => this.#tables.delete(table.name))
    this.#tables.set(table.name, { since: performance.now(), frequent })
    return known?.frequent ?? frequent
  }

  async #ask(table: RecordTable): Promise<Frequent> {
    const columns = await this.#database.all<Known>(
      `select greatest(reltuples, 0)::float8 as rows, attname as name, most_common_elems::text::text[] as tokens,
        most_common_elem_freqs::float8[] as parts,
        array(
          select value from unnest(most_common_vals::text::text[], most_common_freqs) as common (value, part) where part > $2::float8
        ) as values,
        exists (
          select 1 from pg_stat_user_tables where relid = $1::regclass and n_live_tup > 1000 and n_mod_since_analyze * 2 > n_live_tup
        ) as stale
      from pg_class left join pg_stats on schemaname = relnamespace::regnamespace::text and tablename = relname
      where pg_class.oid = $1::regclass`,
      table.name,
      largePart,
    )
    if (columns[0]?.stale)
      this.#database.run(`analyze ${table.name}`).then(
        () => this.#tables.delete(table.name),
        () => {},
      )
    const values = new Map(columns.map(({ name, values }) => [name, values]))
    const { tokens = null, parts = null } = columns.find(({ name }) => name === '_words') ?? {}
    return {
      tokens: new Map(tokens?.map((token, index) => [token, parts![index]!])),
      values,
      rows: columns[0]?.rows ?? 0,
    }
  }
}

interface Known {
  readonly rows: number
  readonly stale: boolean
  readonly name: string
  readonly tokens: string[] | null
  readonly parts: number[] | null
  readonly values: string[]
}

/** About how many records of the copy the question finds. Tokens that are not frequent count as none, and say nothing of each other. */
export function recordsWith(
  { tokens, rows }: Frequent,
  records: number,
  question: WordQuestion,
  tokenOf: (wanted: Exclude<WordQuestion, { readonly of: unknown }>) => string,
): number {
  // Each token belongs to one copy.
  const within = (part: number) => Math.min(1, (part * rows) / Math.max(1, records))
  const anyOf = (parts: readonly number[]) => 1 - parts.reduce((none, part) => none * (1 - part), 1)
  function partOf(question: WordQuestion): number {
    if ('of' in question) {
      const parts = question.of.map(partOf)
      return question.op === 'or' ? anyOf(parts) : parts.reduce((all, part) => all * part, 1)
    }
    const token = tokenOf(question)
    if (question.op !== 'beginning') return within(tokens.get(token) ?? 0)
    return anyOf([...tokens].flatMap(([other, part]) => (other.startsWith(token) ? [within(part)] : [])))
  }
  return partOf(question) * records
}

export type { Frequent as FrequentTokens }
