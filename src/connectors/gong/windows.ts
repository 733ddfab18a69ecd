/** The stretches of time in which a copy reads what Gong dates. */
import type { Params } from '../../catalog/rules.ts'
import { days, hours, type Windows } from '../../catalog/stream.ts'

/**
 * Gong's page tokens live for an hour, so that a month is read at a time. There is no time of change: what came in late, or
 * was edited, is found by looking back, and everything older once a week.
 */
export function monthly(field: string, lookBack: number, put: (period: Params) => Params): Windows {
  return {
    length: 30 * days,
    history: 365 * days,
    lookBack,
    step: 1 * days,
    // Calls are filtered by the time they were scheduled for, where they have one, and dated by their start.
    margin: 24 * hours,
    field,
    write: iso,
    params: (from, to) => put({ fromDateTime: iso(from), ...(to !== null && { toDateTime: iso(to) }) }),
  }
}

const iso = (moment: number): string => new Date(moment).toISOString()
