/** The activity of users during a range of days: in total, day by day, and in speech. */
import {
  arrayOf,
  closedObjectOf,
  date,
  entity,
  id,
  integer,
  list,
  number,
  objectOf,
  optional,
  type Params,
  type Reader,
  rule,
  text,
} from '../../kit/connector.ts'
import { dateOf, day, lastBegunEverywhere } from './company-days.ts'
import { noneFound } from './errors.ts'
import { filterOf, gongId, inOrder, noEmptyLists, tidy, wholeWalk } from './fields.ts'

const counters = [
  'callsAsHost',
  'callsGaveFeedback',
  'callsRequestedFeedback',
  'callsReceivedFeedback',
  'ownCallsListenedTo',
  'othersCallsListenedTo',
  'callsSharedInternally',
  'callsSharedExternally',
  'callsScorecardsFilled',
  'callsScorecardsReceived',
  'callsAttended',
  'callsCommentsGiven',
  'callsCommentsReceived',
  'callsMarkedAsFeedbackGiven',
  'callsMarkedAsFeedbackReceived',
] as const

/** Every counter with the same field. */
const eachCounter = <F>(field: F) =>
  Object.fromEntries(counters.map((name) => [name, field])) as Record<(typeof counters)[number], F>

const someone = { userId: id(), userEmailAddress: text() } as const

const request = {
  method: 'POST',
  params: {
    filter: optional(
      closedObjectOf(
        {
          fromDate: optional(date('The first day, in the company’s time zone.')),
          toDate: optional(date('The day after the last one; not after the current day.')),
          userIds: optional(arrayOf(gongId(), 'Only these users.')),
        },
        'The days and users; by default the last 30 days and all users.',
      ),
    ),
  },
  rules: [
    noEmptyLists,
    rule('Give both filter.fromDate and filter.toDate, or neither for the last 30 days.', (params) => {
      const { fromDate, toDate } = filterOf(params)
      return (fromDate === undefined) === (toDate === undefined) ? null : ['filter']
    }),
    inOrder('fromDate', 'toDate', filterOf, ['filter']),
  ],
  prepare: lastThirtyDays,
  paging: wholeWalk,
} as const

/** Gong requires both days. */
async function lastThirtyDays(params: Params, reader: Reader): Promise<Params> {
  const filter = filterOf(params)
  if (filter.fromDate !== undefined) return params
  const toDate = lastBegunEverywhere(reader.now())
  return { ...params, filter: { ...filter, fromDate: dateOf(Date.parse(toDate) - 30 * day), toDate } }
}

const aggregate = {
  ...someone,
  userAggregateActivityStats: objectOf(eachCounter(integer())),
} as const

export const statsActivityAggregate = entity({
  description: 'The activity of each user over a range of days.',
  list: list({
    ...request,
    description: 'List the totals of each active user for a range of days.',
    path: '/v2/stats/activity/aggregate',
    recordsAt: ['usersAggregateActivityStats'],
    record: aggregate,
    reshape: tidy(aggregate),
    readRefusal: noneFound('usersAggregateActivityStats', 'users?'),
    scopes: ['api:stats:user-actions'],
  }),
})

const dayByDay = {
  ...someone,
  userDailyActivityStats: arrayOf(
    objectOf({
      fromDate: text('The beginning of the day, with the company’s offset.'),
      toDate: text('Its end.'),
      ...eachCounter(arrayOf(text('The id of a call.'))),
    }),
  ),
} as const

export const statsActivityDayByDay = entity({
  description: 'The calls of each user by activity, day by day.',
  list: list({
    ...request,
    description: 'List each active user’s calls by activity, day by day.',
    path: '/v2/stats/activity/day-by-day',
    recordsAt: ['usersDetailedActivities'],
    record: dayByDay,
    reshape: tidy(dayByDay),
    readRefusal: noneFound('usersDetailedActivities', 'users?'),
    scopes: ['api:stats:user-actions:detailed'],
  }),
})

const interaction = {
  ...someone,
  personInteractionStats: arrayOf(objectOf({ name: text(), value: number() })),
} as const

export const statsInteraction = entity({
  description: 'How each user speaks with customers: monologues, patience, questions.',
  list: list({
    ...request,
    description: 'List how each user spoke in calls during a range of days.',
    path: '/v2/stats/interaction',
    recordsAt: ['peopleInteractionStats'],
    record: interaction,
    reshape: tidy(interaction),
    readRefusal: noneFound('peopleInteractionStats', '(?:interaction )?stats'),
    scopes: ['api:stats:interaction'],
  }),
})
