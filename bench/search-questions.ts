/** Questions in the shape of real use, drawn from a seed: each as a query for search, and as the conditions of plain SQL. */
import { beginning, person, span, tag, task, word } from './search-records.ts'

/** How a database says what ordinary SQL has no words for. */
export interface Dialect {
  /** At least one of the words is in the text. */
  words(field: string, words: readonly string[]): string
  /** Words of the text begin so, in this order. */
  beginnings(field: string, beginnings: readonly string[]): string
  like(field: string, pattern: string): string
  /** An element of the array has one of the values at the path. */
  element(field: string, path: readonly string[], values: readonly string[]): string
}

export interface SortField {
  readonly field: string
  readonly descending: boolean
}

export interface Question {
  readonly filter: object
  readonly sort: readonly SortField[]
  readonly limit: number
  /** So many hits come before the page. */
  readonly deep: number
  where(dialect: Dialect): string
  /** What the best hits have most of, where the question has no order of its own and several words to rank by. */
  rank(dialect: Dialect): string
}

/** The query that the question is to search. */
export const queryOf = ({ filter, sort }: Question): object => ({
  filter,
  ...(sort.length > 0 && { sort: sort.map(({ field, descending }) => ({ [field]: descending ? 'desc' : 'asc' })) }),
})

interface Condition {
  readonly filter: object
  where(dialect: Dialect): string
  /** One text for each word that counts in the score. */
  readonly ranks?: (dialect: Dialect) => readonly string[]
  /** So few records meet it that sorting them by anything is quick. */
  readonly isRare?: boolean
}

export function drawQuestions(seed: number, count: number, records: number): Question[] {
  const draw = new Draw(seed)
  return Array.from({ length: count }, () => drawQuestion(draw, records))
}

function drawQuestion(draw: Draw, records: number): Question {
  const about = new Set<Maker>()
  for (const count = draw.of(0, 1, 1, 1, 2, 2, 2, 2, 3, 3); about.size < count; ) about.add(draw.of(...makers))
  const conditions = [...about].map((maker) => maker(draw, records))
  const eitherOf = conditions.length > 1 && draw.below(10) === 0
  const joint = eitherOf ? either(conditions) : all(conditions)
  const ranks = joint.ranks
  // Half of an `or` has a score of its own where the other half is met alone, which nobody would write SQL for.
  const sort =
    eitherOf || draw.below(10) < 7
      ? drawSort(
          draw,
          conditions.some(({ isRare }) => isRare),
        )
      : []
  const isRanked = sort.length === 0 && ranks !== undefined && ranks(noDialect).length > 1
  return {
    filter: joint.filter,
    sort,
    limit: draw.of(20, 50, 100, 100, 1000),
    deep: !isRanked && draw.below(6) === 0 ? Math.floor(100 ** (1 + draw.real())) : 0,
    where: joint.where,
    rank: (dialect) => (isRanked ? ranks(dialect).join(' + ') : ''),
  }
}

const times = ['created_at', 'created_at', 'modified_at', 'modified_at', 'completed_at'] as const
const fewValues = ['completed', 'resource_subtype', 'num_likes', 'num_subtasks'] as const

function drawSort(draw: Draw, hasRare: boolean): SortField[] {
  const fields = new Set<string>()
  const length = draw.of(1, 1, 1, 1, 2, 2, 3)
  if (length > 1) fields.add(draw.of(...fewValues, 'due_on'))
  while (fields.size < length)
    fields.add(draw.of(...times, 'due_on', 'due_on', 'name', 'num_likes', ...(hasRare ? ['assignee.name'] : [])))
  return [...fields].map((field) => ({ field, descending: draw.below(2) === 0 }))
}

const signs = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

function compare(field: string, operator: keyof typeof signs, value: string | number): Condition {
  return {
    filter: { [operator]: { [field]: value } },
    where: () => `${field} ${signs[operator]} ${literal(value)}`,
  }
}

function range(draw: Draw, field: string, from: string | number, to: string | number): Condition {
  const side = draw.below(10)
  if (side === 0) return compare(field, draw.of('gt', 'gte'), from)
  if (side === 1) return compare(field, draw.of('lt', 'lte'), from)
  const [lower, upper] = [compare(field, draw.of('gt', 'gte'), from), compare(field, draw.of('lt', 'lte'), to)]
  return { ...all([lower, upper]), filter: { ...lower.filter, ...upper.filter } }
}

const equal = (field: string, value: string | number | boolean): Condition => ({
  filter: { eq: { [field]: value } },
  where: () => `${sqlPath(field)} = ${literal(value)}`,
})

const among = (field: string, values: readonly (string | number)[], isRare = false): Condition => ({
  filter: { in: { [field]: values } },
  where: () => `${sqlPath(field)} in (${values.map(literal).join(', ')})`,
  isRare,
})

const element = (field: string, path: readonly string[], values: readonly string[]): Condition => ({
  filter: {
    any: {
      [field]: values.length > 1 ? { in: { [path.join('.')]: values } } : { eq: { [path.join('.')]: values[0] } },
    },
  },
  where: (dialect) => dialect.element(field, path, values),
  isRare: true,
})

const not = ({ filter, where }: Condition): Condition => ({
  filter: { not: filter },
  where: (dialect) => `(${where(dialect)}) is not true`,
})

const joined = (conditions: readonly Condition[], filter: object, operator: string): Condition => ({
  filter,
  where: (dialect) => conditions.map(({ where }) => `(${where(dialect)})`).join(` ${operator} `) || 'true',
  ranks: (dialect) => conditions.flatMap(({ ranks }) => ranks?.(dialect) ?? []),
})

const either = (conditions: readonly Condition[]): Condition =>
  joined(conditions, { or: conditions.map(({ filter }) => filter) }, 'or')

const all = (conditions: readonly Condition[]): Condition =>
  conditions.length === 1
    ? conditions[0]!
    : joined(conditions, conditions.length === 0 ? {} : { and: conditions.map(({ filter }) => filter) }, 'and')

function keyword(draw: Draw, count: number): Condition {
  const field = draw.of('name', 'name', 'notes')
  const words = [...new Set(Array.from({ length: count }, () => drawWord(draw)))]
  return {
    filter: { keyword: { [field]: words.join(' ') } },
    where: (dialect) => dialect.words(field, words),
    ranks: (dialect) => words.map((one) => `cast((${dialect.words(field, [one])}) as int)`),
  }
}

type Maker = (draw: Draw, records: number) => Condition

/** As often as they stand here. */
const makers: readonly Maker[] = [
  ...repeated(4, (draw) => {
    const length = 3_600_000 * draw.of(1, 24, 24, 7 * 24, 30 * 24, 365 * 24)
    const from = span.from + draw.below(span.to - span.from)
    return range(draw, draw.of(...times), new Date(from).toISOString(), new Date(from + length).toISOString())
  }),
  ...repeated(2, (draw) => {
    const from = span.from + draw.below(span.to - span.from)
    const days = draw.of(1, 7, 7, 31)
    return range(draw, 'due_on', day(from), day(from + days * 86_400_000))
  }),
  ...repeated(2, (draw) => {
    const from = draw.below(48)
    return draw.below(2) === 0
      ? among('num_likes', [...new Set(several(draw, 5, () => draw.below(50)))])
      : range(draw, 'num_likes', from, from + 1 + draw.below(5))
  }),
  (draw) => compare('num_subtasks', draw.of('gt', 'gte'), draw.below(9)),
  ...repeated(3, (draw) => equal('completed', draw.below(3) === 0)),
  ...repeated(3, (draw) =>
    draw.of(
      () => equal('resource_subtype', draw.of('milestone', 'approval', 'default_task')),
      () => not(equal('resource_subtype', draw.of('milestone', 'default_task'))),
      () => among('resource_subtype', draw.of(['milestone', 'approval'], ['default_task', 'approval'])),
    )(),
  ),
  (draw, records) =>
    among(
      'gid',
      several(draw, 20, () => task(draw.below(records)).id),
      true,
    ),
  ...repeated(3, (draw) =>
    draw.below(3) === 0
      ? among(
          'assignee.gid',
          several(draw, 8, () => somebody(draw)),
          true,
        )
      : { ...equal('assignee.gid', somebody(draw)), isRare: true },
  ),
  (draw) => {
    const field = draw.of('assignee', 'due_on', 'completed_at')
    const isNull: Condition = { filter: { eq: { [field]: null } }, where: () => `${field} is null` }
    return draw.below(2) === 0 ? isNull : { filter: { neq: { [field]: null } }, where: () => `${field} is not null` }
  },
  ...repeated(2, (draw) => keyword(draw, 1)),
  (draw) => keyword(draw, 2 + draw.below(2)),
  (draw) => not(keyword(draw, 1)),
  (draw) => {
    const words = Array.from({ length: draw.of(1, 1, 2) }, () => drawWord(draw)).map((one) =>
      one.slice(0, draw.of(3, 4)),
    )
    return { filter: { fuzzy: { name: words.join(' ') } }, where: (dialect) => dialect.beginnings('name', words) }
  },
  (draw, records) => like(`${beginning(draw.below(records)).slice(0, draw.of(4, 8, 12))}%`),
  (draw) => like(`%${drawWord(draw).slice(1)}%`),
  ...repeated(3, (draw) =>
    element(
      'projects',
      ['gid'],
      draw.below(3) === 0 ? several(draw, 6, () => String(project(draw))) : [String(project(draw))],
    ),
  ),
  (draw) => element('memberships', ['section', 'gid'], [String(project(draw) * 10)]),
  (draw) => element('followers', ['gid'], [somebody(draw)]),
  (draw) => {
    const one = tag(draw.below(300))
    return { ...element('tags', ['gid'], [one.gid]), filter: { contains: { tags: one } } }
  },
]

const like = (pattern: string): Condition => ({
  filter: { like: { name: pattern } },
  where: (dialect) => dialect.like('name', pattern),
})

/** The rank is as even over the orders of magnitude as it is in texts, so that rare words and common ones come. */
const drawWord = (draw: Draw): string => word(Math.floor(20_000 ** draw.real()) - 1)
const somebody = (draw: Draw): string => person(draw.real()).gid
const project = (draw: Draw): number => draw.below(5000)
const day = (time: number): string => new Date(time).toISOString().slice(0, 10)
const several = <T>(draw: Draw, most: number, one: () => T): T[] =>
  Array.from({ length: 2 + draw.below(most - 1) }, one)
const literal = (value: string | number | boolean): string => (typeof value === 'string' ? `'${value}'` : String(value))

/** A column, or what stands in one that is an object. */
export const sqlPath = (field: string): string => {
  const [column, key] = field.split('.')
  return key === undefined ? column! : `(${column} ->> '${key}')`
}

function repeated(times: number, maker: Maker): Maker[] {
  return Array.from({ length: times }, () => maker)
}

const noDialect: Dialect = { words: () => '', beginnings: () => '', like: () => '', element: () => '' }

/** Pseudo-random draws, the same ones for the same seed. */
class Draw {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 to 1. */
  real(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let hash = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    hash ^= hash + Math.imul(hash ^ (hash >>> 7), hash | 61)
    return ((hash ^ (hash >>> 14)) >>> 0) / 2 ** 32
  }

  below(limit: number): number {
    return Math.floor(this.real() * limit)
  }

  of<T>(...choices: readonly T[]): T {
    return choices[this.below(choices.length)]!
  }
}
