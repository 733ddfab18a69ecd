/** What the clocks of a time zone show. */

/**
 * A moment as the clocks of the zone show it, in milliseconds as if that were UTC, which makes each day 24 hours long. An
 * unknown zone counts as UTC.
 */
export function localTime(moment: number, zone: unknown): number {
  if (typeof zone !== 'string') return moment
  try {
    // Sweden writes ISO 8601.
    const shown = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
    return Date.parse(`${shown.format(moment)}Z`)
  } catch {
    return moment
  }
}
