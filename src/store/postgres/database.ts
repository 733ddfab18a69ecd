/** Runs statements on PostgreSQL. Texts are made so that it can keep them, and come back as they were. */
import { hash } from 'node:crypto'
import pg from 'pg'
import { toldFull } from '../storage-full.ts'
import { decodeText, encodeText } from './nul-escaping.ts'

/** What a statement is given: lists become arrays, and bytes are in the binary form of their type. */
export type Value = string | number | bigint | boolean | null | Buffer | readonly Value[]

/** A connection, or the pool that lends one for a single statement. */
export class Session {
  readonly #client: Pick<pg.Pool | pg.PoolClient, 'query'>
  readonly #plan: 'each' | 'once'

  /** Statements are planned for the values of each; or once, where planning takes longer than running. */
  constructor(client: Pick<pg.Pool | pg.PoolClient, 'query'>, plan: 'each' | 'once' = 'each') {
    this.#client = client
    this.#plan = plan
  }

  async all<Row>(sql: string, ...values: readonly Value[]): Promise<Row[]> {
    return (await this.#ask(sql, values)).rows
  }

  /** Gives the number of rows that changed. */
  async run(sql: string, ...values: readonly Value[]): Promise<number> {
    return (await this.#ask(sql, values)).rowCount ?? 0
  }

  /** Rows as lists, in the order of the columns. */
  async rows(sql: string, values: readonly Value[]): Promise<unknown[][]> {
    return (await this.#ask(sql, values, 'array')).rows
  }

  #ask(text: string, values: readonly Value[], rowMode?: 'array') {
    const name = this.#plan === 'once' && { name: hash('sha256', text, 'hex').slice(0, 32) }
    const query = { text, ...name, values: values.map(bound), ...(rowMode && { rowMode }) } as pg.QueryConfig
    return this.#client.query(query).catch((error: unknown) => {
      throw toldFull(error)
    })
  }
}

export interface DatabaseOptions {
  readonly connections: number
  /** A statement that takes longer is ended. */
  readonly statementMs: number
  /** Settings of the database itself that its connections have. */
  readonly settings?: Readonly<Record<string, string>>
  /** Statements are sent without waiting for the answers to those before them. */
  readonly pipeline?: boolean
}

/** A pool of connections to one database. */
export class Database extends Session {
  readonly pool: pg.Pool

  constructor(url: string, { connections, statementMs, settings, pipeline = false }: DatabaseOptions) {
    const pool = new pg.Pool({
      connectionString: url,
      max: connections,
      connectionTimeoutMillis: 15_000,
      statement_timeout: statementMs,
      pipeline,
      ...(settings && { onConnect: (client) => client.query(written(settings)) }),
      // One who holds locks and says nothing any more is cut off, so that the others go on.
      idle_in_transaction_session_timeout: 60_000,
      application_name: 'conex',
      types: { getTypeParser },
    })
    // A connection that breaks while nobody uses it is replaced when the next one is needed.
    pool.on('error', () => {})
    super(pool)
    this.pool = pool
  }

  /** Does the work all of it or nothing; again when others were in its way. Each statement sees what was committed before it. */
  async transaction<T>(work: (session: Session) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#once(work)
      } catch (error) {
        if (attempt >= mostAttempts || !inTheWay.has((error as { code?: string }).code ?? '')) throw error
        await new Promise((done) => setTimeout(done, Math.random() * 20 * 2 ** attempt))
      }
    }
  }

  async #once<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const client = await this.pool.connect()
    let broken = false
    try {
      await client.query('begin')
      const result = await work(new Session(client))
      await client.query('commit')
      return result
    } catch (error) {
      await client.query('rollback').catch(() => {
        broken = true
      })
      throw error
    } finally {
      client.release(broken)
    }
  }

  close(): Promise<void> {
    return this.pool.end()
  }
}

const mostAttempts = 5

// Deadlock, and serialization failure, which distributed databases give as well.
const inTheWay: ReadonlySet<string> = new Set(['40P01', '40001'])

const written = (settings: Readonly<Record<string, string>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `set ${name} = '${value}'`)
    .join('; ')

function bound(value: Value): unknown {
  if (typeof value === 'string') return encodeText(value)
  if (typeof value === 'bigint') return String(value)
  return Array.isArray(value) ? value.map(bound) : value
}

const textType = 25

function getTypeParser(type: number, format?: 'text' | 'binary'): unknown {
  return type === textType ? decodeText : pg.types.getTypeParser(type, format as 'text')
}
