/** Coaching in Gong's own shape: a manager, and for each report lists of calls by the manager's activity. */
import type { Calls } from './calls.ts'
import { idOf, indexOf } from './ids.ts'
import type { People } from './people.ts'

export interface Period {
  readonly from: number
  readonly to: number
}

export type Coaching = (managerId: string, workspace: 0 | 1, period: Period, now: number) => unknown[]

export function createCoaching(calls: Calls, people: People): Coaching {
  function person(index: number): Record<string, unknown> {
    const { first, last } = people.name(index)
    const { title } = people.record(index)
    return { id: idOf('user', index), emailAddress: people.email(index), firstName: first, lastName: last, title }
  }

  return (managerId, workspace, period, now) => {
    const manager = indexOf('user', managerId)
    if (manager === undefined || manager >= people.count) return []
    const reports = people.hosts.filter((index) => people.managerOf(index) === manager)
    const held = new Map<number, string[]>(reports.map((report) => [report, []]))
    const end = calls.indexAt(Math.min(period.to, now))
    for (let index = Math.max(calls.first(), calls.indexAt(period.from)); index < end; index++) {
      const call = calls.facts(index)
      if (call.workspace === workspace && calls.isVisible(call, now)) held.get(call.host)?.push(call.id)
    }
    return [
      {
        manager: person(manager),
        directReportsMetrics: [...held].map(([report, ids]) => ({
          report: person(report),
          metrics: {
            callsListenedTo: ids.filter((_, n) => n % 2 === 0),
            callsManagerAttended: ids.filter((_, n) => n % 4 === 0),
            callsWithFeedback: ids.filter((_, n) => n % 5 === 0),
            callsManagerCommentedOn: ids.filter((_, n) => n % 6 === 0),
            // Left out if it would be empty.
            ...(ids.length > 3 ? { callsWithScorecardFilled: ids.slice(0, 2) } : {}),
          },
        })),
      },
    ]
  }
}
