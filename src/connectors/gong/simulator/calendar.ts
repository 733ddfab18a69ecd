/** When things happen: calls on working days of a company in Hawaii, ten hours behind UTC all year. */

export const second = 1000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour

export const companyZone = 'US/Hawaii'
const companyOffset = -10

/** A Monday at midnight in the company's zone: the first working day. */
const firstMonday = Date.UTC(2020, 0, 6) - companyOffset * hour

/** The beginning of a working day, in milliseconds since 1970. */
export const workday = (index: number): number => firstMonday + (Math.floor(index / 5) * 7 + (index % 5)) * day

/** The working day at or before a moment. */
export function workdayAt(moment: number): number {
  const days = Math.floor((moment - firstMonday) / day)
  return Math.floor(days / 7) * 5 + Math.min(4, ((days % 7) + 7) % 7)
}

/** The company's calendar date of a moment. */
export const dateOf = (moment: number): string => new Date(moment + companyOffset * hour).toISOString().slice(0, 10)

/** The moment at which a date begins for the company. */
export const dateBegins = (date: string): number => Date.parse(`${date}T00:00:00Z`) - companyOffset * hour

/** Writes a moment with an offset in hours and 0, 3 or 6 digits of a fraction, as Gong does. */
export function dateTime(moment: number, offset: number = companyOffset, digits: 0 | 3 | 6 = 0): string {
  const [date, clock = ''] = new Date(moment + offset * hour).toISOString().slice(0, -1).split('T')
  const [whole, fraction = '000'] = clock.split('.')
  const end = digits === 0 ? '' : `.${fraction}${digits === 6 ? '562' : ''}`
  const sign = offset < 0 ? '-' : '+'
  const zone = offset === 0 ? 'Z' : `${sign}${String(Math.abs(offset)).padStart(2, '0')}:00`
  return `${date}T${whole}${end}${zone}`
}
