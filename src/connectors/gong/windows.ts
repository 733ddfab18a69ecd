/** The stretches of time in which a copy reads what Gong dates. */
import type { Params } from '../../catalog/rules.ts'
import { days, hours, type Windows } from '../../catalog/stream.ts'

type LookBacks = Pick<Windows, 'lookBack' | 'farLookBack'>

/** Calls come in up to days after they were held, and what Gong finds in them changes for two weeks. */
export const ofCalls: LookBacks = { lookBack: 3 * days, farLookBack: { lookBack: 14 * days, every: 1 * days } }

/** Reviews are edited for days after they were made. */
export const ofReviews: LookBacks = { lookBack: 14 * days }

/**
 * Gong's page tokens live for an hour, so that a month is read at a time. There is no time of change: what came in late, or
 * was edited, is found by looking back, and everything older once a week.
 */
export function monthly(field: string, lookBacks: LookBacks, put: (period: Params) => Params): Windows {
  return {
    length: 30 * days,
    history: 365 * days,
    ...lookBacks,
    step: 1 * days,
    // Calls are filtered by the time they were scheduled for, where they have one, and dated by their start.
    margin: 24 * hours,
    field,
    write: iso,
    params: (from, to) => put({ fromDateTime: iso(from), ...(to !== null && { toDateTime: iso(to) }) }),
  }
}

const iso = (moment: number): string => new Date(moment).toISOString()
