/** Statistics over the company's days, and answered scorecards. */
import type { Activity, Span } from './activity.ts'
import { companyZone, dateBegins, dateOf, dateTime } from './calendar.ts'
import { idOf, indexOf } from './ids.ts'
import { date, ids, type Json, object, word } from './inputs.ts'
import { refuse } from './replies.ts'
import { pageOf, type RequestContext, rowOf } from './request-context.ts'
import type { ReviewFilter } from './reviews.ts'

/** Lists of users with their activity, under the name of the answer. */
const overUsers =
  (
    recordsAt: string,
    tell: (activity: Activity, user: number, days: Span, now: number) => object,
    { emptyAs404 = false, periodTold = true } = {},
  ) =>
  (context: RequestContext): object => {
    const { company, body, now } = context
    const filter = object(body.filter, 'filter')
    const days = daysOf(filter, now)
    const userIds = ids(filter.userIds, 'filter.userIds')
    for (const id of userIds ?? []) {
      const index = indexOf('user', id)
      if (index === undefined || index >= company.people.count) refuse(404, `User ID ${id} was not found`)
    }
    const users = company.activity.users(days, now).filter((user) => userIds?.has(idOf('user', user)) ?? true)
    const { found, records } = pageOf(context, rowOf(users), { filter }, body.cursor)
    if (emptyAs404 && found.length === 0) refuse(404, 'No interaction stats were found for the given period')
    const told = {
      timeZone: companyZone,
      fromDateTime: dateTime(dateBegins(days.fromDate)),
      toDateTime: dateTime(dateBegins(days.toDate)),
    }
    return {
      records,
      ...(periodTold ? told : {}),
      [recordsAt]: found.map((user) => tell(company.activity, user, days, now)),
    }
  }

export const listAggregate = overUsers('usersAggregateActivityStats', (activity, user, days, now) =>
  activity.aggregate(user, days, now),
)

export const listDayByDay = overUsers(
  'usersDetailedActivities',
  (activity, user, days, now) => activity.dayByDay(user, days, now),
  { periodTold: false },
)

export const listInteraction = overUsers(
  'peopleInteractionStats',
  (activity, user, days) => activity.interaction(user, days),
  { emptyAs404: true },
)

function daysOf(filter: Json, now: number): Span {
  const fromDate = date(filter.fromDate, 'filter.fromDate') ?? refuse(400, 'filter.fromDate: is required')
  const toDate = date(filter.toDate, 'filter.toDate') ?? refuse(400, 'filter.toDate: is required')
  if (fromDate >= toDate) refuse(400, 'filter.fromDate: must be before toDate')
  if (toDate > dateOf(now)) refuse(400, 'filter.toDate: must not be after the current day')
  return { fromDate, toDate }
}

export function listAnswered(context: RequestContext): object {
  const { company, body, now } = context
  const filter = object(body.filter, 'filter')
  const day = (name: string, open: number): number => {
    const given = date(filter[name], `filter.${name}`)
    if (given !== undefined && given > dateOf(now)) refuse(400, `filter.${name}: must not be after the current day`)
    return given === undefined ? open : dateBegins(given)
  }
  const wanted: ReviewFilter = {
    callFrom: day('callFromDate', Number.NEGATIVE_INFINITY),
    callTo: day('callToDate', Number.POSITIVE_INFINITY),
    reviewFrom: day('reviewFromDate', Number.NEGATIVE_INFINITY),
    reviewTo: day('reviewToDate', Number.POSITIVE_INFINITY),
    reviewedUserIds: ids(filter.reviewedUserIds, 'filter.reviewedUserIds'),
    scorecardIds: ids(filter.scorecardIds, 'filter.scorecardIds'),
    reviewMethod: word(filter.reviewMethod, ['MANUAL', 'AUTOMATIC'], 'filter.reviewMethod') ?? null,
  }
  if (wanted.reviewFrom >= wanted.reviewTo) refuse(400, 'filter.reviewFromDate: must be before reviewToDate')
  if (wanted.callFrom >= wanted.callTo) refuse(400, 'filter.callFromDate: must be before callToDate')
  const row = {
    ...company.reviews.range(wanted, now),
    match: (index: number) => company.reviews.matching(index, wanted, now),
  }
  const { found, records } = pageOf(context, row, { filter }, body.cursor)
  if (found.length === 0) refuse(404, 'No answered scorecards were found')
  return { records, answeredScorecards: found }
}
