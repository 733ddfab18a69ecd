/** Scorecards that reviewers answered for calls. */
import {
  array,
  arrayOf,
  boolean,
  closedObjectOf,
  dateTime,
  days,
  entity,
  id,
  identifiedBy,
  list,
  nullable,
  number,
  objectOf,
  optional,
  type Params,
  plainText,
  searchableFields,
  text,
} from '../../kit/connector.ts'
import { dateOf, day, lastBegunEverywhere } from './company-days.ts'
import { noneFound } from './errors.ts'
import { filterOf, gongId, inOrder, isObject, noEmptyLists, pages, tidy } from './fields.ts'
import { monthly, ofReviews } from './windows.ts'

const answered = {
  answeredScorecardId: id(),
  scorecardId: text(),
  scorecardName: text(),
  callId: text(),
  callStartTime: text(),
  reviewedUserId: text(),
  reviewerUserId: text(),
  reviewMethod: text(),
  editorUserId: nullable(text()),
  answeredDateTime: text('Another name for reviewTime.'),
  reviewTime: text(),
  visibilityType: text('PUBLIC, PRIVATE or OPT_IN_USERS.'),
  visibility: text('visibilityType in lower case.'),
  overallScore: nullable(number('The score of the overall question.')),
  answers: arrayOf(
    objectOf({
      questionId: text(),
      questionRevisionId: text(),
      answer: nullable(text('answerText, otherwise the selected options, otherwise the score.')),
      isOverall: boolean(),
      notApplicable: boolean(),
      answerText: nullable(text()),
      score: nullable(number('Null if the question does not apply.')),
      selectedOptions: nullable(array()),
    }),
  ),
} as const

const ids = (description: string) => optional(arrayOf(gongId(), description))

const listAnswered = list({
  description: 'List answered scorecards by time of review, scorecard, people or calls.',
  method: 'POST',
  path: '/v2/stats/activity/scorecards',
  params: {
    filter: optional(
      closedObjectOf(
        {
          fromDateTime: optional(dateTime('Only reviews at or after this time.')),
          toDateTime: optional(dateTime('Only reviews before this time.')),
          scorecardIds: ids('Only these scorecards.'),
          reviewedUserIds: ids('Only reviews of these users.'),
          reviewerUserIds: ids('Only reviews by these users.'),
          callIds: ids('Only reviews of these calls.'),
        },
        'The reviews; all by default. A page may contain fewer than Gong counts, even none.',
      ),
    ),
  },
  rules: [noEmptyLists, inOrder('fromDateTime', 'toDateTime', filterOf, ['filter'])],
  // Gong requires a filter, even an empty one.
  prepare: async (params) => ({ filter: {}, ...params }),
  send: { filter: { in: 'body', at: ['filter'], as: asGongFilters } },
  recordsAt: ['answeredScorecards'],
  record: answered,
  reshape: (records, { params }) => tidy(answered)(records).filter(wantedBy(params)).map(completed),
  paging: pages,
  readRefusal: noneFound('answeredScorecards', '(?:answered )?scorecards'),
  scopes: ['api:stats:scorecards'],
})

export const statsActivityScorecards = entity({
  description: 'Answered scorecards.',
  list: listAnswered,
  searchable: searchableFields(answered, [
    'answeredScorecardId',
    'answers',
    'callId',
    'callStartTime',
    'reviewTime',
    'reviewedUserId',
    'reviewerUserId',
    'scorecardId',
    'scorecardName',
    'visibilityType',
  ]),
  // Reviewers edit reviews for days.
  sync: {
    listings: [{ list: listAnswered, windows: monthly('reviewTime', ofReviews, (filter) => ({ filter })) }],
    identity: identifiedBy('answeredScorecardId'),
    fullEvery: 7 * days,
  },
})

/**
 * Gong filters reviews by days of the company's zone (Gong reference, answered scorecards). So Conex asks for whole
 * days around the period, a day wider on either side, and leaves out the rest here.
 */
function asGongFilters(given: unknown, now: number): Readonly<Record<string, unknown>> {
  const { fromDateTime, toDateTime, scorecardIds, reviewedUserIds } = isObject(given) ? given : {}
  const filter: Record<string, unknown> = {}
  if (typeof fromDateTime === 'string') filter.reviewFromDate = dateOf(Date.parse(fromDateTime) - day)
  if (typeof toDateTime === 'string') {
    const last = dateOf(Date.parse(toDateTime) + 2 * day)
    if (last <= lastBegunEverywhere(now)) filter.reviewToDate = last
  }
  if (scorecardIds !== undefined) filter.scorecardIds = scorecardIds
  if (reviewedUserIds !== undefined) filter.reviewedUserIds = reviewedUserIds
  return filter
}

/** The filters that Gong lacks, or has only by days. */
function wantedBy(params: Params): (record: unknown) => boolean {
  const { fromDateTime, toDateTime, reviewerUserIds, callIds } = filterOf(params)
  const from = typeof fromDateTime === 'string' ? Date.parse(fromDateTime) : Number.NEGATIVE_INFINITY
  const to = typeof toDateTime === 'string' ? Date.parse(toDateTime) : Number.POSITIVE_INFINITY
  const isOneOf = (wanted: unknown, value: unknown): boolean =>
    !Array.isArray(wanted) || wanted.includes(typeof value === 'number' ? String(value) : value)
  const bounded = fromDateTime !== undefined || toDateTime !== undefined
  return (record) => {
    if (!isObject(record)) return true
    const reviewed = Date.parse(plainText(record.reviewTime))
    if (bounded && !(reviewed >= from && reviewed < to)) return false
    return isOneOf(reviewerUserIds, record.reviewerUserId) && isOneOf(callIds, record.callId)
  }
}

/** Adds the fields that Gong does not send but whose values it does. */
function completed(record: unknown): unknown {
  if (!isObject(record)) return record
  const answers = Array.isArray(record.answers) ? record.answers.map(withAnswer) : record.answers
  const overall = Array.isArray(answers)
    ? answers.find((answer) => isObject(answer) && answer.isOverall === true)
    : null
  const { reviewTime, visibilityType } = record
  return {
    ...(reviewTime === undefined ? {} : { answeredDateTime: reviewTime }),
    ...(typeof visibilityType === 'string' ? { visibility: visibilityType.toLowerCase() } : {}),
    overallScore: overall?.score ?? null,
    ...record,
    answers,
  }
}

function withAnswer(given: unknown): unknown {
  if (!isObject(given)) return given
  const { answerText, selectedOptions, score } = given
  const options =
    Array.isArray(selectedOptions) && selectedOptions.length > 0 ? selectedOptions.map(plainText).join(',') : null
  return { answer: answerText ?? options ?? score ?? null, ...given }
}
