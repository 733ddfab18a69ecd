/** Answered scorecards: the host's manager reviewed every fifth call, one to three days later. */
import { pick, seededRandom } from '../../../kit/simulator.ts'
import { dateTime, day, hour } from './calendar.ts'
import type { Calls } from './calls.ts'
import { idOf } from './ids.ts'
import type { People } from './people.ts'
import { options, scorecards } from './setup.ts'
import type { State } from './state.ts'

export interface ReviewFilter {
  readonly callFrom: number
  readonly callTo: number
  readonly reviewFrom: number
  readonly reviewTo: number
  readonly reviewedUserIds: ReadonlySet<string> | null
  readonly scorecardIds: ReadonlySet<string> | null
  readonly reviewMethod: string | null
}

const every = 5
const latest = 3 * day

export interface Reviews {
  /** Indexes of the reviewed calls to search for matches. */
  range(filter: ReviewFilter, now: number): { first: number; end: number }
  /** The review of the call with this index, in Gong's form; null if it does not exist or match. */
  matching(callIndex: number, filter: ReviewFilter, now: number): Record<string, unknown> | null
}

export function createReviews(seed: number, calls: Calls, people: People, state: State): Reviews {
  const draw = seededRandom(seed, 'review')

  function matching(callIndex: number, filter: ReviewFilter, now: number): Record<string, unknown> | null {
    if (callIndex % every !== 0) return null
    const call = calls.facts(callIndex)
    const drawn = draw(callIndex)
    const reviewTime = call.started + day + (drawn % 48) * hour
    const scorecard = pick(scorecards, drawn)
    const method = scorecard.index === 4 ? 'AUTOMATIC' : 'MANUAL'
    const fits =
      calls.isVisible(call, now) &&
      !state.gone.has(idOf('answered', callIndex)) &&
      reviewTime <= now &&
      reviewTime >= filter.reviewFrom &&
      reviewTime < filter.reviewTo &&
      call.started >= filter.callFrom &&
      call.started < filter.callTo &&
      (filter.reviewedUserIds?.has(idOf('user', call.host)) ?? true) &&
      (filter.scorecardIds?.has(scorecard.id) ?? true) &&
      (filter.reviewMethod === null || filter.reviewMethod === method)
    if (!fits) return null
    const notApplicable = drawn % 9 === 0
    return {
      answeredScorecardId: idOf('answered', callIndex),
      scorecardId: scorecard.id,
      scorecardName: scorecard.name,
      callId: call.id,
      callStartTime: dateTime(call.started, -10, 3),
      reviewedUserId: idOf('user', call.host),
      reviewerUserId: idOf('user', people.managerOf(call.host) ?? call.host),
      reviewMethod: method,
      editorUserId: drawn % 3 === 0 ? idOf('user', 9) : null,
      reviewTime: dateTime(reviewTime, drawn % 2 === 0 ? -10 : 2, 3),
      visibilityType: pick(['PUBLIC', 'PRIVATE', 'OPT_IN_USERS'], drawn),
      answers: scorecard.questions.map(({ id, revision, kind, isOverall }, n) => ({
        questionId: id,
        questionRevisionId: revision,
        isOverall,
        score: kind === 'SELECT' || (isOverall && notApplicable) ? null : 1 + ((drawn + n) % 5),
        ...(n === 1 ? { answerText: 'Three open questions in the first ten minutes.' } : { answerText: null }),
        notApplicable: isOverall && notApplicable,
        ...(kind === 'SELECT' ? { selectedOptions: [pick(options, drawn).text] } : {}),
      })),
    }
  }

  return {
    matching,
    range(filter, now) {
      const from = Math.max(filter.callFrom, filter.reviewFrom - latest - hour)
      const to = Math.min(filter.callTo, filter.reviewTo, now)
      const first = Math.max(calls.first(), Number.isFinite(from) ? calls.indexAt(from) : 0)
      return { first, end: Math.max(first, calls.indexAt(to)) }
    },
  }
}
