/** Statistics over the company's days, coaching, and answered scorecards. */
import { param } from '../../../kit/simulator.ts'
import { type Active, activeUsers, aggregate, coaching, dayByDay, interaction, someone } from './activity.ts'
import { companyZone, dateBegins, dateOf, dateTime } from './calendar.ts'
import { byIndex, list, paged, route } from './declare.ts'
import { date, id, ids, inOrder, time } from './params.ts'
import { refuse } from './replies.ts'
import { isReviewed, latestReview, type Review } from './reviews.ts'
import { workspaces } from './setup.ts'
import type { World } from './world.ts'

const { object, required, word } = param

/**
 * A list of users with their activity. `names` are those of the records in the answer and of the part of a record that
 * `tell` makes, `none` the words for a period without any.
 */
const overUsers = (
  path: string,
  scope: string,
  names: readonly [string, string],
  tell: (user: Active, from: number, to: number, world: World) => unknown,
  { none, periodTold = true }: { none?: string; periodTold?: boolean } = {},
) =>
  list({
    method: 'POST',
    path,
    scopes: [scope],
    params: { filter: required(object({ fromDate: required(date), toDate: required(date), userIds: ids })) },
    rows({ world, args: { filter }, now }) {
      inOrder(filter, 'fromDate', 'toDate', 'filter.')
      notAfterToday(filter, ['toDate'], now)
      for (const one of filter.userIds ?? [])
        if (world.people.find(one) === undefined) refuse(404, `User ID ${one} was not found`)
      return activeUsers(world, filter.fromDate, filter.toDate, now)
    },
    visible: ({ user }, { args }) => args.filter.userIds?.includes(user.record.id) ?? true,
    pages: byIndex<Active>(),
    show: (user: Active, { world, args: { filter } }) => ({
      ...someone(user.user),
      [names[1]]: tell(user, filter.fromDate, filter.toDate, world),
    }),
    body: (shown, page, { args: { filter } }) => ({
      ...paged(names[0], none)(shown, page),
      ...(periodTold && {
        timeZone: companyZone,
        fromDateTime: dateTime(filter.fromDate),
        toDateTime: dateTime(filter.toDate),
      }),
    }),
  })

function notAfterToday(filter: Readonly<Record<string, unknown>>, names: readonly string[], now: number): void {
  const today = dateBegins(dateOf(now))
  for (const name of names)
    if (Number(filter[name] ?? 0) > today) refuse(400, `filter.${name}: must not be after the current day`)
}

export const statsRoutes = [
  overUsers(
    '/stats/activity/aggregate',
    'api:stats:user-actions',
    ['usersAggregateActivityStats', 'userAggregateActivityStats'],
    aggregate,
  ),
  overUsers(
    '/stats/activity/day-by-day',
    'api:stats:user-actions:detailed',
    ['usersDetailedActivities', 'userDailyActivityStats'],
    dayByDay,
    { periodTold: false },
  ),
  overUsers(
    '/stats/interaction',
    'api:stats:interaction',
    ['peopleInteractionStats', 'personInteractionStats'],
    (user, from, _, world) => interaction(world, user, from),
    { none: 'No interaction stats were found for the given period' },
  ),
  list({
    method: 'POST',
    path: '/stats/activity/scorecards',
    scopes: ['api:stats:scorecards'],
    params: {
      filter: required(
        object({
          ...{ callFromDate: date, callToDate: date, reviewFromDate: date, reviewToDate: date },
          ...{ reviewedUserIds: ids, scorecardIds: ids },
          reviewMethod: word(['MANUAL', 'AUTOMATIC'], { fault: 'must be one of MANUAL, AUTOMATIC' }),
        }),
      ),
    },
    rows({ world, args: { filter }, now }) {
      notAfterToday(filter, ['callFromDate', 'callToDate', 'reviewFromDate', 'reviewToDate'], now)
      inOrder(filter, 'reviewFromDate', 'reviewToDate', 'filter.')
      inOrder(filter, 'callFromDate', 'callToDate', 'filter.')
      const { callFromDate = 0, callToDate = now, reviewFromDate = 0, reviewToDate = now } = filter
      const from = Math.max(callFromDate, reviewFromDate - latestReview)
      return [...world.calls.seen(now, from, Math.min(callToDate, reviewToDate))].filter(isReviewed).map(world.reviewOf)
    },
    visible: ({ call, time, record }, { world, now, args: { filter } }) =>
      time <= now &&
      !world.gone.has(record.answeredScorecardId) &&
      time >= (filter.reviewFromDate ?? 0) &&
      time < (filter.reviewToDate ?? Number.POSITIVE_INFINITY) &&
      (filter.reviewedUserIds?.includes(call.host.record.id) ?? true) &&
      (filter.scorecardIds?.includes(record.scorecardId) ?? true) &&
      (filter.reviewMethod ?? record.reviewMethod) === record.reviewMethod,
    pages: byIndex<Review>(),
    show: ({ record }: Review) => record,
    body: paged('answeredScorecards', 'No answered scorecards were found'),
  }),
  route({
    path: '/coaching',
    scopes: ['api:coaching:read'],
    params: { 'workspace-id': required(id), 'manager-id': required(id), from: required(time), to: required(time) },
    answer({ world, args, now }) {
      inOrder(args, 'from', 'to')
      const manager = world.people.find(args['manager-id'])
      const workspace = workspaces.find((one) => one.id === args['workspace-id'])
      if (manager === undefined || workspace === undefined) return { coachingData: [] }
      const calls = [...world.calls.seen(now, args.from, args.to)]
      const held = calls.filter(({ workspaceId }) => workspaceId === workspace.id)
      return { coachingData: [coaching(world, manager, held)] }
    },
  }),
]
