/** Statements of which a connection keeps the plans: those that it was asked most lately. */
import type pg from 'pg'

/** So many are kept by each connection, where one takes 140 KB of the database's memory. */
const mostKept = 200

/** What the client library knows of its connection, and does not forget by itself. */
interface Connected {
  readonly connection: { readonly parsedStatements: Record<string, string> }
}

export class KeptStatements {
  /** Names by statement; the one that was asked longest ago is first. No name is given twice. */
  readonly #names = new Map<string, string>()
  #given = 0

  /** Those of a connection. */
  static of(client: pg.PoolClient): KeptStatements {
    const known = ofConnections.get(client) ?? new KeptStatements()
    ofConnections.set(client, known)
    return known
  }

  /** The name under which the connection keeps a statement. */
  name(sql: string): string {
    const name = this.#names.get(sql) ?? `kept_${this.#given++}`
    this.#names.delete(sql)
    this.#names.set(sql, name)
    return name
  }

  /** Gives up what is too much, which a connection can do where it is not in the middle of a transaction. */
  async giveUpSurplus(client: pg.PoolClient): Promise<void> {
    if (this.#names.size <= mostKept) return
    const { parsedStatements } = (client as unknown as Connected).connection
    const surplus = [...this.#names].slice(0, this.#names.size - mostKept)
    for (const [sql, name] of surplus) {
      this.#names.delete(sql)
      delete parsedStatements[name]
    }
    await client.query(surplus.map(([, name]) => `deallocate ${name}`).join('; '))
  }
}

const ofConnections = new WeakMap<pg.PoolClient, KeptStatements>()
