/** The time windows in which a copy reads Gong's dated records. */
import { days, hours, type Params, type Windows } from '../../kit/connector.ts'

type LookBacks = Pick<Windows, 'lookBack' | 'farLookBack'>

/** Calls arrive up to days later, and Gong's findings in them change for two weeks. */
export const ofCalls: LookBacks = { lookBack: 3 * days, farLookBack: { lookBack: 14 * days, every: 1 * days } }

/** Reviewers edit reviews for days. */
export const ofReviews: LookBacks = { lookBack: 14 * days }

/**
 * Gong's page tokens are valid for an hour, so a pass reads a month at a time. There is no time of change: looking
 * back finds late and edited records, and once a week everything older.
 */
export function monthly(field: string, lookBacks: LookBacks, put: (period: Params) => Params): Windows {
  return {
    length: 30 * days,
    history: 365 * days,
    ...lookBacks,
    step: 1 * days,
    // Calls are filtered by their scheduled time, if they have one, and dated by their start.
    margin: 24 * hours,
    field,
    write: iso,
    params: (from, to) => put({ fromDateTime: iso(from), ...(to !== null && { toDateTime: iso(to) }) }),
  }
}

const iso = (moment: number): string => new Date(moment).toISOString()
