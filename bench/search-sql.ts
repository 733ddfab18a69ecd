/** The plain SQL beside which searches are measured: an ordinary table with ordinary indexes, as one would write it by hand. */
import Database from 'better-sqlite3'
import pg from 'pg'
import type { FieldType } from '../src/catalog/entity.ts'
import type { ReadRecord } from '../src/store/copy.ts'
import { type Dialect, type Question, type SortField, sqlPath } from './search-questions.ts'
import { catalog } from './search-records.ts'

/** A table of the same tasks. */
export interface PlainTable extends Dialect {
  create(): Promise<void>
  insert(records: readonly ReadRecord[]): Promise<void>
  /** Makes the indexes, and has the database count what is in them. */
  index(): Promise<void>
  /** The ids of the hits, and each as JSON. */
  ask(sql: string): Promise<readonly [id: string, data: string][]>
  /** The statement for a page of hits; it finds the rows of the page first where that is quicker. */
  page(where: string, order: string, limit: number): string
  plan(sql: string): Promise<string>
  close(): Promise<void>
}

/** The statement for a question, after the hit that comes right before the page, if there is one. */
export function sqlOf(table: PlainTable, question: Question, after: ReadRecord | null): string {
  const rank = question.rank(table)
  const order = [...(rank === '' ? [] : [`${rank} desc`]), ...question.sort.map(orderBy), 'id']
  const where = [`(${question.where(table)})`, ...(after === null ? [] : [afterHit(question.sort, after)])]
  return table.page(where.join(' and '), order.join(', '), question.limit)
}

const nullable = new Set(['completed_at', 'due_on', 'assignee.name'])

const orderBy = ({ field, descending }: SortField): string =>
  `${sqlPath(field)}${descending ? ' desc' : ''}${nullable.has(field) ? ' nulls last' : ''}`

/** What comes after a hit in the order: more in one key, with all keys before it equal. The first key bounds an index. */
function afterHit(sort: readonly SortField[], { id, data }: ReadRecord): string {
  const keys = [...sort, { field: 'id', descending: false }].map(({ field, descending }) => {
    const [name, inner] = field.split('.') as [string, string?]
    const value =
      field === 'id' ? id : inner === undefined ? data[name] : (data[name] as Record<string, unknown> | null)?.[inner]
    const column = sqlPath(field)
    const isNull = value === null || value === undefined
    const text = typeof value === 'string' ? `'${value}'` : String(value)
    const orNull = (sql: string) => (nullable.has(field) ? `(${sql} or ${column} is null)` : sql)
    const sign = descending ? '<' : '>'
    return {
      equal: isNull ? `${column} is null` : `${column} = ${text}`,
      more: isNull ? 'false' : orNull(`${column} ${sign} ${text}`),
      bound: isNull ? `${column} is null` : orNull(`${column} ${sign}= ${text}`),
    }
  })
  const ways = keys.map(({ more }, place) => [...keys.slice(0, place).map(({ equal }) => equal), more].join(' and '))
  return `${keys[0]!.bound} and (${ways.map((way) => `(${way})`).join(' or ')})`
}

const fields = Object.entries(catalog.asana.entities.tasks.searchable) as [name: string, type: FieldType][]
const isNested = (type: FieldType): boolean => type === 'object' || type === 'array'

/** The columns that questions filter and sort by. */
const indexed = [
  ...['created_at', 'modified_at', 'completed_at', 'due_on', 'name', 'gid', 'num_likes', 'num_subtasks', 'completed'],
  ...['resource_subtype', "(assignee ->> 'gid')", "(assignee ->> 'name')"],
]

export function plainSqlite(file: string): PlainTable {
  const database = new Database(file)
  for (const pragma of [
    'journal_mode = wal',
    'synchronous = normal',
    'cache_size = -65536',
    `mmap_size = ${2 ** 31 - 65_536}`,
  ])
    database.pragma(pragma)
  // The tables of words know that they are of the same rows, and keep no text of their own.
  const words = (name: string, of: readonly string[], tokenize: string) =>
    `create virtual table tasks_${name} using fts5(${of}, content = 'tasks', tokenize = '${tokenize}');
     insert into tasks_${name} (tasks_${name}) values ('rebuild');
     create trigger tasks_${name}_new after insert on tasks begin
       insert into tasks_${name} (rowid, ${of}) values (new.rowid, ${of.map((field) => `new.${field}`)});
     end;`
  const columns = fields.map(([name, type]) => [
    `'${name}'`,
    type === 'boolean' ? `iif(${name}, json('true'), json('false'))` : isNested(type) ? `json(${name})` : name,
  ])
  const match = (field: string, question: string) =>
    `tasks.rowid in (select rowid from tasks_words where tasks_words match '${field} : (${question})')`
  let insert: Database.Statement
  return {
    words: (field, wanted) => match(field, wanted.join(' OR ')),
    beginnings(field, wanted) {
      const found = match(field, wanted.map((one) => `${one}*`).join(' AND '))
      return wanted.length === 1
        ? found
        : `${found} and ' ' || ${field} like '${wanted.map((one) => `% ${one}`).join('')}%'`
    },
    like: (field, pattern) =>
      pattern.startsWith('%')
        ? `tasks.rowid in (select rowid from tasks_trigrams where ${field} like '${pattern}')`
        : `${field} like '${pattern}'`,
    element: (field, path, values) =>
      `exists (select 1 from json_each(${field}) where value ->> '$.${path.join('.')}' in (${values.map((one) => `'${one}'`).join(', ')}))`,
    async create() {
      const types = {
        string: 'text',
        integer: 'integer',
        number: 'real',
        boolean: 'integer',
        object: 'text',
        array: 'text',
      }
      database.exec(
        `create table tasks (id text primary key, ${fields.map(([name, type]) => `${name} ${types[type]}`).join(', ')})`,
      )
    },
    async insert(records) {
      insert ??= database.prepare(`insert into tasks values (?${', ?'.repeat(fields.length)})`)
      const bind = (value: unknown) =>
        typeof value === 'boolean'
          ? Number(value)
          : typeof value === 'object' && value !== null
            ? JSON.stringify(value)
            : value
      database.transaction(() => {
        for (const { id, data } of records) insert.run(id, ...fields.map(([name]) => bind(data[name] ?? null)))
      })()
    },
    async index() {
      for (const column of indexed) database.exec(`create index "tasks_${column}" on tasks (${column}, id)`)
      database.exec('create index tasks_beginnings on tasks (name collate nocase)')
      database.exec(words('words', ['name', 'notes'], 'unicode61'))
      database.exec(words('trigrams', ['name'], 'trigram'))
      database.exec('analyze')
    },
    page: (where, order, limit) =>
      `select id, json_object(${columns.flat().join(', ')})
       from (select rowid as number from tasks where ${where} order by ${order} limit ${limit}) cross join tasks on tasks.rowid = number`,
    ask: async (sql) => database.prepare(sql).raw(true).all() as [string, string][],
    plan: async (sql) =>
      (database.prepare(`explain query plan ${sql}`).all() as { detail: string }[])
        .map(({ detail }) => detail)
        .join('\n'),
    close: async () => {
      database.close()
    },
  }
}

export async function plainPostgres(url: string): Promise<PlainTable> {
  const client = new pg.Client(url)
  await client.connect()
  // Compiling such statements takes longer than running them.
  await client.query('set jit = off')
  const instants = ['created_at', 'modified_at', 'completed_at', 'due_at']
  const dates = ['due_on', 'start_on']
  const names = fields.map(([name]) => name)
  const anyOf = (words: readonly string[]) => words.join(' | ')
  return {
    words: (field, wanted) => `${field}_words @@ to_tsquery('simple', '${anyOf(wanted)}')`,
    beginnings(field, wanted) {
      const found = `${field}_words @@ to_tsquery('simple', '${wanted.map((one) => `${one}:*`).join(' & ')}')`
      return wanted.length === 1
        ? found
        : `${found} and ' ' || ${field} ilike '${wanted.map((one) => `% ${one}`).join('')}%'`
    },
    like: (field, pattern) => `${field} ilike '${pattern}'`,
    element(field, path, values) {
      const one = (value: string) =>
        `${field} @> '${JSON.stringify([path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value)])}'`
      return values.map(one).join(' or ')
    },
    async create() {
      const types = {
        integer: 'bigint',
        number: 'double precision',
        boolean: 'boolean',
        object: 'jsonb',
        array: 'jsonb',
      }
      const column = ([name, type]: [string, FieldType]) =>
        `${name} ${instants.includes(name) ? 'timestamptz' : dates.includes(name) ? 'date' : type === 'string' ? 'text collate "C"' : types[type]}`
      const words = ['name', 'notes'].map(
        (name) => `${name}_words tsvector generated always as (to_tsvector('simple', ${name})) stored`,
      )
      await client.query('create extension if not exists pg_trgm')
      await client.query(
        `create table tasks (id text collate "C" primary key, ${[...fields.map(column), ...words].join(', ')})`,
      )
    },
    async insert(records) {
      const rows = records.map(({ id, data }) => ({ id, ...data }))
      await client.query(
        `insert into tasks (id, ${names.join(', ')}) select id, ${names.join(', ')} from jsonb_populate_recordset(null::tasks, $1)`,
        [JSON.stringify(rows)],
      )
    },
    async index() {
      await client.query(`set maintenance_work_mem = '512MB'`)
      for (const column of indexed) await client.query(`create index on tasks (${column}, id)`)
      for (const column of ['completed_at', 'due_on', "(assignee ->> 'name')"])
        await client.query(`create index on tasks (${column} desc nulls last, id)`)
      for (const column of ['name_words', 'notes_words', 'name gin_trgm_ops'])
        await client.query(`create index on tasks using gin (${column})`)
      for (const column of ['projects', 'memberships', 'followers', 'tags'])
        await client.query(`create index on tasks using gin (${column} jsonb_path_ops)`)
      await client.query('vacuum analyze tasks')
    },
    page: (where, order, limit) =>
      `select id, json_build_object(${names.map((name) => `'${name}', ${name}`).join(', ')})::text
       from tasks where ${where} order by ${order} limit ${limit}`,
    ask: async (sql) => (await client.query<[string, string]>({ text: sql, rowMode: 'array' })).rows,
    plan: async (sql) =>
      (await client.query<[string]>({ text: `explain (analyze, buffers) ${sql}`, rowMode: 'array' })).rows.join('\n'),
    close: () => client.end(),
  }
}
