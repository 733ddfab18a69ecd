/** SQL by hand for the questions of the benchmark, over the tables that Conex keeps in PostgreSQL. */
import pg from 'pg'
import { openStore } from '../src/store/open.ts'
import type { SearchPlace } from './search.ts'
import type { Asked, QuestionKey } from './search-questions.ts'
import { catalog } from './search-records.ts'

const { searchable } = catalog.asana.entities.tasks
const fields = Object.entries(searchable)
const table = 'copy_asana_tasks as t'
const key = (field: string) => `coalesce(t."_key_${field}", t."${field}")`

/** Where the tokens of a field begin. */
const token = (field: string, kind: string, text: string) =>
  `''1.${fields.findIndex(([name]) => name === field)}${kind}${text}''`
const has = (...questions: string[]) => `t._words @@ '${questions.join(' & ')}'::tsquery`

const ordered = (where: string, order = 't._id') =>
  `from ${table} where t._copy = 1 and ${where} order by ${order} limit 100`

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
  const instant = `${noon.slice(0, -1)}000000Z`
  const day = `${key('created_at')} >= '${instant}' and ${key('created_at')} < '${nextNoon.slice(0, -1)}000000Z'`
  const low = beginning.toLowerCase()
  const word = (text: string) => token('name', 'w', text)
  const part = (text: string) => token('name', 'p', text)
  const like = (pattern: string) => `lower(t.name) like '${pattern}'`
  const assigned = `t._rest #>> '{assignee,gid}' = '${assignee}'`
  const element = (field: string, test: string) =>
    `exists (select 1 from json_array_elements(t._rest -> '${field}') as element where ${test})`
  const tags = element('tags', `element.value::jsonb = '${JSON.stringify(tag)}'::jsonb`)
  const follows = element('followers', `element.value ->> 'gid' = '${assignee}'`)
  const tier = (points: number, where: string) =>
    `(select t.*, ${points} as points from ${table} where t._copy = 1 and ${where} order by t._id limit 100)`
  const [one, two, three] = [word(common), word(second), word(rare)]
  const all = `${one} & ${two} & ${three}`
  const some = `(${one} & ${two}) | (${one} & ${three}) | (${two} & ${three})`
  return {
    eqOne: [ordered(`${key('gid')} = '${gid}'`)],
    eqHalf: [ordered('t.completed')],
    eqInside: [ordered(assigned), ordered(`${has(token('assignee', 'w', assignee))} and ${assigned}`)],
    neq: [ordered(`t.resource_subtype is distinct from 'default_task'`)],
    gt: [ordered(`${key('created_at')} > '${instant}'`)],
    lte: [ordered(`${key('created_at')} <= '${instant}'`, `${key('created_at')} desc, t._id`)],
    day: [ordered(day)],
    dayOpen: [ordered(`${day} and t.completed = false`)],
    dayNewest: [ordered(day, `${key('created_at')} desc, t._id`)],
    week: [ordered(`${key('due_on')} > '${week[0]}' and ${key('due_on')} <= '${week[1]}'`)],
    between: [ordered('t.num_likes between 40 and 42')],
    in: [ordered('t.num_likes in (48, 49, 50)')],
    likeBeginning: [
      ordered(like(`${low}%`)),
      ordered(`${has(part(low.slice(0, 3)), part(low.slice(3, 6)), part(low.slice(6, 9)))} and ${like(`${low}%`)}`),
    ],
    likeRare: [
      ordered(like(`%${rare.slice(1)}%`)),
      ordered(`${has(part(rare.slice(1, 4)), part(rare.slice(4, 7)))} and ${like(`%${rare.slice(1)}%`)}`),
    ],
    likeCommon: [ordered(like(`%${common.slice(1)}%`))],
    keywordRare: [ordered(has(word(rare)))],
    keywordCommon: [ordered(has(word(common))), ordered(`' ' || lower(t.name) || ' ' like '% ${common} %'`)],
    keywordMany: [
      `from (${tier(3, has(all))} union all ${tier(2, `${has(some)} and not ${has(all)}`)}) as t order by t.points desc, t._id limit 100`,
    ],
    fuzzyRare: [ordered(has(`${word(rare.slice(0, 5))}:*`))],
    fuzzyCommon: [ordered(`' ' || lower(t.name) like '% ${common.slice(0, 2)}% ${second.slice(0, 2)}%'`)],
    contains: [ordered(tags), ordered(`${has(token('tags', 'w', tag.gid))} and ${tags}`)],
    any: [ordered(follows), ordered(`${has(token('followers', 'w', assignee))} and ${follows}`)],
    anyMore: [ordered(element('projects', `(element.value ->> 'gid') collate "C" > '4990'`))],
    not: [ordered('t.completed is not true')],
    and: [ordered('t.completed = false and t.num_likes > 40')],
    or: [ordered(`(${key('gid')} = '${gid}' or ${has(word(rare))})`)],
    sortOne: [ordered(`${key('modified_at')} is not null`, `${key('modified_at')} desc, t._id`)],
    sortFew: [ordered('not t.completed', `${key('created_at')} desc, t._id`)],
    sortFewText: [ordered(`t.resource_subtype = 'milestone'`, `${key('name')}, t._id`)],
  }
}

const columns = fields.map(([name, type]) =>
  type === 'object' || type === 'array' ? `'${name}', t._rest -> '${name}'` : `'${name}', t."${name}"`,
)

/** Opens a database that `fillCopy` filled. */
export async function searchPostgres(url: string, values: Asked): Promise<SearchPlace> {
  const store = await openStore(url, catalog)
  const client = new pg.Client(url)
  await client.connect()
  await client.query('set jit = off')
  await client.query('analyze')
  const sqls = byHand(values)
  const plain = fields.flatMap(([name, type]) => (type === 'object' || type === 'array' ? [] : [`t."${name}"`]))
  return {
    title: 'PostgreSQL',
    store,
    isEmbedded: false,
    byHand: (question) =>
      sqls[question].flatMap((sql) => {
        const score = question === 'keywordMany' ? 't.points' : '1'
        const ask = (what: string) => {
          const text = `select t._id, ${score}, ${what} ${sql}`
          return async () => (await client.query<unknown[]>({ text, rowMode: 'array' })).rows
        }
        const [built, read] = [
          ask(`json_build_object(${columns.join(', ')})::text`),
          ask(`t._rest::text, ${plain.join(', ')}`),
        ]
        const names = plain.map((name) => JSON.stringify(name.slice(3, -1)))
        const integers = new Set(fields.flatMap(([name, type]) => (type === 'integer' ? [JSON.stringify(name)] : [])))
        const ways = [
          async () =>
            (await built())
              .map(([id, points, data]) => `{"id":${JSON.stringify(id)},"score":${points},"data":${data}}`)
              .join(),
          async () =>
            (await read())
              .map(([id, points, rest, ...own]) => {
                const parts = own.map((value, place) => {
                  const name = names[place]!
                  return `${name}:${integers.has(name) ? (value ?? 'null') : JSON.stringify(value)}`
                })
                return `{"id":${JSON.stringify(id)},"score":${points},"data":{${parts.join()},${(rest as string).slice(1)}}`
              })
              .join(),
        ]
        return ways.map((run) => ({ run }))
      }),
    sizes: async () => {
      const { rows } = await client.query<{ records: string; indexes: string; words: string }>(
        `select pg_size_pretty(pg_table_size('copy_asana_tasks')) as records,
          pg_size_pretty(pg_indexes_size('copy_asana_tasks') - pg_relation_size('copy_asana_tasks___words')) as indexes,
          pg_size_pretty(pg_relation_size('copy_asana_tasks___words')) as words`,
      )
      const { records, indexes, words } = rows[0]!
      return `the records ${records}, their indexes ${indexes}, the index of words ${words}`
    },
    close: async () => {
      await client.end()
      await store.close()
    },
  }
}
