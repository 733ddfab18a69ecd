/** Coaching: what managers and their reports do with each other's calls. */
import {
  arrayOf,
  boolean,
  dateTime,
  entity,
  id,
  integer,
  list,
  objectOf,
  partialOf,
  text,
  withOptional,
} from '../../kit/connector.ts'
import { neverNone } from './errors.ts'
import { gongId, inOrder, isObject, tidy } from './fields.ts'

/** The counters, and Gong's names for the lists of calls that they count. */
const metrics = {
  callsListened: 'callsListenedTo',
  callsAttended: 'callsManagerAttended',
  callsWithFeedback: 'callsWithFeedback',
  callsWithComments: 'callsManagerCommentedOn',
  scorecardsFilled: 'callsWithScorecardFilled',
} as const

const calls = arrayOf(text('The id of a call.'))

const someone = withOptional(
  {
    userId: id(),
    userEmailAddress: text(),
    userName: text(),
    isManager: boolean('true for the record of the manager, which comes before the reports.'),
    coachingMetrics: objectOf({
      callsListened: integer(),
      callsAttended: integer(),
      callsWithFeedback: integer(),
      callsWithComments: integer(),
      scorecardsFilled: integer(),
    }),
  },
  {
    metrics: partialOf(
      {
        callsListenedTo: calls,
        callsManagerAttended: calls,
        callsWithFeedback: calls,
        callsManagerCommentedOn: calls,
        callsWithScorecardFilled: calls,
      },
      'The counted calls, as Gong lists them.',
    ),
  },
)

export const coaching = entity({
  description: 'How much a manager coached each direct report.',
  list: list({
    description: 'List the coaching of a manager and of each direct report in a period.',
    path: '/v2/coaching',
    params: {
      'workspace-id': gongId('The workspace.'),
      'manager-id': gongId('The manager.'),
      from: dateTime('The beginning of the period.'),
      to: dateTime('Its end.'),
    },
    rules: [inOrder('from', 'to', (params) => params, ['from', 'to'])],
    recordsAt: ['coachingData'],
    record: someone,
    reshape: (records) => tidy(someone)(records.flatMap(flattened)),
    readRefusal: neverNone,
    scopes: ['api:coaching:read'],
  }),
})

type Person = Readonly<Record<string, unknown>>
type CallLists = Readonly<Record<string, readonly unknown[]>>

/** Gong nests the reports under their manager. Each becomes a record, the manager's first. */
function flattened(record: unknown): unknown[] {
  if (!isObject(record) || record.userId !== undefined || !isObject(record.manager)) return [record]
  const reports = (Array.isArray(record.directReportsMetrics) ? record.directReportsMetrics : []).filter(isObject)
  const listed = reports.map(({ report, metrics: lists }) => ({
    person: isObject(report) ? report : {},
    lists: callLists(lists),
  }))
  const all = union(listed.map(({ lists }) => lists))
  return [recordOf(record.manager, true, all), ...listed.map(({ person, lists }) => recordOf(person, false, lists))]
}

function recordOf(person: Person, isManager: boolean, lists: CallLists): object {
  const counts = Object.entries(metrics).map(([name, wireName]) => [name, lists[wireName]?.length ?? 0])
  return {
    userId: person.id,
    userEmailAddress: person.emailAddress,
    userName: [person.firstName, person.lastName]
      .filter((name) => typeof name === 'string')
      .join(' ')
      .trim(),
    isManager,
    coachingMetrics: Object.fromEntries(counts),
    metrics: lists,
  }
}

/** Lists of call ids by name, as text; other values are left out. */
function callLists(given: unknown): CallLists {
  if (!isObject(given)) return {}
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, ids]) => (Array.isArray(ids) ? [[name, ids.map(String)]] : [])),
  )
}

/** Each call once, however many reports list it. */
function union(all: readonly CallLists[]): CallLists {
  const joined = new Map<string, Set<unknown>>()
  for (const [name, ids] of all.flatMap((lists) => Object.entries(lists)))
    joined.set(name, new Set([...(joined.get(name) ?? []), ...ids]))
  return Object.fromEntries([...joined].map(([name, ids]) => [name, [...ids]]))
}
