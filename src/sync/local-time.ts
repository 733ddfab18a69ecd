/** What the clocks of a time zone show. */

/**
 * A moment as its clocks show it, in milliseconds as if that were UTC, so that a day is always 24 hours long. Where there is no
 * such zone, it is UTC.
 */
export function localTime(moment: number, zone: unknown): number {
  const format = formatOf(zone)
  if (format === null) return moment
  const shown: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {}
  for (const { type, value } of format.formatToParts(moment)) shown[type] = Number(value)
  const { year = 0, month = 1, day, hour, minute, second } = shown
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

function formatOf(zone: unknown): Intl.DateTimeFormat | null {
  if (typeof zone !== 'string') return null
  try {
    return new Intl.DateTimeFormat('en-US', {
      ...{ timeZone: zone, calendar: 'gregory', numberingSystem: 'latn', hourCycle: 'h23' },
      ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' },
    })
  } catch {
    return null
  }
}
