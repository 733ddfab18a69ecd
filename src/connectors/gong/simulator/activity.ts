/** The activity of users on the company's days, computed from the calls of those days. */
import { seededRandom } from '../../../kit/simulator.ts'
import { dateBegins, dateTime, day } from './calendar.ts'
import type { CallFacts, Calls } from './calls.ts'
import { idOf } from './ids.ts'
import type { People } from './people.ts'

export const counters = [
  'callsAsHost',
  'callsAttended',
  'callsGaveFeedback',
  'callsReceivedFeedback',
  'callsRequestedFeedback',
  'ownCallsListenedTo',
  'othersCallsListenedTo',
  'callsSharedInternally',
  'callsSharedExternally',
  'callsScorecardsFilled',
  'callsScorecardsReceived',
  'callsCommentsGiven',
  'callsCommentsReceived',
  'callsMarkedAsFeedbackGiven',
  'callsMarkedAsFeedbackReceived',
] as const

export type Counter = (typeof counters)[number]

/** The call ids of one user on one day, by counter. */
export type Done = Partial<Record<Counter, string[]>>

export interface Span {
  readonly fromDate: string
  readonly toDate: string
}

export interface Activity {
  /** The activity of each active user, for each day of the period. */
  days(span: Span, now: number): { from: number; done: Map<number, Done> }[]
  /** The users with activity in a period, in order. */
  users(span: Span, now: number): number[]
  aggregate(user: number, span: Span, now: number): Record<string, unknown>
  dayByDay(user: number, span: Span, now: number): Record<string, unknown>
  interaction(user: number, span: Span): Record<string, unknown>
}

export function createActivity(seed: number, calls: Calls, people: People): Activity {
  const draw = seededRandom(seed, 'activity')
  let kept: { key: string; days: ReturnType<Activity['days']> } | undefined

  function note(done: Map<number, Done>, user: number, counter: Counter, id: string): void {
    const own = done.get(user) ?? {}
    own[counter] = [...(own[counter] ?? []), id]
    done.set(user, own)
  }

  /** The outcome of one call: its host's activity, and a little of the manager's. */
  function noteCall(done: Map<number, Done>, { id, index, host }: CallFacts): void {
    note(done, host, 'callsAsHost', id)
    note(done, host, 'callsAttended', id)
    const drawn = draw(index)
    const manager = people.managerOf(host)
    if (drawn % 3 === 0) note(done, host, 'ownCallsListenedTo', id)
    if (drawn % 5 === 0) note(done, host, 'callsSharedExternally', id)
    if (manager === undefined) return
    if (drawn % 4 === 0) note(done, manager, 'othersCallsListenedTo', id)
    if (index % 5 === 0) {
      note(done, manager, 'callsScorecardsFilled', id)
      note(done, host, 'callsScorecardsReceived', id)
    }
    if (drawn % 6 === 0) {
      note(done, manager, 'callsCommentsGiven', id)
      note(done, host, 'callsCommentsReceived', id)
    }
  }

  function days(span: Span, now: number): ReturnType<Activity['days']> {
    const key = `${span.fromDate} ${span.toDate} ${Math.floor(now / 60_000)}`
    if (kept?.key === key) return kept.days
    const found: ReturnType<Activity['days']> = []
    for (let from = dateBegins(span.fromDate); from < dateBegins(span.toDate); from += day) {
      const done = new Map<number, Done>()
      const end = calls.indexAt(from + day)
      for (let index = Math.max(calls.first(), calls.indexAt(from)); index < end; index++) {
        const call = calls.facts(index)
        if (calls.isVisible(call, now)) noteCall(done, call)
      }
      found.push({ from, done })
    }
    kept = { key, days: found }
    return found
  }

  const someone = (user: number) => ({ userId: idOf('user', user), userEmailAddress: people.email(user) })

  return {
    days,
    users: (span, now) => [...new Set(days(span, now).flatMap(({ done }) => [...done.keys()]))].sort((a, b) => a - b),
    aggregate(user, span, now) {
      const sums = Object.fromEntries(counters.map((name) => [name, 0])) as Record<Counter, number>
      for (const { done } of days(span, now))
        for (const [name, ids] of Object.entries(done.get(user) ?? {})) sums[name as Counter] += ids.length
      return { ...someone(user), userAggregateActivityStats: sums }
    },
    dayByDay: (user, span, now) => ({
      ...someone(user),
      userDailyActivityStats: days(span, now).map(({ from, done }) => ({
        ...Object.fromEntries(counters.map((name) => [name, done.get(user)?.[name] ?? []])),
        // Their names say dates, but they are times.
        fromDate: dateTime(from),
        toDate: dateTime(from + day),
      })),
    }),
    interaction: (user, span) => ({
      ...someone(user),
      personInteractionStats: [
        'Longest Monologue',
        'Longest Customer Story',
        'Interactivity',
        'Patience',
        'Question Rate',
      ].map((name, n) => ({ name, value: (draw(user * 8 + n + dateBegins(span.fromDate) / day) % 1200) / 10 })),
    }),
  }
}
