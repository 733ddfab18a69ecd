/** SQL by hand for the questions of the benchmark, over the tables that Conex keeps in SQLite. */
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import Database from 'better-sqlite3'
import { openStore } from '../src/store/open.ts'
import type { SearchPlace } from './search.ts'
import type { Asked, QuestionKey } from './search-questions.ts'
import { catalog } from './search-records.ts'

const { searchable } = catalog.asana.entities.tasks
const table = '"copy_asana_tasks" as t'
const byId = `from ${table} indexed by "copy_asana_tasks__by_id" where t._copy = 1`
const key = (field: string) => `coalesce(t."_key_${field}", t."${field}")`

const fieldsOf = (wanted: (type: string) => boolean) =>
  Object.entries(searchable).flatMap(([name, type]) => (wanted(type) ? [name] : []))
const isNested = (type: string) => type === 'object' || type === 'array'

/** The place of a field in the index of words. */
const place = (field: string): number => fieldsOf((type) => type === 'string' || isNested(type)).indexOf(field)

const named = (question: string, also = '1') =>
  `from ${table} where t._record in (select rowid from "copy_asana_tasks_words" where "copy_asana_tasks_words" match '${question}') and ${also} order by t._id limit 100`

/** Each is everything from `from` on, and finds the same hits in the same order; the fastest counts. */
function byHand({
  gid,
  beginning,
  rare,
  common,
  second,
  assignee,
  tag,
  noon,
  nextNoon,
  week,
}: Asked): Record<QuestionKey, string[]> {
  const name = place('name')
  const instant = `${noon.slice(0, -1)}000000Z`
  const day = `${key('created_at')} >= '${instant}' and ${key('created_at')} < '${nextNoon.slice(0, -1)}000000Z'`
  const within = (field: string, where: string, order = 't._id') =>
    `from ${table} indexed by "copy_asana_tasks__${field}" where t._copy = 1 and ${where} order by ${order} limit 100`
  const low = beginning.toLowerCase()
  const words = (...some: string[]) => some.map((word) => `(' ' || lower(t.name) || ' ' like '% ${word} %')`)
  const tags = `exists (select 1 from json_each(t._rest, '$.tags') where value = json('${JSON.stringify(tag)}'))`
  const follows = `exists (select 1 from json_each(t._rest, '$.followers') where value ->> 'gid' = '${assignee}')`
  const projects = `exists (select 1 from json_each(t._rest, '$.projects') where value ->> 'gid' > '4990')`
  const assigned = `t._rest ->> '$.assignee.gid' = '${assignee}'`
  const w = (word: string) => `"1w${name}x${word}"`
  const tier = (points: number, match: string, also: string) =>
    `select * from (select t.*, ${points} as points ${named(match, also)})`
  const one = (sql: string) => `from (select t.* from ${table} where ${sql} order by t._id limit 100) as t`
  return {
    eqOne: [`from ${table} where t._copy = 1 and ${key('gid')} = '${gid}' order by t._id limit 100`],
    eqHalf: [`from ${table} where t._copy = 1 and t.completed = 1 order by t._id limit 100`],
    eqInside: [
      `${byId} and ${assigned} order by t._id limit 100`,
      named(`"1w${place('assignee')}x${assignee}"`, assigned),
    ],
    neq: [`${byId} and t.resource_subtype is not 'default_task' order by t._id limit 100`],
    gt: [`${byId} and ${key('created_at')} > '${instant}' order by t._id limit 100`],
    lte: [
      `from ${table} where t._copy = 1 and ${key('created_at')} <= '${instant}' order by ${key('created_at')} desc, t._id limit 100`,
    ],
    day: [within('created_at', day)],
    dayOpen: [within('created_at', `${day} and t.completed = 0`)],
    dayNewest: [within('created_at', day, `${key('created_at')} desc, t._id`)],
    week: [within('due_on', `${key('due_on')} > '${week[0]}' and ${key('due_on')} <= '${week[1]}'`)],
    between: [within('num_likes', 't.num_likes between 40 and 42')],
    in: [
      `from ${table} where t._copy = 1 and t.num_likes in (48, 49, 50) order by t._id limit 100`,
      `${byId} and t.num_likes in (48, 49, 50) order by t._id limit 100`,
      `from (${[48, 49, 50].map((likes) => `select * ${one(`t._copy = 1 and t.num_likes = ${likes}`)}`).join(' union all ')}) as t order by t._id limit 100`,
    ],
    likeBeginning: [
      `${byId} and t.name like '${beginning}%' order by t._id limit 100`,
      named(`"1p${name}x${low.slice(0, 3)}" AND "1p${name}x${low.slice(6, 9)}"`, `t.name like '${beginning}%'`),
    ],
    likeRare: [
      `${byId} and t.name like '%${rare.slice(1)}%' order by t._id limit 100`,
      named(`"1p${name}x${rare.slice(1, 4)}" AND "1p${name}x${rare.slice(4, 7)}"`, `t.name like '%${rare.slice(1)}%'`),
    ],
    likeCommon: [`${byId} and t.name like '%${common.slice(1)}%' order by t._id limit 100`],
    keywordRare: [named(`"1w${name}x${rare}"`)],
    keywordCommon: [named(`"1w${name}x${common}"`), `${byId} and ${words(common)} order by t._id limit 100`],
    keywordMany: [
      `from (${tier(3, `${w(common)} AND ${w(second)} AND ${w(rare)}`, 'true')} union all
      ${tier(2, `(${w(common)} AND ${w(second)}) OR ((${w(common)} OR ${w(second)}) AND ${w(rare)})`, `${words(common, second, rare).join(' + ')} = 2`)}
    ) as t order by t.points desc, t._id limit 100`,
    ],
    fuzzyRare: [named(`"1w${name}x${rare.slice(0, 5)}" *`)],
    fuzzyCommon: [
      `${byId} and ' ' || lower(t.name) like '% ${common.slice(0, 2)}% ${second.slice(0, 2)}%' order by t._id limit 100`,
    ],
    contains: [`${byId} and ${tags} order by t._id limit 100`, named(`"1w${place('tags')}x${tag.gid}"`, tags)],
    any: [`${byId} and ${follows} order by t._id limit 100`, named(`"1w${place('followers')}x${assignee}"`, follows)],
    anyMore: [`${byId} and ${projects} order by t._id limit 100`],
    not: [`${byId} and t.completed is not 1 order by t._id limit 100`],
    and: [
      `${byId} and t.completed = 0 and t.num_likes > 40 order by t._id limit 100`,
      `from ${table} indexed by "copy_asana_tasks__num_likes" where t._copy = 1 and t.num_likes > 40 and t.completed = 0 order by t._id limit 100`,
    ],
    or: [
      `from ${table} where t._record in (select rowid from "copy_asana_tasks_words" where "copy_asana_tasks_words" match '"1w${name}x${rare}"' union select _record from "copy_asana_tasks" as t where t._copy = 1 and ${key('gid')} = '${gid}') order by t._id limit 100`,
    ],
    sortOne: [
      `from ${table} where t._copy = 1 and ${key('modified_at')} is not null order by ${key('modified_at')} desc, t._id limit 100`,
    ],
    sortFew: [
      `from ${table} indexed by "copy_asana_tasks__created_at" where t._copy = 1 and t.completed = 0 order by ${key('created_at')} desc, t._id limit 100`,
    ],
    sortFewText: [
      `from ${table} indexed by "copy_asana_tasks__name" where t._copy = 1 and t.resource_subtype = 'milestone' order by ${key('name')}, t._id limit 100`,
    ],
  }
}

/** The hit as JSON, as fast as it can be made: SQLite writes the columns, and the document is JSON already. */
function hit(score: string): string {
  const columns = fieldsOf((type) => !isNested(type)).map((field) => {
    const value = `t."${field}"`
    const isBoolean = searchable[field as keyof typeof searchable] === 'boolean'
    return `'${field}', ${isBoolean ? `case ${value} when 1 then json('true') when 0 then json('false') end` : value}`
  })
  return `concat('{"id":', json_quote(t._id), ',"score":', ${score}, ',"data":', rtrim(json_object(${columns.join(', ')}), '}'), ',', ltrim(t._rest, '{'), '}')`
}

/** All hits as one text. Taking the numbers of the records first beats selecting hits, which would be written before they are sorted. */
const allHits = (question: QuestionKey, sql: string): string => {
  const points = question === 'keywordMany' ? 't.points' : '1'
  return `select group_concat(${hit('found.points')}) from (select t._record as number, ${points} as points ${sql}) as found
    cross join ${table} on t._record = found.number`
}

/** A connection as fast as the store's own. */
export function openForReading(file: string): Database.Database {
  const database = new Database(file, { readonly: true })
  database.pragma(`mmap_size = ${2 ** 31 - 65_536}`)
  database.pragma('cache_size = -65536')
  return database
}

/** Opens a file that `fillCopy` filled. */
export async function searchSqlite(file: string, values: Asked): Promise<SearchPlace> {
  const store = await openStore(`sqlite:${file}`, catalog)
  const database = openForReading(file)
  const thread = new Worker(new URL('programs/sql-thread.ts', import.meta.url), { workerData: { file } })
  const sqls = byHand(values)
  const inThread = async (sql: string): Promise<Buffer> => {
    const answered = once(thread, 'message')
    thread.postMessage(sql)
    const [bytes] = (await answered) as [Uint8Array]
    return Buffer.from(bytes.buffer)
  }
  const size = (what: string) =>
    (
      database.prepare(`select sum(pgsize) as bytes from dbstat where ${what} and aggregate = true`).get() as {
        bytes: number
      }
    ).bytes
  return {
    title: 'SQLite',
    store,
    isEmbedded: true,
    byHand: (question) =>
      sqls[question].flatMap((sql) => {
        const text = allHits(question, sql)
        const bytes = `select cast((${text}) as blob)`
        // What goes to a caller in the end is bytes, and which of the two is faster depends on how long they are.
        return [text, bytes].map((whole) => {
          const statement = database.prepare<[], string | Buffer>(whole).pluck()
          return { run: async () => statement.get()!, runInThread: () => inThread(bytes) }
        })
      }),
    sizes: () => {
      const mebibytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(0)} MiB`
      return [
        `the file ${mebibytes(statSync(file).size)}`,
        `the records ${mebibytes(size("name = 'copy_asana_tasks'"))}`,
        `their indexes ${mebibytes(size("name like 'copy_asana_tasks\\_\\_%' escape '\\'"))}`,
        `the index of words ${mebibytes(size("name like 'copy_asana_tasks\\_words%' escape '\\'"))}`,
      ].join(', ')
    },
    close: async () => {
      await thread.terminate()
      database.close()
      await store.close()
    },
  }
}
