/** What the benchmark asks: every operator, in ways that few and that many records meet. */
import { task, word } from './search-records.ts'

export interface Question {
  readonly name: string
  readonly filter: object
  readonly sort?: readonly object[]
}

/** Values that the questions and the SQL by hand have in common. */
export interface Asked {
  readonly gid: string
  /** The beginning of a name, and its first and third three characters. */
  readonly beginning: string
  readonly rare: string
  readonly common: string
  readonly second: string
  readonly assignee: string
  readonly tag: { readonly gid: string; readonly name: string; readonly resource_type: string }
  readonly noon: string
  /** A day later. */
  readonly nextNoon: string
  /** The days between which a week lies. */
  readonly week: readonly [after: string, until: string]
}

export function asked(records: number): Asked {
  const middle = task(records / 2).data as { gid: string; name: string }
  return {
    gid: middle.gid,
    beginning: middle.name.slice(0, 9),
    rare: word(19_000),
    common: word(1),
    second: word(2),
    assignee: '9000007',
    tag: { gid: '7', name: word(7), resource_type: 'tag' },
    noon: '2023-01-01T12:00:00.000Z',
    nextNoon: '2023-01-02T12:00:00.000Z',
    week: ['2022-12-31', '2023-01-07'],
  }
}

const ask = (name: string, filter: object, sort?: readonly object[]) => ({ name, filter, ...(sort && { sort }) })

export const questionsOf = ({ gid, beginning, rare, common, second, assignee, tag, noon, nextNoon, week }: Asked) =>
  ({
    eqOne: ask('eq, one record', { eq: { gid } }),
    eqHalf: ask('eq, half of them', { eq: { completed: true } }),
    eqInside: ask('eq inside an object', { eq: { 'assignee.gid': assignee } }),
    neq: ask('neq', { neq: { resource_subtype: 'default_task' } }),
    gt: ask('gt', { gt: { created_at: noon } }),
    lte: ask('lte, newest first', { lte: { created_at: noon } }, [{ created_at: 'desc' }]),
    day: ask('gte and lt, one day', { gte: { created_at: noon }, lt: { created_at: nextNoon } }),
    dayOpen: ask('eq, gte and lt, one day', {
      eq: { completed: false },
      gte: { created_at: noon },
      lt: { created_at: nextNoon },
    }),
    dayNewest: ask('gte and lt, one day, newest first', { gte: { created_at: noon }, lt: { created_at: nextNoon } }, [
      { created_at: 'desc' },
    ]),
    week: ask('gt and lte, one week of dates', { and: [{ gt: { due_on: week[0] } }, { lte: { due_on: week[1] } }] }),
    between: ask('gte and lte of numbers', { and: [{ gte: { num_likes: 40 } }, { lte: { num_likes: 42 } }] }),
    in: ask('in', { in: { num_likes: [48, 49, 50] } }),
    likeBeginning: ask('like, beginning', { like: { name: `${beginning}%` } }),
    likeRare: ask('like, rare middle', { like: { name: `%${rare.slice(1)}%` } }),
    likeCommon: ask('like, common middle', { like: { name: `%${common.slice(1)}%` } }),
    keywordRare: ask('keyword, rare', { keyword: { name: rare } }),
    keywordCommon: ask('keyword, common', { keyword: { name: common } }),
    keywordMany: ask('keyword, three words', { keyword: { name: `${common} ${second} ${rare}` } }),
    fuzzyRare: ask('fuzzy, rare', { fuzzy: { name: rare.slice(0, 5) } }),
    fuzzyCommon: ask('fuzzy, common', { fuzzy: { name: `${common.slice(0, 2)} ${second.slice(0, 2)}` } }),
    contains: ask('contains', { contains: { tags: tag } }),
    any: ask('any', { any: { followers: { eq: { gid: assignee } } } }),
    anyMore: ask('any, with more than', { any: { projects: { gt: { gid: '4990' } } } }),
    not: ask('not', { not: { eq: { completed: true } } }),
    and: ask('and', { eq: { completed: false }, gt: { num_likes: 40 } }),
    or: ask('or', { or: [{ eq: { gid } }, { keyword: { name: rare } }] }),
    sortOne: ask('sorted by a time', {}, [{ modified_at: 'desc' }]),
    sortFew: ask('sorted by few values, then a time', {}, [{ completed: 'asc' }, { created_at: 'desc' }]),
    sortFewText: ask('sorted by few texts, then a text', {}, [{ resource_subtype: 'desc' }, { name: 'asc' }]),
  }) satisfies Record<string, Question>

export type QuestionKey = keyof ReturnType<typeof questionsOf>
