/** Answered scorecards: the host's manager reviewed every fifth call, one to three days later. */
import { pick, seededRandom } from '../../../kit/simulator.ts'
import { dateTime, day, hour } from './calendar.ts'
import type { CallFacts } from './calls.ts'
import { idOf } from './ids.ts'
import type { People } from './people.ts'
import { options, scorecards } from './setup.ts'

export const isReviewed = ({ index }: CallFacts): boolean => index % 5 === 0

/** The longest time from a call to its review. */
export const latestReview = 3 * day

export type Review = ReturnType<ReturnType<typeof createReviews>>

export function createReviews(seed: number, people: People) {
  const draw = seededRandom(seed, 'review')
  return (call: CallFacts) => {
    const drawn = draw(call.index)
    const time = call.started + day + (drawn % 48) * hour
    const { scorecardId, scorecardName, reviewMethod, questions } = pick(scorecards, drawn)
    const { id: reviewedUserId } = call.host.record
    /** In Gong's form. */
    const record = {
      answeredScorecardId: idOf('answered', call.index),
      scorecardId,
      scorecardName,
      callId: call.id,
      callStartTime: dateTime(call.started, -10, 3),
      reviewedUserId,
      reviewerUserId: people.all[call.host.manager ?? 0]!.record.id,
      reviewMethod,
      editorUserId: drawn % 3 === 0 ? idOf('user', 9) : null,
      reviewTime: dateTime(time, drawn % 2 === 0 ? -10 : 2, 3),
      visibilityType: pick(['PUBLIC', 'PRIVATE', 'OPT_IN_USERS'], drawn),
      answers: questions.map(({ questionId, questionRevisionId, isOverall, questionType }, n) => {
        const isSelect = questionType === 'SINGLE_SELECT'
        const notApplicable = isOverall && drawn % 9 === 0
        return {
          questionId,
          questionRevisionId,
          isOverall,
          score: isSelect || notApplicable ? null : 1 + ((drawn + n) % 5),
          answerText: n === 1 ? 'Three open questions in the first ten minutes.' : null,
          notApplicable,
          ...(isSelect && { selectedOptions: [pick(options, drawn).text] }),
        }
      }),
    }
    return { index: call.index, call, time, record }
  }
}
