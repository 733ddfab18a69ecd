/** What users did on the company's days, computed from the calls of those days, and how managers coach. */
import { seededRandom, selectFields } from '../../../kit/simulator.ts'
import { dateTime, day } from './calendar.ts'
import type { CallFacts } from './calls.ts'
import type { User } from './people.ts'
import { isReviewed } from './reviews.ts'
import type { World } from './world.ts'

/** Who gets the call counted under a name: its host or the host's manager, by a number drawn for the call; or nobody. */
const counters: Readonly<Record<string, (call: CallFacts, drawn: number) => 'host' | 'manager' | false>> = {
  callsAsHost: () => 'host',
  callsAttended: () => 'host',
  callsGaveFeedback: () => false,
  callsReceivedFeedback: () => false,
  callsRequestedFeedback: () => false,
  ownCallsListenedTo: (_, drawn) => drawn % 3 === 0 && 'host',
  othersCallsListenedTo: (_, drawn) => drawn % 4 === 0 && 'manager',
  callsSharedInternally: () => false,
  callsSharedExternally: (_, drawn) => drawn % 5 === 0 && 'host',
  callsScorecardsFilled: (call) => isReviewed(call) && 'manager',
  callsScorecardsReceived: (call) => isReviewed(call) && 'host',
  callsCommentsGiven: (_, drawn) => drawn % 6 === 0 && 'manager',
  callsCommentsReceived: (_, drawn) => drawn % 6 === 0 && 'host',
  callsMarkedAsFeedbackGiven: () => false,
  callsMarkedAsFeedbackReceived: () => false,
}

const none = (): Record<string, string[]> => Object.fromEntries(Object.keys(counters).map((name) => [name, []]))

const measures = ['Longest Monologue', 'Longest Customer Story', 'Interactivity', 'Patience', 'Question Rate']

export interface Active {
  readonly index: number
  readonly user: User
  /** The ids of their calls by counter, for each day of the period that they did something. */
  readonly days: Map<number, Record<string, string[]>>
}

/** The users with activity from one beginning of a day to another, in order. */
export function activeUsers({ seed, people, calls }: World, from: number, to: number, now: number): Active[] {
  const draw = seededRandom(seed, 'activity')
  const active = new Map<number, Active>()
  for (const call of calls.seen(now, from, to)) {
    const drawn = draw(call.index)
    const date = call.started - ((call.started - from) % day)
    for (const [name, whose] of Object.entries(counters)) {
      const who = whose(call, drawn)
      if (who === false) continue
      const user = who === 'host' ? call.host : people.all[call.host.manager ?? 0]!
      const one = active.get(user.index) ?? { index: user.index, user, days: new Map() }
      const done = one.days.get(date) ?? none()
      done[name]!.push(call.id)
      active.set(user.index, { ...one, days: one.days.set(date, done) })
    }
  }
  return [...active.values()].sort((a, b) => a.index - b.index)
}

export const someone = ({ record }: User) => ({ userId: record.id, userEmailAddress: record.emailAddress })

export const aggregate = ({ days }: Active): Record<string, number> =>
  Object.fromEntries(
    Object.keys(counters).map((name) => [name, [...days.values()].reduce((sum, done) => sum + done[name]!.length, 0)]),
  )

/** Each day of a period, also those without activity. Their names say dates, but they are times. */
export const dayByDay = ({ days }: Active, from: number, to: number): object[] =>
  Array.from({ length: Math.round((to - from) / day) }, (_, n) => from + n * day).map((date) => ({
    ...(days.get(date) ?? none()),
    fromDate: dateTime(date),
    toDate: dateTime(date + day),
  }))

export function interaction({ seed }: World, { index }: Active, from: number): object[] {
  const draw = seededRandom(seed, 'activity')
  return measures.map((name, n) => ({ name, value: (draw(index * 8 + n + from / day) % 1200) / 10 }))
}

const person = ({ record }: User) => selectFields(record, ['id', 'emailAddress', 'firstName', 'lastName', 'title'])

/** In Gong's own shape: for each report of a manager, lists of calls by what the manager did. */
export function coaching({ people }: World, manager: User, held: readonly CallFacts[]): object {
  const reports = people.hosts.filter((host) => host.manager === manager.index)
  return {
    manager: person(manager),
    directReportsMetrics: reports.map((report) => {
      const ids = held.filter(({ host }) => host === report).map(({ id }) => id)
      const every = (count: number) => ids.filter((_, n) => n % count === 0)
      return {
        report: person(report),
        metrics: {
          callsListenedTo: every(2),
          callsManagerAttended: every(4),
          callsWithFeedback: every(5),
          callsManagerCommentedOn: every(6),
          // Left out if it would be empty.
          ...(ids.length > 3 && { callsWithScorecardFilled: ids.slice(0, 2) }),
        },
      }
    }),
  }
}
