/**
 * How many of the records have a word. The database knows it of the most frequent ones of each table, and is asked for them
 * once in a while rather than by every search for its own.
 */
import type { CopyTable } from './copy-table.ts'
import type { Database } from './database.ts'

/** What part has all of them, and one of them, where one says nothing about the other. */
export const allOf = (parts: readonly number[]): number => parts.reduce((all, part) => all * part, 1)
export const oneOf = (parts: readonly number[]): number => 1 - parts.reduce((none, part) => none * (1 - part), 1)

/** Parts of the records of one copy, as far as they are known; words that are not among the frequent ones are few. */
export interface WordShares {
  of(token: string): number
  ofBeginning(token: string): number
}

const askedAgainMs = 60_000

interface Frequent {
  readonly words: ReadonlyMap<string, number>
  readonly rows: number
}

export class FrequentWords {
  readonly #database: Database
  readonly #tables = new Map<string, { since: number; frequent: Frequent | null }>()

  constructor(database: Database) {
    this.#database = database
  }

  /** The shares in a copy with so many records; null when they are not known yet. Nobody waits for them. */
  sharesIn(table: CopyTable, records: number): WordShares | null {
    const known = this.#tables.get(table.name)
    if (known === undefined || performance.now() - known.since > askedAgainMs) {
      const asked = { since: performance.now(), frequent: known?.frequent ?? null }
      this.#tables.set(table.name, asked)
      // The next search asks again if this one fails.
      this.#ask(table).then(
        (frequent) => (asked.frequent = frequent),
        () => this.#tables.delete(table.name),
      )
    }
    const frequent = known?.frequent ?? null
    return frequent === null ? null : sharesAmong(frequent, records)
  }

  async #ask(table: CopyTable): Promise<Frequent> {
    const row = await this.#database.first<{ rows: number; words: string[] | null; shares: number[] | null }>(
      `select greatest(reltuples, 0)::float8 as rows, most_common_elems::text::text[] as words, most_common_elem_freqs::float8[] as shares
      from pg_class left join pg_stats on schemaname = relnamespace::regnamespace::text and tablename = relname and attname = '_words'
      where pg_class.oid = $1::regclass`,
      table.name,
    )
    const { rows, words, shares } = row!
    return { words: new Map(words?.map((word, index) => [word, shares![index]!])), rows }
  }
}

function sharesAmong({ words, rows }: Frequent, records: number): WordShares {
  // Each token belongs to one copy.
  const within = (share: number) => Math.min(1, (share * rows) / Math.max(1, records))
  return {
    of: (token) => within(words.get(token) ?? 0),
    ofBeginning(beginning) {
      const parts: number[] = []
      for (const [token, share] of words) if (token.startsWith(beginning)) parts.push(within(share))
      return oneOf(parts)
    },
  }
}
